// set_points.js - which points and chunks are in a set, and the numbers of those that are.
// What the page cannot tell is an error, or counted as not asked: never a number of other chunks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {NAME_GAP} from './format.js';
import {bytesOf, isOfChunks, SetError} from './set_language.js';
import {endOf, mostLive, nsOf, walkLives} from './set_chunks.js';

const ANSWER = {NO: 0, YES: 1, DEPENDS: 2, UNKNOWN: 3};
const CHUNKS_DRAWN = 64; // of a point
const LONG_NAME = 600; // bytes; longer ones lack their middle in the document

// ---- patterns --------------------------------------------------------------------

function patternMatches(pattern, text) {
  let p = 0, t = 0, star = -1, resume = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = ++p;
      resume = t;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star;
      t = ++resume;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p >= pattern.length;
}

// null: a part of the name is not in the document, and the rest does not say.
function patternFinds(pattern, name) {
  if (name === null || name === undefined) return false;
  const text = bytesOf(name);
  const found = /[*?]/.test(pattern) ? patternMatches(pattern, text) : text.includes(pattern);
  return text.length >= LONG_NAME && text.includes(NAME_GAP) && !found ? null : found;
}

const isUnnamed = (frame) => /^0x[0-9a-f]+$/.test(frame.function);

function frameFinds(pattern, frame, members) {
  let found = false;
  for (const member of members) {
    if (member === 'function' && isUnnamed(frame)) continue;
    const here = patternFinds(pattern, frame[member]);
    if (here) return true;
    if (here === null) found = null;
  }
  return found;
}

// ---- what a point says -----------------------------------------------------------

const PLACES = {function: ['function'], file: ['file'], module: ['module'], any: ['function', 'file', 'module']};
const answerOf = (found) => (found === null ? ANSWER.UNKNOWN : found ? ANSWER.YES : ANSWER.NO);

function typeAnswer(term, point) {
  if (point.typeName === null) return point.merged ? ANSWER.UNKNOWN : ANSWER.NO;
  return answerOf(patternFinds(term.pattern, point.typeName));
}

// Of a merged row only the site is known, which all its points have.
function stackAnswer(term, point) {
  let answer = term.key === 'any' ? typeAnswer(term, point) : ANSWER.NO;
  if (term.key === 'type') return typeAnswer(term, point);
  term.known ??= new Map(); // points share frames
  for (const frame of point.stack) {
    if (answer === ANSWER.YES) return answer;
    if (frame && !term.known.has(frame)) term.known.set(frame, frameFinds(term.pattern, frame, PLACES[term.key]));
    const found = frame === null ? null : term.known.get(frame);
    if (found) return ANSWER.YES;
    if (found === null) answer = ANSWER.UNKNOWN;
  }
  return point.merged && answer !== ANSWER.YES ? ANSWER.UNKNOWN : answer;
}

function ownersOfAccesses(point) {
  return !point.accesses_known ? 'unknown' : point.accesses_shared ? 'shared' : 'known';
}

function rankIsIn(list, rank) {
  return rank !== null && rank !== undefined && /^\d+$/.test(rank) && list.split(',').some((part) => {
    const [from, to = from] = part.split('-').map(Number);
    return Number(rank) >= from && Number(rank) <= to;
  });
}

// What one of a pair has counts for both.
function sideHas(model, term, point) {
  const isOwn = (term.key === 'old') !== model.other.isOld;
  const ids = term.ids[term.key];
  return isOwn ? ids.has(point.id) : ids.has(model.other.idOf.get(point.id));
}

const MEMBER_BITS = {member_read: 1, member_written: 2, member_unused: 4};

// By the numbers of points: [first of its members, bits of each].
function memberUses(model) {
  model.memberUses ??= new Map(model.doc.member_uses.map(([id, ...uses]) => [id, uses]));
  return model.memberUses;
}

function memberAnswer(model, term, point) {
  const [first, ...bits] = memberUses(model).get(point.id) ?? [0];
  if (first === null) return ANSWER.UNKNOWN;
  const isNamed = ({member, base}) => member !== null && (patternMatches(term.pattern, bytesOf(member))
    || (base !== null && patternMatches(term.pattern, bytesOf(`${base}::${member}`))));
  return answerOf(bits.some((bit, i) => bit & MEMBER_BITS[term.key] && isNamed(model.doc.members[first + i])));
}

