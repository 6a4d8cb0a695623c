// model.js - the document as objects: frames, points, types, call trees; filters.
// Pure: nothing here knows of the page.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {baseName, isAddress} from './format.js';
import {boxesOf} from './set_boxes.js';
import {parseSet, parseWindow} from './set_language.js';
import {pointsOfSet} from './set_points.js';

const SUMMED = ['points', 'chunks', 'bytes', 'bytes_at_global_peak', 'live_chunks', 'live_bytes', 'reads', 'writes',
  'bytes_accessed', 'samples'];
const ERRORS = ['chunks_error', 'bytes_error'];
const OWN = ['id', 'process', 'first_ns', 'last_ns', 'threads', 'peak_bytes', 'size_min', 'size_mean', 'size_max', 'lifetime_ns_min', 'lifetime_ns_mean',
  'lifetime_ns_max', 'counts_saturated', 'lifetime', 'usage', 'useful_lifetime', 'useful_lifetime_error', 'estimated', 'accesses_known', 'accesses_shared',
  'chunks_error', 'bytes_error', 'peak_bytes_error', 'usage_error', 'useful_lifetime_sampling_error', 'severity',
  'colour', 'groups', 'temporary_chunks', 'growth_length', 'growth_first', 'growth_last', 'growth_copied', 'page_chunks', 'page_bytes', 'touched_bytes', 'resident_bytes',
  'sampled_page_chunks', 'sampled_page_bytes', 'sampled_touched_bytes', 'sampled_unused_chunks', 'stale_chunks', 'stale_bytes',
  'reallocs', 'reallocs_in_place', 'realloc_moved_bytes', 'realloc_grown_bytes', 'realloc_shrunk_bytes', 'realloc_jump_from', 'realloc_jump_to',
  'watched_chunks', 'watched_freed', 'torn_chunks', 'torn_late_chunks', 'torn_unread_chunks', 'watched_useful_lifetime', 'settled_lifetime',
  'initialised_chunks', 'initialised_lost', 'initialised_filled', 'initialised_bytes', 'initialised_only_bytes',
  'content_chunks', 'content_bytes', 'content_zero_bytes', 'content_uniform_chunks', 'content_sparse_chunks', 'content_different', 'content_different_bytes',
  'content_all_different', 'pool', 'block_chunks', 'block_bytes', 'block_objects', 'block_object_bytes', 'block_most_bytes', 'block_mean_bytes', 'block_idle_chunks',
  'block_idle_bytes'];

function readFrames(doc) {
  const text = (number) => (number === null ? null : doc.strings[number]);
  return doc.frames.function.map((name, i) => ({
    function: text(name),
    name: isAddress(text(name)) ? `${baseName(text(doc.frames.module[i]))}+${text(name)}` : text(doc.frames.short[i]),
    file: text(doc.frames.file[i]),
    line: doc.frames.line[i],
    line_is_near: Boolean(doc.frames.line_is_near[i]),
    column: doc.frames.column[i],
    module: text(doc.frames.module[i]),
    inlined: Boolean(doc.frames.inlined[i]),
    library: Boolean(doc.frames.library[i]),
  }));
}

function readPoints(doc, frames) {
  const columns = doc.points;
  const inferences = Object.entries(columns.inferences);
  const points = [];
  for (let row = 0; row < columns.rows; row++) {
    const own = row < columns.count;
    const point = {row, merged: !own};
    for (const name of SUMMED) point[name] = columns[name][row];
    for (const name of OWN) point[name] = own ? columns[name][row] : null;
    point.stack = columns.stack[row].map((frame) => (frame === null ? null : frames[frame]));
    point.site = columns.place[row] === null ? null : frames[columns.place[row]];
    // Of several processes only the peak is one, unless there are samples.
    point.peakEstimated = Boolean(point.estimated);
    point.estimated = point.samples > 0 || (point.peakEstimated && point.process !== null);
    point.type = columns.type[row] === null ? null : doc.strings[columns.type[row]];
    const whole = columns.type_name[row];
    point.typeName = whole === null ? null : doc.strings[whole];
    const how = own ? columns.type_provenance[row] : null;
    point.provenance = how === null ? null : doc.strings[how];
    point.inferences = own ? inferences.map(([name, column]) => ({
      name, text: column.text, chunks: column.chunks[row], bytes: column.bytes[row],
      flagged: Boolean(column.flagged[row]),
    })) : [];
    point.flags = point.inferences.filter((i) => i.flagged).map((i) => i.name);
    point.series = doc.timeline.points[row] ?? null;
    point.sizes = doc.histograms.size[row] ?? null;
    point.lifetimes = doc.histograms.lifetime_ticks[row] ?? null;
    point.nsPerTick = own ? doc.histograms.ns_per_tick[columns.process[row]] : null;
    point.jumps = doc.reallocs[row] ?? null;
    point.drawing = doc.chunks[row] ?? null;
    point.findings = [];
    points.push(point);
  }
  return points;
}

