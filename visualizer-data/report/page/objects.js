// objects.js - allocation objects: how often chunks of one size, allocator and freer are made, against how long they live.
// The same objects, clusters and verdicts as heapprof-score --by object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {clamped, el, growing, svg} from './dom.js';
import {approx, bytesText, countedText, countText, durationText, NOTHING, placeText} from './format.js';
import {linkTo} from './state.js';

const PLOT = {width: 640, height: 440, left: 64, right: 26, top: 14, bottom: 46};
const MARK = 5; // half of a mark's width
const CLUSTER_SHAPES = [
  (x, y) => svg('circle', {cx: x, cy: y, r: MARK}),
  (x, y) => svg('rect', {x: x - MARK + 0.5, y: y - MARK + 0.5, width: 2 * MARK - 1, height: 2 * MARK - 1}),
  (x, y) => svg('path', {d: `M${x - MARK} ${y + MARK - 1}H${x + MARK}L${x} ${y - MARK}Z`}),
  (x, y) => svg('path', {d: `M${x - MARK} ${y}L${x} ${y - MARK}L${x + MARK} ${y}L${x} ${y + MARK}Z`}),
];
const CLUSTER_CLASSES = ['band-0', 'band-1', 'band-2', 'band-3'];

function readObjects(model) {
  const {objects} = model.doc;
  const frame = (number) => (number === null ? null : model.frames[number]);
  return objects.size.map((size, i) => ({
    size, allocator: frame(objects.allocated_by[i]), freer: frame(objects.freed_by[i]),
    others: Boolean(objects.freed_by_others_too[i]), reallocated: Boolean(objects.reallocated[i]),
    frequency: objects.frequency[i], life: objects.mean_lifetime_ns[i], ratio: objects.ratio[i],
    cluster: objects.cluster[i], outlier: Boolean(objects.outlier[i]), ids: objects.points[i],
  }));
}

// The largest of its points that the report shows one by one.
function pointOf(model, object) {
  return object.ids.map((id) => model.byId.get(id)).filter(Boolean).sort((a, b) => b.chunks - a.chunks)[0] ?? null;
}

const siteText = (frame) => (frame ? `${frame.name} ${placeText(frame)}` : 'unknown');
const freerText = (object) => `${object.others ? '~ ' : ''}${siteText(object.freer)}`;
const sizeText = (object) => (object.size === null ? 'other sizes' : bytesText(object.size));
const ratioText = (ratio) => (ratio === null ? NOTHING : ratio >= 1000 ? countText(ratio) : String(Number(ratio.toPrecision(3))));
const partText = (part, whole) => `${countText(part)} of ${countedText(whole, 'object')}`;

// ---- clusters have a letter, most frequent first, and a name ----------------------

function clustersOf(objects, verdict) {
  const clusters = Array.from({length: verdict.clusters}, (_, number) => {
    const members = objects.filter((o) => o.cluster === number);
    const mean = (of) => members.reduce((total, o) => total + of(o), 0) / Math.max(1, members.length);
    return {number, count: members.length, frequency: mean((o) => o.frequency), life: mean((o) => o.life),
      excessive: verdict.cluster === number};
  }).filter((c) => c.count).sort((a, b) => b.frequency - a.frequency);
  const lives = clusters.map((c) => c.life);
  const often = (i) => (i === 0 ? 'most frequent' : i === clusters.length - 1 ? 'rarest' : 'less frequent');
  const long = (life) => (life === Math.min(...lives) ? 'shortest lives' : life === Math.max(...lives) ? 'longest lives' : 'longer lives');
  clusters.forEach((c, i) => {
    c.index = i;
    c.letter = String.fromCharCode(65 + i);
    c.name = clusters.length < 2 ? 'all' : `${often(i)}, ${long(c.life)}`;
  });
  return new Map(clusters.map((c) => [c.number, c]));
}

function markAt(cluster, x, y) {
  const mark = CLUSTER_SHAPES[(cluster?.index ?? 0) % CLUSTER_SHAPES.length](x, y);
  mark.setAttribute('class', `object-mark ${cluster ? CLUSTER_CLASSES[cluster.index % CLUSTER_CLASSES.length] : 'unclustered'}`);
  return mark;
}

function markOf(cluster) {
  return svg('svg', {viewBox: '-7 -7 14 14', class: 'object-key', 'aria-hidden': 'true'}, markAt(cluster, 0, 0));
}

// ---- the diagram ------------------------------------------------------------------

function decadeText(power) {
  const unit = Math.min(3, Math.floor(Math.max(0, power) / 3));
  return `${10 ** (power - 3 * unit)} ${['ns', 'µs', 'ms', 's'][unit]}`;
}

// A range of whole powers of ten; what is 0 or less, as no clock says, lies at its lower end.
function decadesOf(values) {
  const logs = values.filter((v) => v > 0).map(Math.log10);
  const low = logs.length ? Math.floor(Math.min(...logs)) : 0;
  const high = logs.length ? Math.ceil(Math.max(...logs)) : 1;
  return {low, high: Math.max(low + 1, high)};
}