function askMembers(model, node, seen = new Set()) {
  if (seen.has(node)) return;
  seen.add(node);
  for (const part of node.kind === 'named' ? [node.root] : node.parts) askMembers(model, part, seen);
  if (node.key in MEMBER_BITS && !memberUses(model).size) {
    throw new SetError(`${node.key} needs accesses counted by member: build with -fsanitize-heapprof-members, run with HEAPPROF_OPTIONS=members=1`,
      node.column);
  }
}

function ownAnswer(model, term, point) {
  if (point.merged) return ANSWER.UNKNOWN;
  switch (term.key) {
  case 'pool': return answerOf(patternFinds(term.pattern, point.pool));
  case 'member_read':
  case 'member_written':
  case 'member_unused': return memberAnswer(model, term, point);
  case 'old':
  case 'new': return answerOf(sideHas(model, term, point));
  case 'flag': return answerOf(point.flags.includes(term.pattern));
  case 'rank': return answerOf(point.process !== null && rankIsIn(term.pattern, model.processes[point.process].rank));
  case 'point': return answerOf(term.pattern.split(',').some((id) => Number(id.replace('#', '')) === point.id));
  case 'time': return answerOf(point.first_ns <= term.window[1] && point.last_ns >= term.window[0]);
  default: return answerOf(ownersOfAccesses(point) === term.pattern);
  }
}

function termAnswer(model, term, point) {
  if (isOfChunks(term.key)) return point.merged ? ANSWER.UNKNOWN : ANSWER.DEPENDS;
  const answer = term.key in PLACES || term.key === 'type' ? stackAnswer(term, point) : ownAnswer(model, term, point);
  return term.isNegated ? notSo(answer) : answer;
}

const notSo = (answer) => ({[ANSWER.YES]: ANSWER.NO, [ANSWER.NO]: ANSWER.YES})[answer] ?? answer;

// One part of this answer decides; else one that is not known, or depends, leaves it open.
function partsAnswer(model, node, point, deciding) {
  const answers = node.parts.map((part) => lookAt(model, part, point));
  if (answers.includes(deciding)) return deciding;
  return answers.includes(ANSWER.UNKNOWN) ? ANSWER.UNKNOWN : answers.includes(ANSWER.DEPENDS) ? ANSWER.DEPENDS : notSo(deciding);
}

// Sets node.answer of all of the tree.
function lookAt(model, node, point) {
  if (node.point === point) return node.answer;
  node.point = point;
  switch (node.kind) {
  case 'all': node.answer = partsAnswer(model, node, point, ANSWER.NO); break;
  case 'any': node.answer = partsAnswer(model, node, point, ANSWER.YES); break;
  case 'not': node.answer = notSo(lookAt(model, node.parts[0], point)); break;
  case 'named': node.answer = lookAt(model, node.root, point); break;
  default: node.answer = termAnswer(model, node, point);
  }
  return node.answer;
}

// ---- what a chunk says -----------------------------------------------------------

const COMPARE = {'=': (a, b) => a === b, '<': (a, b) => a < b, '<=': (a, b) => a <= b, '>': (a, b) => a > b, '>=': (a, b) => a >= b};

function instantTicks(process, term, instant) {
  if (!instant) return null;
  switch (instant.kind) {
  case 'end': return process.end;
  case 'peak': return process.peak;
  case 'time': return Number((BigInt(instant.ns) * BigInt(process.ticks_per_second) + 999999999n) / 1000000000n);
  default: {
    const mark = process.marks.find(([name]) => bytesOf(name) === instant.mark);
    if (mark) return mark[1];
    const others = process.marks.map(([name]) => name.slice(0, 30)).join(', ');
    throw new SetError(`the program set no mark "${instant.mark.slice(0, 60)}"${others && `; it set ${bytesOf(others)}`}`, term.column);
  }
  }
}

// Points in the order of the library, so that what is wrong is said of the same one.
function byNumber(model) {
  model.byNumber ??= [...model.points].sort((a, b) => (a.id ?? Infinity) - (b.id ?? Infinity));
  return model.byNumber;
}