export function readModel(doc) {
  const frames = readFrames(doc);
  const points = readPoints(doc, frames);
  const byId = new Map(points.filter((p) => !p.merged).map((p) => [p.id, p]));
  const findings = doc.findings.map((finding, number) => ({...finding, number: number + 1}));
  for (const finding of findings) {
    for (const id of finding.points) byId.get(id)?.findings.push(finding);
  }
  const sources = new Map(doc.sources.map((s) => [s.file, {newer: s.newer, lines: new Map(s.lines)}]));
  const model = {doc, frames, points, byId, findings, sources, timeline: doc.timeline, global: doc.global,
    processes: doc.processes, estimated: points.some((p) => p.estimated), other: null};
  if (doc.before) joinRuns(readModel(doc.before.document), model, doc.before.pairs);
  return model;
}

// Two runs know each other, and which point of one is which of the other.
function joinRuns(old, model, pairs) {
  old.other = {model, isOld: false, idOf: new Map(pairs)};
  model.other = {model: old, isOld: true, idOf: new Map(pairs.map(([before, after]) => [after, before]))};
}

// ---- sets ---------------------------------------------------------------------

const SETS_KEPT = 64; // answers

// The window that a filter names last; null if none.
export function windowOf(text) {
  const term = text.split(/\s+/).findLast((t) => t.startsWith('time='));
  return term ? parseWindow(term.slice('time='.length)) : null;
}

// A window for the filter, short enough to read.
export function windowTerm(begin, end) {
  const text = (ns) => `${Math.max(0, ns / 1e6).toFixed(3)}ms`;
  return `time=${text(begin)}..${text(end)}`;
}

// What is in the set TEXT, which may use the boxes of the state: {points, error, unasked, estimated, parts}. With an error all points, so
// that typing never empties the page. The same text has the same answer.
export function askSet(model, state, text) {
  const key = `${state.sets}\n${text}`;
  model.answers ??= new Map();
  if (!model.answers.has(key)) {
    if (model.answers.size >= SETS_KEPT) model.answers.delete(model.answers.keys().next().value);
    model.answers.set(key, answerSet(model, state, text));
  }
  return model.answers.get(key);
}

function answerSet(model, state, text) {
  try {
    const names = boxesOf(model, state).map((box) => ({name: box.name, text: box.text}));
    return {error: null, ...pointsOfSet(model, parseSet(text, names), (run, name) => askSide(run, state, name, names))};
  } catch (error) {
    return {points: model.points, error: error.message, unasked: 0, estimated: false, parts: 0};
  }
}

// Numbers of the points of RUN that have chunks in the set NAME.
function askSide(run, state, name, names) {
  if (!names.some((set) => set.name === name)) throw new Error(`no set is named "${name}"`);
  const {points, error} = askSet(run, state, name);
  if (error) throw new Error(error);
  return new Set(points.map((point) => point.id));
}

export function filterPoints(model, state) {
  return askSet(model, state, state.filter);
}

export function sum(points, name) {
  return points.reduce((total, point) => total + point[name], 0);
}

// The scores of some points as the document has those of all: of points whose score is known, each floored.
export function scoresOf(points, key) {
  const known = points.map((point) => point[key]).filter((score) => score !== null && score !== undefined && score >= 0);
  if (known.length === 0) return {geomean: null, mean: null, points: 0};
  const mean = (values) => values.reduce((total, value) => total + value, 0) / known.length;
  return {geomean: Math.exp(mean(known.map((score) => Math.log(Math.max(score, 0.01))))), mean: mean(known), points: known.length};
}

// ---- measures of the flame graph ---------------------------------------------

export const MEASURES = {
  bytes_at_global_peak: {label: 'Bytes at the peak', unit: 'bytes', of: (p) => p.bytes_at_global_peak},
  bytes: {label: 'Bytes allocated', unit: 'bytes', of: (p) => p.bytes},
  chunks: {label: 'Allocations', unit: 'count', of: (p) => p.chunks},
  cursor: {label: 'Bytes at the cursor', unit: 'bytes', of: (p, at) => (p.series ? p.series[at] : 0)},
};