function drawGrid(x, y, lives, times) {
  const {left, right, top, bottom, width, height} = PLOT;
  const powers = ({low, high}) => Array.from({length: high - low + 1}, (_, i) => low + i);
  const every = Math.ceil((lives.high - lives.low) / 8);
  return [
    powers(lives).map((p) => [svg('line', {x1: x(10 ** p), x2: x(10 ** p), y1: top, y2: height - bottom, class: 'grid'}),
      (p - lives.low) % every ? null : svg('text', {x: x(10 ** p), y: height - bottom + 16, class: 'tick middle'}, decadeText(p))]),
    powers(times).map((p) => [svg('line', {x1: left, x2: width - right, y1: y(10 ** p), y2: y(10 ** p), class: 'grid'}),
      svg('text', {x: left - 6, y: y(10 ** p) + 4, class: 'tick end'}, countText(10 ** p).replace('.00', ''))]),
    svg('text', {x: (left + width - right) / 2, y: height - 8, class: 'tick middle'}, 'mean lifetime'),
    svg('text', {x: 14, y: (top + height - bottom) / 2, class: 'tick middle',
      transform: `rotate(-90 14 ${(top + height - bottom) / 2})`}, 'frequency'),
  ];
}

// Above it is what is an outlier: a line of one ratio rises by a decade in a decade.
function drawBound(x, y, lives, times, bound) {
  if (!(bound > 0)) return null;
  const lifeAt = (power) => power - Math.log10(bound) + 6; // of a frequency, both as logarithms; ns to ms
  const from = Math.max(lives.low, lifeAt(times.low));
  const to = Math.min(lives.high, lifeAt(times.high));
  if (from >= to) return null;
  return svg('line', {x1: x(10 ** from), x2: x(10 ** to), y1: y(10 ** (from - lifeAt(0))), y2: y(10 ** (to - lifeAt(0))),
    class: 'object-bound'}, svg('title', {}, `R = ${ratioText(bound)}: what lies above is an outlier`));
}

function objectChart(model, objects, clusters, about) {
  const {left, right, top, bottom, width, height} = PLOT;
  const lives = decadesOf(objects.map((o) => o.life));
  const times = decadesOf(objects.map((o) => o.frequency));
  const along = (value, {low, high}) => (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low);
  const x = (life) => left + along(life, lives) * (width - left - right);
  const y = (frequency) => height - bottom - along(frequency, times) * (height - top - bottom);
  // The frequent ones are drawn last, so that they lie on top.
  const marks = [...objects].reverse().map((o) => {
    const point = pointOf(model, o);
    const mark = markAt(clusters.get(o.cluster), x(o.life), y(o.frequency));
    if (o.outlier) mark.classList.add('outlier');
    mark.append(svg('title', {}, `${sizeText(o)}, ${siteText(o.allocator)} → ${freerText(o)}: ${about(countText(o.frequency))} times, `
      + `${about(durationText(o.life))} on average`));
    return point ? svg('a', {href: linkTo({view: 'points', point: String(point.id)}), tabindex: -1}, mark) : mark;
  });
  return svg('svg', {viewBox: `0 0 ${width} ${height}`, class: 'object-chart', role: 'group',
    'aria-label': `${countedText(objects.length, 'allocation object')}: frequency against mean lifetime, both logarithmic`},
  drawGrid(x, y, lives, times), drawBound(x, y, lives, times, model.doc.objects.iqr.bound), marks);
}

// ---- in words ---------------------------------------------------------------------

function outlierWords({verdict, objects, members, bound, q1, q3, mu}) {
  if (verdict === 'undetermined') return `undetermined, of ${countedText(objects, 'object')}: quartiles need 4.`;
  return `${verdict}; ${partText(members, objects)} ${members === 1 ? 'has' : 'have'} R above ${ratioText(bound)} = Q3 + ${mu} IQR `
    + `(Q1 ${ratioText(q1)}, Q3 ${ratioText(q3)}).`;
}

function clusterWords(verdict, clusters) {
  const {objects, members} = verdict;
  if (verdict.verdict === 'undetermined') {
    return `undetermined, of ${countedText(objects, 'object')}: ${verdict.clusters < 2 ? 'they make no two clusters.'
      : 'two clusters are equally extreme.'}`;
  }
  if (verdict.verdict === 'not found') {
    return `not found, of ${countedText(objects, 'object')} in ${verdict.clusters} clusters: the most frequent cluster is not the one `
      + 'that lives shortest.';
  }
  return `found; ${partText(members, objects)}, cluster ${clusters.get(verdict.cluster)?.letter ?? NOTHING}, `
    + `${members === 1 ? 'is the most frequent and lives' : 'are the most frequent and live'} shortest.`;
}