// Spans of the process in which so much was live: peak(p%).
function spansOf(model, number, term) {
  const {chunks} = model;
  const {kept} = model.doc.log;
  const lives = [];
  for (const point of byNumber(model)) {
    if (point.merged) throw new SetError('peak() needs the chunks of all points, which this page does not carry; ask heapprof-score', term.column);
    if ((point.process ?? 0) === number) {
      if (point.chunks && !kept[point.row]) {
        throw new Error('peak() needs the chunk log of the whole process, which has none of the chunks of point '
          + `${point.id}; profile with HEAPPROF_OPTIONS=chunk_log=all`);
      }
      for (let i = chunks.begins[point.row]; i < chunks.begins[point.row + 1]; i++) {
        lives.push({begin: chunks.t0[i], end: endOf(chunks, i, model.doc.log.processes[number].window), bytes: chunks.size[i] * chunks.weight[i]});
      }
    }
  }
  const least = Math.ceil(mostLive(lives) * (100 - term.number) / 100);
  const spans = [];
  let live = 0, since = 0;
  walkLives(lives, (time, bytes) => {
    if (live >= least && live > 0 && since < time) {
      if (spans.length && spans.at(-1).end === since) spans.at(-1).end = time;
      else spans.push({begin: since, end: time});
    }
    live += bytes;
    since = time;
  });
  return spans;
}

// What the terms of NODE ask of a process: done before its chunks are.
function askProcess(model, node, number, seen = new Set()) {
  if (seen.has(node)) return;
  seen.add(node);
  for (const part of node.kind === 'named' ? [node.root] : node.parts) askProcess(model, part, number, seen);
  if (node.kind !== 'term' || !isOfChunks(node.key)) return;
  const process = model.doc.log.processes[number];
  node.asked ??= [];
  node.asked[number] = {from: instantTicks(process, node, node.from), to: instantTicks(process, node, node.to),
    spans: node.key === 'peak' ? spansOf(model, number, node) : null};
}

function timeHolds(term, asked, ticks) {
  if (!term.isRange) return COMPARE[term.compare](ticks, asked.from);
  return (asked.from === null || ticks >= asked.from) && (asked.to === null || ticks < asked.to || term.to.kind === 'end');
}

function isAtPeak(spans, begin, end) {
  let low = 0, high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle].end <= begin) low = middle + 1;
    else high = middle;
  }
  return low < spans.length && spans[low].begin < end;
}

function freeHolds(model, term, chunks, i) {
  const number = chunks.freed[i];
  if (chunks.live[i] || !number) return false;
  term.places ??= [];
  if (term.places[number] === undefined) {
    const [isWhole, site, ...frames] = model.doc.log.freed[number - 1].split(' ').map(Number);
    term.places[number] = {isWhole, holds: term.key === 'free_site' ? site >= 0 && frameFinds(term.pattern, model.frames[site], PLACES.any) === true
      : frames.some((frame) => frameFinds(term.pattern, model.frames[frame], PLACES.function) === true)};
  }
  const {isWhole, holds} = term.places[number];
  if (term.key === 'freed_in' && !isWhole && !holds) model.shallow++;
  return holds;
}

function chunkHolds(model, term, number, chunks, i) {
  const process = model.doc.log.processes[number];
  const asked = term.asked[number];
  const compares = COMPARE[term.compare];
  switch (term.key) {
  case 'size': return compares(chunks.size[i], term.number);
  case 'lifetime': return compares(Math.max(1, chunks.t1[i] - chunks.t0[i]) * 1e9, term.number * process.ticks_per_second);
  case 'thread': return compares(chunks.thread[i], term.number);
  case 'free_thread': return !chunks.live[i] && compares(chunks.freeThread[i], term.number);
  case 'reads': return compares(chunks.reads[i], term.number);
  case 'writes': return compares(chunks.writes[i], term.number);
  case 'interval': return term.isPercent ? compares(100 * chunks.interval[i], term.number * (chunks.size[i] || 1))
    : compares(chunks.interval[i], term.number);
  case 'born': return timeHolds(term, asked, chunks.t0[i]);
  case 'died': return !chunks.live[i] && (term.isDone || timeHolds(term, asked, chunks.t1[i]));
  case 'live_at': return term.from.kind === 'end' || asked.from >= process.window ? chunks.live[i] === 1
    : chunks.t0[i] <= asked.from && asked.from < endOf(chunks, i, process.window);
  case 'peak': return isAtPeak(asked.spans, chunks.t0[i], endOf(chunks, i, process.window));
  default: return freeHolds(model, term, chunks, i);
  }
}

