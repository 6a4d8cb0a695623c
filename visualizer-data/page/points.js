// points.js - all allocation points in a table, and one of them in full.
// A row of merged points has sums only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {chunkChart, histogram, shareBar} from './charts.js';
import {el} from './dom.js';
import {excerpt} from './excerpt.js';
import {bytesText, chunksText, countText, durationText, NOTHING, placeText, scoreText} from './format.js';
import {severityMark} from './severity.js';
import {changeState, linkTo} from './state.js';

const PAGE = 200; // rows that are drawn at once
const POINT_SCORES = [['lifetime', 'lifetime'], ['usage', 'usage'], ['useful_lifetime', 'useful life']];

// Scores sort worst first, numbers most first.
const COLUMNS = [
  {key: 'severity', label: 'Severity', up: true, show: (p) => severityMark(p)},
  {key: 'site', label: 'Site', up: true, of: (p) => p.site?.function ?? '', show: (p) => siteCell(p)},
  {key: 'type', label: 'Type', up: true, of: (p) => p.type ?? '\uffff', show: (p) => p.type ?? NOTHING, class: 'code'},
  {key: 'chunks', label: 'Chunks', show: (p) => countText(p.chunks), class: 'number'},
  {key: 'bytes', label: 'Bytes', show: (p) => bytesText(p.bytes), class: 'number'},
  {key: 'peak_bytes', label: 'Own peak', show: (p) => bytesText(p.peak_bytes), class: 'number'},
  {key: 'bytes_at_global_peak', label: 'At the peak', show: (p) => bytesText(p.bytes_at_global_peak), class: 'number'},
  {key: 'live_bytes', label: 'Live at end', show: (p) => bytesText(p.live_bytes), class: 'number'},
  {key: 'lifetime', label: 'Lifetime', up: true, show: (p) => scoreText(p.lifetime), class: 'number'},
  {key: 'usage', label: 'Usage', up: true, show: (p) => scoreText(p.usage), class: 'number'},
  {key: 'useful_lifetime', label: 'Useful life', up: true, show: (p) => inexact(p), class: 'number'},
  {key: 'flags', label: 'Flags', of: (p) => p.flags.length, show: (p) => p.flags.join(' ').replaceAll('_', '-')},
];

function inexact(point) {
  return `${point.useful_lifetime_error > 0.05 && point.useful_lifetime !== null ? '~' : ''}`
    + scoreText(point.useful_lifetime);
}

function siteName(point) {
  return point.site ? point.site.name : 'unknown place';
}

// The caller tells apart what comes out of one wrapper of malloc.
function siteCell(point) {
  const caller = point.merged ? null : point.stack[point.stack.indexOf(point.site) + 1];
  const name = [el('b', {class: 'code'}, siteName(point)), ' ', el('span', {class: 'code place'}, placeText(point.site),
    caller ? ` ← ${caller.name}` : '')];
  return point.merged ? [name, el('span', {class: 'note'}, ` ${countText(point.points)} points merged`)]
    : el('a', {href: linkTo({point: String(point.id)})}, name);
}

function sorted(points, key, down) {
  const column = COLUMNS.find((c) => c.key === key) ?? COLUMNS[0];
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
  const body = el('tbody');
  const more = el('button', {class: 'more'});
  let shown = 0;
  const grow = () => {
    for (const point of rows.slice(shown, shown + PAGE)) {
      body.append(el('tr', {'data-point': point.id}, COLUMNS.map((c) => el('td', {class: c.class}, c.show(point)))));
    }
    shown = Math.min(rows.length, shown + PAGE);
    more.textContent = `${countText(rows.length - shown)} more rows`;
    more.hidden = shown === rows.length;
  };
  more.addEventListener('click', grow);
  grow();
  const heads = COLUMNS.map((c) => {
    const current = state.sort === c.key;
    const upwards = Boolean(c.up) !== (state.down === 'yes');
    return el('th', {scope: 'col', 'aria-sort': current ? (upwards ? 'ascending' : 'descending') : null, class: c.class},
      el('button', {onclick: () => changeState({sort: c.key, down: current && state.down === '' ? 'yes' : ''})},
        c.label, current ? (upwards ? ' ▲' : ' ▼') : ''));
  });
  return [el('div', {class: 'scroll'}, el('table', {class: 'points'}, el('thead', {}, el('tr', {}, heads)), body)), more];
}

// ---- one point ------------------------------------------------------------------