// Who calls the site: what starts the program, or a thread, does not, nor does a library. NULL: nobody, or the stack was shortened there.
export function callerOf(point) {
  const outward = point.stack.slice(point.stack.indexOf(point.site) + 1);
  return (point.site ? outward.find((f) => f === null || !f.library) : outward[0]) ?? null;
}

// Of a stack without the program, such as the dynamic linker's, all there is.
function framesShown(point, withLibrary) {
  const ofProgram = withLibrary ? []
    : point.stack.slice(Math.max(0, point.stack.indexOf(point.site))).filter((f) => f === null || !f.library || f === point.site);
  return ofProgram.length ? ofProgram : point.stack;
}

// Inclusive values from the outermost frame to the site; frames of libraries, and those that only pass memory on to the
// site, are left out unless asked for.  `estimated` says that a value is one.
// With `parts`, of dividedByBoxes, a node has the value of each, too.
export function buildTree(points, measure, at, withLibrary, historyEstimated, parts = null) {
  const root = {name: 'all', frame: null, value: 0, self: 0, badness: 0, estimated: false, children: new Map(), points: [],
    parent: null, ofBox: new Map()};
  const all = parts ? parts.flatMap(({number, points: some}) => some.map((point) => [point, number])) : points.map((point) => [point, -1]);
  for (const [point, number] of all) {
    const value = MEASURES[measure].of(point, at);
    if (!value) continue;
    const estimated = point.estimated || (measure === 'cursor' && historyEstimated);
    const shown = framesShown(point, withLibrary);
    let node = root;
    const add = () => {
      node.value += value;
      node.estimated ||= estimated;
      node.ofBox.set(number, (node.ofBox.get(number) ?? 0) + value);
    };
    add();
    for (let i = shown.length - 1; i >= 0; i--) {
      const name = shown[i] === null ? '…' : shown[i].name;
      let child = node.children.get(name);
      if (!child) {
        child = {name, frame: shown[i], value: 0, self: 0, badness: 0, estimated: false, children: new Map(), points: [],
          parent: node, ofBox: new Map()};
        node.children.set(name, child);
      }
      node = child;
      add();
    }
    node.self += value;
    node.points.push(point);
    if (point.severity !== null) node.badness += value * (1 - point.severity);
  }
  return root;
}

// ---- groups -------------------------------------------------------------------

export function groupByType(points) {
  const groups = new Map();
  for (const point of points) {
    const key = point.type ?? 'unknown';
    let group = groups.get(key);
    if (!group) {
      group = {type: point.type, name: key, whole: point.typeName, rows: [], estimated: false, shared: false, seen_bytes: 0, seen_accessed: 0};
      for (const name of [...SUMMED, ...ERRORS]) group[name] = 0;
      groups.set(key, group);
    }
    group.rows.push(point);
    group.estimated ||= point.estimated;
    // Points err independently of each other; how far merged ones do is not in the report.
    for (const name of ERRORS) group[name] = point.merged ? NaN : Math.hypot(group[name], point[name]);
    for (const name of SUMMED) group[name] += point[name];
    // What nobody saw is not untouched.
    if (point.accesses_known === 0) continue;
    group.seen_bytes += point.bytes;
    group.seen_accessed += point.bytes_accessed;
    group.shared ||= point.accesses_shared === 1;
  }
  return [...groups.values()];
}

// Per file and line what is allocated there: by the site itself, and by all that it calls.
const linesOf = new WeakMap();

export function sourceLines(points) {
  if (!linesOf.has(points)) linesOf.set(points, readLines(points));
  return linesOf.get(points);
}

function readLines(points) {
  const files = new Map();
  const lineOf = (frame) => {
    let file = files.get(frame.file);
    if (!file) {
      file = {file: frame.file, bytes: 0, chunks: 0, estimated: false, lines: new Map()};
      files.set(frame.file, file);
    }
    let line = file.lines.get(frame.line);
    if (!line) {
      line = {line: frame.line, own: {chunks: 0, bytes: 0, estimated: false},
        all: {chunks: 0, bytes: 0, estimated: false}, points: []};
      file.lines.set(frame.line, line);
    }
    return [file, line];
  };
  const add = (to, point) => {
    to.chunks += point.chunks;
    to.bytes += point.bytes;
    to.estimated ||= point.estimated;
  };
  for (const point of points) {
    const seen = new Set();
    for (const frame of point.stack) {
      if (frame === null || !frame.file || !frame.line || frame.line_is_near || frame.library) continue;
      const [file, line] = lineOf(frame);
      if (seen.has(line)) continue;
      seen.add(line);
      add(line.all, point);
      if (frame === point.site) {
        add(line.own, point);
        line.points.push(point);
        add(file, point);
      }
    }
  }
  return files;
}