function hasChunk(model, node, number, chunks, i) {
  if (node.answer !== ANSWER.DEPENDS) return node.answer === ANSWER.YES;
  switch (node.kind) {
  case 'all': return node.parts.every((part) => hasChunk(model, part, number, chunks, i));
  case 'any': return node.parts.some((part) => hasChunk(model, part, number, chunks, i));
  case 'not': return !hasChunk(model, node.parts[0], number, chunks, i);
  case 'named':
    if (node.root.chunk !== i) node.root.hasIt = hasChunk(model, node.root, number, chunks, i);
    node.root.chunk = i;
    return node.root.hasIt;
  default: return chunkHolds(model, node, number, chunks, i) !== Boolean(node.isNegated);
  }
}

// ---- the numbers of a part -------------------------------------------------------

const digitsOf = (value) => (value ? Math.floor(Math.log2(value)) + 1 : 0);

function rangeOf(point, name, values, weights) {
  const total = weights.reduce((sum, w) => sum + w, 0);
  const known = values.length > 0;
  point[`${name}_min`] = known ? values.reduce((a, b) => Math.min(a, b)) : null;
  point[`${name}_max`] = known ? values.reduce((a, b) => Math.max(a, b)) : null;
  point[`${name}_mean`] = known ? values.reduce((sum, value, k) => sum + value * weights[k], 0) / total : null;
}

function histogramOf(values, weights) {
  const counts = new Map();
  values.forEach((value, k) => counts.set(digitsOf(value), (counts.get(digitsOf(value)) ?? 0) + weights[k]));
  return [...counts].sort((a, b) => a[0] - b[0]).flatMap(([digits, count]) => [digits, Math.round(count)]);
}

const firstNotBefore = (times, time) => {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
};

// Bytes live at each instant of the time line.
function seriesOf(model, lives) {
  const {instant_ns: instants} = model.timeline;
  const change = new Float64Array(instants.length + 1);
  for (const {beginNs, endNs, bytes} of lives) {
    change[firstNotBefore(instants, beginNs)] += bytes;
    change[firstNotBefore(instants, endNs)] -= bytes;
  }
  let live = 0;
  return instants.map((_, i) => Math.round(live += change[i]));
}

function drawingOf(chunks, found, process, logged) {
  const count = Math.min(CHUNKS_DRAWN, found.length);
  const rate = process.ticks_per_second;
  return {logged, indices: Array.from({length: count}, (_, k) => found[Math.floor(k * found.length / count)]),
    drawn: Array.from({length: count}, (_, k) => {
      const i = found[Math.floor(k * found.length / count)];
      const first = chunks.accessed[i] ? nsOf(chunks.first[i], rate) : null;
      return [process.offset_ns + nsOf(chunks.t0[i], rate), nsOf(chunks.t1[i] - chunks.t0[i], rate), first,
        first === null ? null : nsOf(chunks.first[i] + chunks.last[i], rate), chunks.size[i], chunks.reads[i], chunks.writes[i], chunks.live[i]];
    })};
}

// Lives of chunks of a point, in its ticks and by the clock of the whole.
export function livesOf(model, point, found) {
  const {chunks} = model;
  const process = model.doc.log.processes[point.process];
  const clock = (ticks) => process.offset_ns + nsOf(ticks, process.ticks_per_second);
  // What is never freed goes with its process; on the time line that of the last one stays.
  const goneNs = clock(process.window);
  const stays = goneNs + 1 >= model.timeline.length_ns;
  return found.map((i) => {
    const end = endOf(chunks, i, process.window);
    const beginNs = clock(chunks.t0[i]);
    const wallEnd = Math.max(beginNs + 1, clock(end));
    const endNs = !chunks.live[i] ? wallEnd : stays ? Infinity : Math.max(beginNs + 1, goneNs);
    return {begin: chunks.t0[i], end, beginNs, wallEnd, endNs, bytes: chunks.size[i] * chunks.weight[i]};
  });
}

function atPeak(model, lives) {
  const {peak} = model.doc.log;
  const has = (life) => (peak.wall ? life.beginNs <= peak.time && peak.time < life.wallEnd : life.begin <= peak.time && peak.time < life.end);
  const bytes = lives.reduce((total, life) => total + (has(life) ? life.bytes : 0), 0);
  return Math.floor(peak.most < peak.sum ? bytes * peak.most / peak.sum : Math.round(bytes));
}