function numbers(point) {
  const rows = [
    ['Chunks', countText(point.chunks)], ['Bytes in all', bytesText(point.bytes)],
    ['Own peak', bytesText(point.peak_bytes)], ['At the global peak', bytesText(point.bytes_at_global_peak)],
    ['Live at the end', `${chunksText(point.live_chunks)}, ${bytesText(point.live_bytes)}`],
    ['Size', `${bytesText(point.size_min)} to ${bytesText(point.size_max)}, mean ${bytesText(point.size_mean)}`],
    ['Lifetime', point.lifetime_ns_mean === null ? NOTHING : `${durationText(point.lifetime_ns_min)} to `
      + `${durationText(point.lifetime_ns_max)}, mean ${durationText(point.lifetime_ns_mean)}`],
    ['In use', `from ${durationText(point.first_ns)} to ${durationText(point.last_ns)}`],
    ...(point.threads.length ? [['Allocated by', `thread${point.threads.length > 1 ? 's' : ''} ${point.threads.join(', ')}`]] : []),
    ['Reads, writes', `${point.counts_saturated ? '≥ ' : ''}${countText(point.reads)}, ${countText(point.writes)}`],
    ['Bytes accessed', bytesText(point.bytes_accessed)],
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
        frame.file ? `${frame.file}${frame.line ? `:${frame.line}` : ''}${frame.column ? `:${frame.column}` : ''}`
          : frame.module ?? ''), frame.inlined ? el('span', {class: 'note'}, ' inlined') : null))));
}

function detail(model, points, point) {
  const order = points.indexOf(point);
  const step = (to) => (points[to] && !points[to].merged
    ? linkTo({point: String(points[to].id)}) : null);
  const histograms = [point.sizes && histogram('Sizes', point.sizes, bytesText),
    point.lifetimes && histogram('Lifetimes', point.lifetimes, (ticks) => durationText(ticks * point.nsPerTick))].filter(Boolean);
  return el('article', {class: 'detail'},
    el('nav', {class: 'steps', 'aria-label': 'points'}, el('a', {href: linkTo({point: ''})}, '← all points'),
      step(order - 1) ? el('a', {href: step(order - 1)}, 'previous') : null,
      step(order + 1) ? el('a', {href: step(order + 1)}, 'next') : null),
    el('h2', {}, severityMark(point), ' ', el('span', {class: 'code'}, siteName(point)), ' ',
      el('small', {class: 'code'}, placeText(point.site))),
    el('p', {}, 'Allocation point ', el('b', {}, `#${point.id}`), '; type ', el('code', {}, point.type ?? 'unknown'),
      point.provenance ? el('span', {class: 'note'}, ` (by ${point.provenance})`) : null,
      model.processes.length < 2 ? '' : point.process === null ? '; of several processes'
        : `; process ${model.processes[point.process].pid}`),
    point.findings.map((f) => el('div', {class: `finding ${f.certain ? 'fact' : 'likely'}`},
      el('p', {class: 'finding-text'}, f.text), el('p', {class: 'remedy'}, el('b', {}, 'Do: '), f.remedy))),
    excerpt(model, point.site),
    el('div', {class: 'columns'},
      el('section', {}, el('h3', {}, 'Scores'), POINT_SCORES.map(([name, label]) => shareBar(point[name], label, scoreText(point[name]))),
        point.useful_lifetime_error > 0.05 ? el('p', {class: 'note'},
          `Useful life is known to ±${scoreText(point.useful_lifetime_error)} only.`) : null,
        el('h3', {}, 'Inferences'),
        el('ul', {class: 'inferences'}, point.inferences.filter((i) => i.chunks > 0).map((i) => el('li',
          {class: i.flagged ? 'flagged' : null}, `${i.flagged ? '● ' : '○ '}${i.text}: `,
          `${chunksText(i.chunks)}, ${bytesText(i.bytes)}`))),
        el('p', {class: 'note'}, '● holds for the point as a whole, ○ for some chunks')),
      el('section', {}, el('h3', {}, 'Numbers'), numbers(point))),
    el('section', {}, el('h3', {}, 'Call stack'), stackList(point)),
    point.drawing && point.drawing.drawn.length ? el('section', {}, el('h3', {}, 'Chunks over time'), chunkChart(model, point))
      : el('p', {class: 'note'}, point.drawing ? 'The dump has no chunks of this point one by one.' : 'The chunks of this point are not in the report, to keep it small.'),
    histograms.length ? el('div', {class: 'columns'}, histograms) : null);
}

export function drawPoints(model, points, state) {
  const point = state.point === '' ? null : model.byId.get(Number(state.point));
  if (point) return [detail(model, sorted(points, state.sort, state.down === 'yes'), point)];
  return [state.point === '' ? null : el('p', {class: 'note'}, `Point #${state.point} is not in this report.`),
    table(points, state)];
}
