// points.js - all allocation points in a table, and one of them in full.
// A row of merged points has sums only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {boxLegend, boxSwitch, dividedByBoxes} from './boxes.js';
import {chunkChart, histogram, shareBar} from './charts.js';
import {clamped, el, growing} from './dom.js';
import {excerpt} from './excerpt.js';
import {approx, atLeast, bytesText, chunksText, countText, durationText, lineText, NOTHING, placeText, scoreText, UNSEEN, withError} from './format.js';
import {wholeDrawing} from './set_points.js';
import {callerOf} from './model.js';
import {severityMark} from './severity.js';
import {changeState, DEFAULTS, linkTo} from './state.js';

const POINT_SCORES = [['lifetime', 'lifetime'], ['usage', 'usage'], ['useful_lifetime', 'useful life']];
const SCORE_ERRORS = {usage: 'usage_error', useful_lifetime: 'useful_lifetime_sampling_error'}; // of samples
const PROVENANCES = {
  user: 'as the program said', argument: 'from the allocating expression', wrapper: 'from the caller of the allocating function',
  instantiation: 'from the allocator’s template', symbol: 'known of the library',
};

const isRough = (p) => p.estimated || p.useful_lifetime_error > 0.05;

const isUnseen = (p) => p.accesses_known === 0;
const seenText = (p, score) => atLeast(p.accesses_shared === 1, score, scoreText(score));

// Scores sort worst first, numbers most first.
const COLUMNS = [
  {key: 'severity', label: 'Severity', up: true, help: 'all three scores in one: 1 is well used, 0 is wasted',
    show: (p) => severityMark(p)},
  {key: 'site', label: 'Site', help: 'the function and line that allocates, and who calls it', up: true,
    of: (p) => p.site?.function ?? '', show: (p) => siteCell(p)},
  {key: 'type', label: 'Type', help: 'what the chunks hold', up: true, of: (p) => p.type ?? '\uffff',
    show: (p) => clamped(p.type ?? NOTHING), class: 'code'},
  {key: 'chunks', label: 'Chunks', help: 'allocations made here', class: 'number',
    show: (p) => withError(p.estimated, p.chunks, p.chunks_error, countText)},
  {key: 'bytes', label: 'Bytes', help: 'of all these chunks together', class: 'number',
    show: (p) => withError(p.estimated, p.bytes, p.bytes_error, bytesText)},
  {key: 'peak_bytes', label: 'Own peak', help: 'the most that were live at once here', class: 'number',
    show: (p) => withError(p.estimated || p.peakEstimated, p.peak_bytes, p.peak_bytes_error, bytesText)},
  {key: 'bytes_at_global_peak', label: 'At the peak', help: 'live here when the whole heap was largest', class: 'number',
    show: (p) => approx(p.estimated, bytesText(p.bytes_at_global_peak))},
  {key: 'live_bytes', label: 'Live at end', help: 'never freed', class: 'number',
    show: (p) => approx(p.estimated, bytesText(p.live_bytes))},
  {key: 'touched_bytes', label: 'Touched', help: 'bytes in pages that had memory, of chunks of 128 KiB and more', class: 'number',
    when: (p) => p.page_chunks, of: (p) => (p.page_chunks ? p.touched_bytes : null), show: (p) => (p.page_chunks ? approx(p.estimated, bytesText(p.touched_bytes)) : NOTHING)},
  {key: 'lifetime', label: 'Lifetime', help: 'low: allocated again and again', up: true, class: 'number',
    show: (p) => scoreText(p.lifetime)},
  {key: 'usage', label: 'Usage', help: 'the share of bytes that was ever read or written', up: true, class: 'number',
    show: (p) => (isUnseen(p) ? UNSEEN : approx(p.estimated, seenText(p, p.usage)))},
  {key: 'useful_lifetime', label: 'Useful life', help: 'the share of its life that a chunk was in use', up: true, class: 'number',
    show: (p) => (isUnseen(p) ? UNSEEN : approx(isRough(p), seenText(p, p.useful_lifetime)))},
  {key: 'flags', label: 'Flags', help: 'what stands out', of: (p) => p.flags.length,
    show: (p) => p.flags.map((flag) => [el('span', {class: 'flag'}, flag.replaceAll('_', '-')), ' '])},
];