// Of a part nobody here knows scores, flags and what else is not in its chunks: null, which is shown as a dash.
const UNKNOWN_OF_PARTS = ['lifetime', 'usage', 'useful_lifetime', 'useful_lifetime_error', 'usage_error', 'useful_lifetime_sampling_error',
  'peak_bytes_error', 'severity', 'colour', 'groups', 'temporary_chunks', 'growth_length', 'page_chunks', 'sampled_page_chunks', 'reallocs',
  'watched_freed', 'content_chunks', 'block_chunks', 'touched_bytes'];

function partOf(model, point, found) {
  const {chunks} = model;
  const {log} = model.doc;
  const process = log.processes[point.process];
  const part = {...point, isPart: true, base: point, flags: [], inferences: [], jumps: null, findings: point.findings};
  for (const name of UNKNOWN_OF_PARTS) part[name] = null;
  const sum = (of, which = () => true) => Math.round(found.reduce((total, i) => total + (which(i) ? of(i) * chunks.weight[i] : 0), 0));
  const isLive = (i) => chunks.live[i];
  part.chunks = sum(() => 1);
  part.bytes = sum((i) => chunks.size[i]);
  part.live_chunks = sum(() => 1, isLive);
  part.live_bytes = sum((i) => chunks.size[i], isLive);
  part.reads = sum((i) => chunks.reads[i]);
  part.writes = sum((i) => chunks.writes[i]);
  part.bytes_accessed = sum((i) => chunks.interval[i]);
  const ended = found.filter((i) => !isLive(i));
  const lifeOf = (i) => Math.max(1, chunks.t1[i] - chunks.t0[i]);
  const weights = (of) => of.map((i) => chunks.weight[i]);
  rangeOf(part, 'size', found.map((i) => chunks.size[i]), weights(found));
  rangeOf(part, 'lifetime_ns', ended.map((i) => nsOf(lifeOf(i), process.ticks_per_second)), weights(ended));
  part.sizes = histogramOf(found.map((i) => chunks.size[i]), weights(found));
  part.lifetimes = histogramOf(ended.map(lifeOf), weights(ended));
  const lives = livesOf(model, point, found);
  part.first_ns = lives[0].beginNs;
  part.last_ns = process.offset_ns + nsOf(found.reduce((last, i) => Math.max(last, chunks.t1[i]), 0), process.ticks_per_second);
  part.threads = [...new Set(found.map((i) => chunks.thread[i]))].sort((a, b) => a - b);
  part.peak_bytes = mostLive(lives);
  part.bytes_at_global_peak = atPeak(model, lives);
  part.series = point.series && seriesOf(model, lives);
  part.drawing = drawingOf(chunks, found, process, found.length);
  part.samples = process.sampled ? found.length : 0;
  part.estimated = part.peakEstimated = process.sampled || !hasAll(model, point);
  const errors = (of) => Math.sqrt(found.reduce((total, i) => total + chunks.weight[i] * (chunks.weight[i] - 1) * of(i) ** 2, 0));
  part.chunks_error = errors(() => 1);
  part.bytes_error = errors((i) => chunks.size[i]);
  part.found = found;
  return part;
}

// ---- all of it -------------------------------------------------------------------

function checkLog(model, root, point) {
  const {log} = model.doc;
  const silent = log.processes[point.process ?? 0].silent;
  const {key, column} = root.chunkTerm;
  if (silent) throw new SetError(`${key} needs the chunk log; ${silent}`, column);
  if (point.chunks && !log.log_chunks[point.row]) {
    throw new SetError(`${key} needs the chunk log; this one has no chunk of point ${point.id}, profile with HEAPPROF_OPTIONS=chunk_log=all`, column);
  }
}

// Whether the page has all chunks of the point.
const hasAll = ({doc: {log}}, {row}) => Boolean(log.all[row]) && log.kept[row] === log.log_chunks[row];

const range = (begin, end) => Array.from({length: end - begin}, (_, k) => begin + k);