function objectVerdicts(doc, clusters) {
  return el('dl', {class: 'verdicts'},
    el('dt', {}, 'Excessive by outliers'), el('dd', {'data-verdict': 'iqr'}, outlierWords(doc.iqr)),
    el('dt', {}, 'Excessive by clusters'), el('dd', {'data-verdict': 'clusters'}, clusterWords(doc.clusters, clusters)));
}

function clusterLegend(clusters, about) {
  return el('ul', {class: 'cluster-legend'}, [...clusters.values()].map((c) => el('li', {'data-cluster': c.letter}, markOf(c), ' ',
    el('b', {}, c.letter), ` ${c.name}${c.excessive ? ', excessive' : ''}: ${about(countText(c.count))} object${c.count === 1 ? '' : 's'}, `
      + `each ${about(countText(c.frequency))} times and ${about(durationText(c.life))} on average`)));
}

// ---- the table --------------------------------------------------------------------

const OBJECT_HEADS = [['Cluster', 'letter as in the diagram; ▲ an outlier'], ['Allocated by', 'and the point it leads to'],
  ['Freed by', 'behind ~ it frees some of them; others are not known'], ['Size'], ['Times', 'chunks that ended: the frequency F'],
  ['Mean life', 'L'], ['R', 'F / L, with L in milliseconds']];

function objectRow(model, object, clusters, about) {
  const point = pointOf(model, object);
  const cluster = clusters.get(object.cluster);
  const site = [el('b', {class: 'code'}, clamped(object.allocator?.name ?? 'unknown')), ' ', el('span', {class: 'code place'}, placeText(object.allocator))];
  const number = (text) => el('td', {class: 'number'}, text);
  return el('tr', {'data-object': point?.id ?? ''},
    el('td', {class: 'flag'}, markOf(cluster), ` ${cluster?.letter ?? NOTHING}${object.outlier ? ' ▲' : ''}`),
    el('td', {}, point ? el('a', {href: linkTo({view: 'points', point: String(point.id)}),
      title: `point #${point.id}${object.ids.length > 1 ? `, the largest of ${countText(object.ids.length)}` : ''}`}, site) : site),
    el('td', {}, object.others ? '~ ' : '', el('span', {class: 'code'}, clamped(object.freer?.name ?? 'unknown')), ' ',
      el('span', {class: 'code place'}, placeText(object.freer), object.reallocated ? ' by realloc' : '')),
    number(object.size === null ? 'others' : bytesText(object.size)), number(about(countText(object.frequency))),
    number(about(durationText(object.life))), number(about(ratioText(object.ratio))));
}

function objectTable(model, objects, clusters, about, caption) {
  const body = el('tbody');
  const more = growing(body, objects, (object) => objectRow(model, object, clusters, about));
  return el('div', {}, el('div', {class: 'scroll'}, el('table', {class: 'objects'}, el('caption', {}, caption),
    el('thead', {}, el('tr', {}, OBJECT_HEADS.map(([label, help], i) => el('th', {scope: 'col', title: help,
      class: i > 2 ? 'number' : null}, label)))), body)), more);
}

export function drawObjects(model, points) {
  const {doc} = model;
  const all = readObjects(model);
  const passing = new Set(points.map((p) => p.id));
  const objects = points === model.points ? all
    : all.filter((o) => o.ids.some((id) => passing.has(id)));
  const clusters = clustersOf(all, doc.objects.clusters);
  const about = (text) => approx(model.estimated, text);
  const unknown = doc.objects.freed_nobody_knows_where;
  const left = doc.objects.count - all.length;
  const caption = `${countText(objects.length)} of ${countedText(doc.objects.count, 'object')}, the most frequent first`
    + (left ? `; ${countText(left)} ${left === 1 ? 'is' : 'are'} left out to keep the page small` : '');
  return [el('section', {'aria-labelledby': 'objects-title'}, el('h2', {id: 'objects-title'}, 'Allocation objects'),
    el('p', {class: 'lead'}, 'An object is all chunks of one size that one caller allocated and one caller freed. What is made very '
      + 'often and lives very shortly lies at the top left: its chunks could be kept, or live on the stack.'),
    objectVerdicts(doc.objects, clusters),
    points.some((p) => p.isPart) ? el('p', {class: 'note of-all'}, 'The filter chooses single chunks. Objects are those that have a point among what '
      + 'passes, and their numbers are of all their chunks.') : null,
    objects.length === 0 ? el('p', {class: 'note'}, all.length ? 'The filter lets none pass.'
      : 'None: no chunk was freed, or the dump does not say where.')
      : el('div', {class: 'objects-view'}, el('figure', {}, objectChart(model, objects, clusters, about), clusterLegend(clusters, about),
        el('figcaption', {}, 'A click leads to the point. Outliers have a strong rim',
          doc.objects.iqr.bound > 0 ? ' and lie above the dashed line, of the ratio that is their bound.' : '.')),
      objectTable(model, objects, clusters, about, caption)),
    unknown ? el('p', {class: 'note'}, `${about(countText(unknown))} chunks more were freed, nobody knows where.`) : null)];
}