function siteName(point) {
  return point.site ? point.site.name : 'unknown place';
}

// The caller tells apart what comes out of one wrapper of malloc.
function siteCell(point) {
  const caller = point.merged ? null : callerOf(point);
  const name = [el('b', {class: 'code'}, clamped(siteName(point))), ' ', el('span', {class: 'code place'}, placeText(point.site),
    caller ? [' ← ', clamped(caller.name)] : ''), point.isPart ? el('span', {class: 'note in-part', title: `of ${countText(point.base.chunks)} chunks`}, ' in part') : ''];
  return point.merged ? [name, el('span', {class: 'note'}, ` ${countText(point.points)} ${point.points === 1 ? 'point' : 'points'} merged`)]
    : el('a', {href: linkTo({point: String(point.id)})}, name);
}

function sorted(points, key, down) {
  const column = COLUMNS.find((c) => c.key === key) ?? COLUMNS.find((c) => c.key === DEFAULTS.sort);
  const of = column.of ?? ((p) => p[column.key]);
  const sign = (column.up ? 1 : -1) * (down ? -1 : 1);
  return [...points].sort((a, b) => {
    const x = of(a);
    const y = of(b);
    if (x === null || y === null) return (x === null) - (y === null) || b.bytes - a.bytes;
    return (x < y ? -sign : x > y ? sign : 0) || b.bytes - a.bytes || a.row - b.row;
  });
}

function table(points, state) {
  const rows = sorted(points, state.sort, state.down === 'yes');
  const columns = COLUMNS.filter((c) => !c.when || points.some(c.when));
  const body = el('tbody');
  const more = growing(body, rows, (point) => el('tr', {'data-point': point.id},
    columns.map((c) => el('td', {class: c.class}, c.show(point)))));
  const heads = columns.map((c) => {
    const current = state.sort === c.key;
    const upwards = Boolean(c.up) !== (state.down === 'yes');
    return el('th', {scope: 'col', 'aria-sort': current ? (upwards ? 'ascending' : 'descending') : null,
      class: c.class === 'number' ? 'number' : null},
      el('button', {title: c.help, onclick: () => changeState({sort: c.key, down: current && state.down === '' ? 'yes' : ''})},
        c.label, current ? (upwards ? ' ▲' : ' ▼') : ''));
  });
  return [el('div', {class: 'scroll'}, el('table', {class: 'points'}, el('thead', {}, el('tr', {}, heads)), body)), more];
}

// ---- one point ------------------------------------------------------------------