// Indices of the point's chunks that are in the set; null: all of the point; undefined: the page cannot tell.
function chosenOf(model, root, point, answer) {
  if (answer === ANSWER.YES) return null;
  if (answer === ANSWER.NO) return [];
  if (answer === ANSWER.UNKNOWN) return undefined;
  checkLog(model, root, point);
  const {chunks} = model;
  const number = point.process ?? 0;
  const all = range(chunks.begins[point.row], chunks.begins[point.row + 1]);
  if (all.length === 0) return point.chunks ? undefined : [];
  const found = all.filter((i) => hasChunk(model, root, number, chunks, i));
  return found.length === all.length ? null : found;
}

export const WAITING = 'reading the chunks';

// {points, parts, unasked}: `points` is model.points itself if the set has all; `unasked` counts points that the page knows too
// little of. Throws SetError.
// ASK gives the numbers of the points of a run that are in a set of a name.
export function pointsOfSet(model, root, ask) {
  if (root.chunkTerm && !model.chunks) throw new Error(WAITING);
  model.shallow = 0;
  askMembers(model, root);
  if (root.chunkTerm) model.doc.log.processes.forEach((_, number) => askProcess(model, root, number));
  if (asks(root, 'rank') && model.points.some((p) => !p.merged && p.process === null)) {
    throw new Error('rank= cannot divide points that several processes of a merged dump have; merge the dumps of these ranks alone, by '
      + 'heapprof-merge --rank');
  }
  askSides(model, root, ask);
  const points = [];
  let unasked = 0, isWhole = true, isThinned = false;
  const chosenBy = new Map();
  for (const point of byNumber(model)) {
    const answer = lookAt(model, root, point);
    chosenBy.set(point, chosenOf(model, root, point, answer));
    if (answer === ANSWER.DEPENDS) isThinned ||= !hasAll(model, point);
  }
  for (const point of model.points) {
    const chosen = chosenBy.get(point);
    isWhole &&= chosen === null;
    if (chosen === undefined) unasked += point.points;
    else if (chosen === null) points.push(point);
    else if (chosen.length) points.push(partOf(model, point, chosen));
  }
  const isOfLog = Boolean(root.chunkTerm);
  return {points: isWhole ? model.points : points, unasked, isOfLog, shallow: model.shallow,
    // That it has none, or all, of a thinned point is an estimate, too.
    estimated: isThinned || (isOfLog && points.some((p) => p.estimated)),
    parts: points.filter((p) => p.isPart).length, waiting: false};
}

function askSides(model, node, ask, seen = new Set()) {
  if (seen.has(node)) return;
  seen.add(node);
  for (const part of node.kind === 'named' ? [node.root] : node.parts) askSides(model, part, ask, seen);
  if (node.key !== 'old' && node.key !== 'new') return;
  if (!model.other) throw new SetError('old: and new: are of two runs that heapprof-diff compares', node.column);
  const run = (node.key === 'old') === model.other.isOld ? model.other.model : model;
  node.ids = {[node.key]: ask(run, node.name)};
}

function asks(node, key, seen = new Set()) {
  if (seen.has(node)) return undefined;
  seen.add(node);
  if (node.kind === 'term') return node.key === key ? node : undefined;
  for (const part of node.kind === 'named' ? [node.root] : node.parts) {
    const found = asks(part, key, seen);
    if (found) return found;
  }
  return undefined;
}

// What the set had at most; null: the page has not all of its chunks.
export function peakOfSet(model, points) {
  if (points.length === 0) return 0;
  const {log} = model.doc;
  const lives = [];
  const isWall = points.some((p) => p.process !== points[0].process);
  for (const point of points) {
    const {row} = point;
    if (!model.chunks || point.merged || point.process === null || !hasAll(model, point)
      || log.processes[point.process].sampled) return null;
    lives.push(...livesOf(model, point, point.found ?? range(model.chunks.begins[row], model.chunks.begins[row + 1])));
  }
  return mostLive(isWall ? lives.map((life) => ({begin: life.beginNs, end: life.wallEnd, bytes: life.bytes})) : lives);
}

// Chunks of a whole point as those of a part are drawn; null: the page has none.
export function wholeDrawing(model, point) {
  const found = model.chunks && !point.merged ? range(model.chunks.begins[point.row], model.chunks.begins[point.row + 1]) : [];
  return found.length ? drawingOf(model.chunks, found, model.doc.log.processes[point.process], model.doc.log.log_chunks[point.row]) : null;
}