function numbers(point) {
  const about = (text) => approx(point.estimated, text);
  const bytes = (name) => about(bytesText(point[name]));
  const duration = (name) => about(durationText(point[name]));
  const asSeen = isUnseen(point) ? ' as far as was seen' : '';
  const rows = [
    ...(point.samples ? [['Samples', `${countText(point.samples)}, of which all numbers are estimates (~ ± standard error)`]] : []),
    ['Chunks', withError(point.estimated, point.chunks, point.chunks_error, countText)],
    ['Bytes in all', withError(point.estimated, point.bytes, point.bytes_error, bytesText)],
    ['Own peak', withError(point.estimated || point.peakEstimated, point.peak_bytes, point.peak_bytes_error, bytesText)],
    ['At the global peak', bytes('bytes_at_global_peak')],
    ['Live at the end', `${about(chunksText(point.live_chunks))}, ${bytes('live_bytes')}`],
    ['Size', `${bytes('size_min')} to ${bytes('size_max')}, mean ${bytes('size_mean')}`],
    ['Lifetime', point.lifetime_ns_mean === null ? NOTHING
      : `${duration('lifetime_ns_min')} to ${duration('lifetime_ns_max')}, mean ${duration('lifetime_ns_mean')}`],
    ['Recycled', point.peak_bytes ? about(`${(point.bytes / point.peak_bytes).toFixed(1)} times its own peak`) : NOTHING],
    ...(point.temporary_chunks === null || point.temporary_chunks === undefined ? []
      : [['Temporary', `${chunksText(point.temporary_chunks)}, freed before the thread allocated again`]]),
    ['In use', `from ${duration('first_ns')} to ${duration('last_ns')}`],
    ...(point.threads.length ? [['Allocated by', `thread${point.threads.length > 1 ? 's' : ''} ${point.threads.join(', ')}`]] : []),
    ['Reads, writes', `${point.counts_saturated ? '≥ ' : ''}${about(countText(point.reads))}, ${about(countText(point.writes))}${asSeen}`],
    ['Bytes accessed', bytes('bytes_accessed') + asSeen],
    ...(point.page_chunks ? [['By pages', `${bytes('touched_bytes')} touched of ${bytes('page_bytes')} in ${about(chunksText(point.page_chunks))} of `
      + `128 KiB and more; ${bytes('resident_bytes')} in memory at the end`]] : []),
    ...(point.stale_chunks ? [['Stale', `${bytes('stale_bytes')} in memory of ${about(chunksText(point.stale_chunks))}, not written for long`]] : []),
    ...(point.sampled_page_chunks ? [['By pages of some', `${countText(point.sampled_page_chunks)} chosen from `
      + `${about(countText(point.chunks - point.page_chunks))} smaller chunks: ${bytesText(point.sampled_touched_bytes)} touched of `
      + `${bytesText(point.sampled_page_bytes)}, ${countText(point.sampled_unused_chunks)} never touched`]] : []),
    ...(point.watched_freed ? [['Useful life without teardown', `${point.settled_lifetime.toFixed(2)} of ${chunksText(point.watched_freed)} that `
      + `${point.watched_freed === 1 ? 'was' : 'were'} watched, ${point.watched_useful_lifetime.toFixed(2)} with it; `
      + `${countText(point.torn_chunks)} last used before functions took them down`]] : []),
    ...(point.initialised_only_bytes ? [['Initialised only', `${bytesText(point.initialised_only_bytes)} of ${bytesText(point.initialised_bytes)} in `
      + `${chunksText(point.initialised_chunks)} that ${point.initialised_chunks === 1 ? 'was' : 'were'} looked at`]] : []),
    ...(point.reallocs ? [['Resized by realloc', `${countText(point.reallocs)} times, ${countText(point.reallocs_in_place)} of them in place: `
      + `${bytesText(point.realloc_grown_bytes)} more, ${bytesText(point.realloc_shrunk_bytes)} less, ${bytesText(point.realloc_moved_bytes)} moved`
      + (point.realloc_jump_to ? `; at most from ${bytesText(point.realloc_jump_from)} to ${bytesText(point.realloc_jump_to)}` : '')]] : []),
    ...(point.content_chunks ? [['Contents', `of ${chunksText(point.content_chunks)} ${countText(point.content_different)} different, `
      + `${countText(point.content_uniform_chunks)} of one byte only; ${bytesText(point.content_zero_bytes)} of ${bytesText(point.content_bytes)} are zero`]] : []),
    ...(point.pool ? [['Objects of the pool', point.pool]] : []),
    ...(point.block_chunks ? [['Cut up', `${chunksText(point.block_chunks)} of ${bytesText(point.block_bytes)} into ${countText(point.block_objects)} objects: `
      + `at most ${bytesText(point.block_most_bytes)} of them live at once, ${bytesText(point.block_mean_bytes)} on average; `
      + `${bytesText(point.block_idle_bytes)} idle at the end`]] : []),
  ];
  if (point.growth_length) {
    rows.push(['Growing run', `${countText(point.growth_length)} sizes, ${bytesText(point.growth_first)} to `
      + `${bytesText(point.growth_last)}, ${bytesText(point.growth_copied)} copied`]);
  }
  return el('dl', {class: 'numbers'}, rows.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
}

function stackList(point) {
  return el('ol', {class: 'stack', start: 0}, point.stack.map((frame) => (frame === null
    ? el('li', {class: 'note'}, 'frames left out')
    : el('li', {class: frame === point.site ? 'here' : frame.library ? 'library' : null},
      el('code', {}, frame.function), ' ', el('span', {class: 'place code'},
        frame.file ? `${frame.file}${lineText(frame)}${frame.column ? `:${frame.column}` : ''}`
          : frame.module ?? ''), frame.inlined ? el('span', {class: 'note'}, ' inlined') : null))));
}

// Sizes before and after realloc, the most frequent first.
function reallocPart({chunks, jumps, others}, estimated) {
  const most = Math.max(1, ...jumps.map(([, , count]) => count));
  const followed = jumps.reduce((total, [, , count]) => total + count, others);
  return el('section', {}, el('h3', {}, 'Resized by realloc'),
    el('p', {class: 'note'}, `${approx(estimated, chunksText(chunks))} of this point ended so`,
      followed < chunks ? `; what followed is known of ${countText(followed)}` : '', '.'),
    jumps.length === 0 ? null : el('table', {class: 'histogram jumps'},
      el('thead', {}, el('tr', {}, ['from', 'to', '', 'times'].map((label, i) => el('th',
        {scope: 'col', class: i === 2 ? null : 'number'}, label)))),
      el('tbody', {}, jumps.map(([from, to, count]) => el('tr', {}, el('td', {class: 'number'}, bytesText(from)),
        el('td', {class: 'number'}, `${to > from ? '↗' : to < from ? '↘' : '→'} ${bytesText(to)}`),
        el('td', {class: 'bar'}, el('i', {style: {width: `${100 * count / most}%`}})),
        el('td', {class: 'number'}, countText(count)))))),
    others ? el('p', {class: 'note'}, `${countText(others)} more, between other sizes.`) : null);
}

// The set of each chunk that is drawn, if there are any.
function bandsOfDrawn(model, point, state) {
  const parts = state.colour === 'sets' ? dividedByBoxes(model, {...state, filter: ''}) : null;
  const {indices} = point.drawing ?? {};
  if (!parts || !indices) return {parts: null, bandOf: null};
  const colour = (i) => parts.find(({points}) => {
    const part = points.find((p) => p.id === point.id);
    return part && (!part.found || part.found.includes(i));
  })?.colour ?? -1;
  return {parts, bandOf: (k) => colour(indices[k])};
}

function detail(model, points, point, state, isIn) {
  if (!point.isPart && state.colour === 'sets') point = {...point, drawing: wholeDrawing(model, point) ?? point.drawing};
  const {parts, bandOf} = bandsOfDrawn(model, point, state);
  const order = points.findIndex((p) => p.id === point.id);
  const step = (to) => (points[to] && !points[to].merged
    ? linkTo({point: String(points[to].id)}) : null);
  const histograms = [point.sizes && histogram('Sizes', point.sizes, bytesText, point.estimated),
    point.lifetimes && histogram('Lifetimes', point.lifetimes, (ticks) => durationText(ticks * point.nsPerTick),
      point.estimated)].filter(Boolean);
  return el('article', {class: 'detail'},
    el('nav', {class: 'steps', 'aria-label': 'points'}, el('a', {href: linkTo({point: ''})}, '← all points'),
      step(order - 1) ? el('a', {href: step(order - 1)}, 'previous') : null,
      step(order + 1) ? el('a', {href: step(order + 1)}, 'next') : null),
    el('h2', {}, severityMark(point), ' ', el('span', {class: 'code'}, siteName(point)), ' ',
      el('small', {class: 'code'}, placeText(point.site))),
    el('p', {}, 'Allocation point ', el('b', {}, `#${point.id}`), '; type ', el('code', {}, point.type ?? 'unknown'),
      point.provenance ? el('span', {class: 'note'}, ` (${PROVENANCES[point.provenance] ?? point.provenance})`) : null,
      model.processes.length < 2 ? '' : point.process === null ? '; of several processes'
        : `; process ${model.processes[point.process].pid}`),
    point.isPart ? el('p', {class: 'note part'}, `In part: ${approx(point.estimated, chunksText(point.chunks))} of `
      + `${approx(point.base.estimated, countText(point.base.chunks))} are in the set, and all numbers are theirs. Scores, inferences and resizes of a part `
      + 'are not known here: heapprof-score --filter has them. ', point.findings.length ? 'Findings are of all chunks of the point.' : '') : null,
    isIn ? null : el('p', {class: 'note of-all'}, 'The filter lets no chunk of this point pass: the numbers are of all its chunks.'),
    point.findings.map((f) => el('div', {class: `finding ${f.certain ? 'fact' : 'likely'}`},
      el('p', {class: 'finding-text'}, f.text), el('p', {class: 'remedy'}, el('b', {}, 'Do: '), f.remedy))),
    isUnseen(point) ? el('p', {class: 'note'}, 'Accesses not seen: code without hooks allocates these chunks, so that usage and useful '
      + 'life are not known. Build that code with heapprof, too.') : null,
    point.accesses_shared === 1 ? el('p', {class: 'note'}, 'Code that is not counted may have accessed these chunks, too: what is said of '
      + 'their accesses is likely.') : null,
    excerpt(model, point.site),
    el('div', {class: 'columns'},
      el('section', {}, el('h3', {}, 'Scores'), POINT_SCORES.map(([name, label]) => shareBar(point[name], label,
        name === 'lifetime' ? withError(point.estimated, point[name], null, scoreText) : isUnseen(point) ? UNSEEN
          : withError(point.estimated, point[name], point[SCORE_ERRORS[name]], (score) => seenText(point, score)))),
        el('p', {class: 'note'}, `1 is best. All three in one: severity ${approx(point.estimated, scoreText(point.severity))}.`),
        point.useful_lifetime_error > 0.05 ? el('p', {class: 'note'},
          `Useful life is known to ±${scoreText(point.useful_lifetime_error)} only.`) : null,
        el('h3', {}, 'Inferences'),
        el('ul', {class: 'inferences'}, point.inferences.filter((i) => i.chunks > 0).map((i) => el('li',
          {class: i.flagged ? 'flagged' : null}, `${i.flagged ? '● ' : '○ '}${i.text}: `,
          `${approx(point.estimated, chunksText(i.chunks))}, ${approx(point.estimated, bytesText(i.bytes))}`))),
        el('p', {class: 'note'}, '● holds for the point as a whole, ○ for some chunks')),
      el('section', {}, el('h3', {}, 'Numbers'), numbers(point))),
    el('section', {}, el('h3', {}, 'Call stack'), stackList(point)),
    point.drawing && point.drawing.drawn.length ? el('section', {}, el('h3', {}, 'Chunks over time'),
      el('div', {class: 'controls'}, boxSwitch(model, state, changeState)), chunkChart(model, point, bandOf), parts ? boxLegend(parts) : null)
      : el('p', {class: 'note'}, point.drawing ? 'The dump has no chunks of this point one by one.' : 'The chunks of this point are not in the report, to keep it small.'),
    histograms.length ? el('div', {class: 'columns'}, histograms) : null,
    point.jumps && reallocPart(point.jumps, point.estimated));
}

export function drawPoints(model, points, state) {
  const whole = state.point === '' ? null : model.byId.get(Number(state.point));
  const point = whole && (points.find((p) => p.id === whole.id) ?? whole);
  if (point) return [detail(model, sorted(points, state.sort, state.down === 'yes'), point, state, points.includes(point))];
  return [state.point === '' ? null : el('p', {class: 'note'}, `Point #${state.point} is not in this report.`),
    table(points, state)];
}
