// charts.js - drawings in SVG: usage over time, chunks as lives, histograms.
// Each says in words what it shows; what cannot be told by eye is in a title.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {boxLegend, colourClass} from './boxes.js';
import {el, svg} from './dom.js';
import {approx, bytesText, chunksText, countText, durationText, percentText} from './format.js';

const WIDTH = 1000; // units of a drawing's width, whatever the screen's

// ---- usage over time, stacked by type -----------------------------------------

const BANDS = 6;

// The types that hold most, and what is left of the whole.
function bandsOf(model, points, whole) {
  const {high} = model.timeline;
  const byType = new Map();
  for (const point of points) {
    if (!point.series) continue;
    const name = point.type ?? 'unknown type';
    if (!byType.has(name)) byType.set(name, high.map(() => 0));
    const series = byType.get(name);
    point.series.forEach((bytes, i) => { series[i] += bytes; });
  }
  const ranked = [...byType].map(([name, series]) => ({name, series, most: Math.max(...series)}))
    .filter((band) => band.most > 0).sort((a, b) => b.most - a.most);
  const bands = ranked.slice(0, BANDS);
  const known = high.map((_, i) => bands.reduce((total, b) => total + b.series[i], 0));
  const rest = high.map((bytes, i) => (whole ? bytes - known[i]
    : ranked.slice(BANDS).reduce((total, b) => total + b.series[i], 0)));
  if (rest.some((bytes) => bytes > 0)) bands.push({name: 'all others', series: rest, rest: true});
  return bands;
}

function areaOf(low, high, most, height) {
  const x = (i) => (i * WIDTH / high.length).toFixed(1);
  const y = (bytes) => (height - bytes / most * height).toFixed(1);
  const step = (i, value) => `${x(i)},${y(value)} ${x(i + 1)},${y(value)}`;
  const up = high.map((bytes, i) => step(i, bytes));
  const back = low.map((bytes, i) => `${x(i + 1)},${y(bytes)} ${x(i)},${y(bytes)}`).reverse();
  return `M${up.join(' ')} ${back.join(' ')}Z`;
}

// ---- resident memory beside it --------------------------------------------------

// The area is what was live, the line what was in memory of all processes, as often as was looked; null: nobody did.
export function residentChart(timeline) {
  const height = 160;
  const {high, resident} = timeline;
  if (!resident) return null;
  const most = Math.max(1, ...high, ...resident);
  const peak = resident.indexOf(Math.max(...resident));
  const y = (bytes) => (height - bytes / most * height).toFixed(1);
  let line = '';
  resident.forEach((bytes, i) => {
    if (bytes === null) return;
    const from = (i * WIDTH / high.length).toFixed(1), to = ((i + 1) * WIDTH / high.length).toFixed(1);
    line += `${line && resident[i - 1] !== null ? 'L' : 'M'}${from},${y(bytes)} L${to},${y(bytes)} `;
  });
  const caption = `Most resident: ${bytesText(resident[peak])}, at ${durationText(peak / high.length * timeline.length_ns)} about; `
    + `most live: ${approx(timeline.estimated, bytesText(Math.max(...high)))}`;
  return el('figure', {class: 'resident-figure'},
    el('figcaption', {}, caption),
    el('div', {class: 'axis'}, el('span', {}, bytesText(most)), el('span', {}, 'bytes in memory (line), bytes live (area)')),
    svg('svg', {viewBox: `0 0 ${WIDTH} ${height}`, preserveAspectRatio: 'none', class: 'timeline', role: 'img', 'aria-label': caption},
      svg('path', {d: areaOf(high.map(() => 0), high, most, height), class: 'band-0'}), svg('path', {d: line, class: 'resident-line'})),
    el('div', {class: 'axis'}, [0, 1, 2, 3, 4].map((quarter) => el('span', {},
      quarter ? durationText(quarter / 4 * timeline.length_ns) : '0'))));
}

// A band for each set, and one of what is in none.
function bandsOfBoxes(model, points, whole, parts) {
  const {high} = model.timeline;
  const bands = parts.map(({box, colour, points: some}) => ({name: box ? box.name : 'in no set', colour,
    series: high.map((_, i) => some.reduce((total, p) => total + (p.series ? p.series[i] : 0), 0))}));
  if (whole) {
    const known = high.map((_, i) => bands.reduce((total, band) => total + band.series[i], 0));
    const rest = high.map((bytes, i) => Math.max(0, bytes - known[i]));
    if (rest.some((bytes) => bytes > 0)) bands.push({name: 'of points without a history', colour: -2, rest: true, series: rest});
  }
  return bands;
}

// `at` is an interval; null: the peak.  onCursor hears where the cursor goes, onWindow what was dragged over, in
// nanoseconds; `shown` is such a window, or null.
export function timelineChart(model, points, at, onCursor, shown, onWindow, parts = null) {
  const height = 220;
  const {timeline} = model;
  const whole = points === model.points;
  const bands = parts ? bandsOfBoxes(model, points, whole, parts) : bandsOf(model, points, whole);
  const classOf = (band, i) => (parts ? colourClass(band.colour) : band.rest ? 'band-rest' : `band-${i}`);
  const isEstimate = points.some((p) => p.estimated) || parts?.some((part) => part.points.some((p) => p.estimated));
  const bandText = (text) => approx(isEstimate || model.estimated || timeline.estimated, text);
  // The whole is exact where the log is thinned, unless it is of several processes.
  const wholeText = (text) => approx((isEstimate && !whole) || model.estimated || (timeline.estimated && !(whole && model.processes.length === 1)), text);
  const total = timeline.high.map((_, i) => bands.reduce((bytes, band) => bytes + band.series[i], 0));
  const most = Math.max(1, ...total);
  const peak = total.indexOf(Math.max(...total));
  let below = total.map(() => 0);
  const areas = bands.map((band, i) => {
    const above = below.map((bytes, k) => bytes + band.series[k]);
    const area = svg('path', {d: areaOf(below, above, most, height), class: classOf(band, i)});
    below = above;
    return area;
  });
  const x = (ns) => Math.min(1, ns / Math.max(1, timeline.length_ns)) * WIDTH;
  const selected = shown && svg('rect', {x: x(shown[0]), y: 0, width: Math.max(1, x(shown[1]) - x(shown[0])), height,
    class: 'selected'});
  const half = svg('line', {x1: 0, x2: WIDTH, y1: height / 2, y2: height / 2, class: 'grid'});
  const cursor = svg('line', {y1: 0, y2: height, class: 'cursor'});
  const chart = svg('svg', {viewBox: `0 0 ${WIDTH} ${height}`, preserveAspectRatio: 'none', class: 'timeline', role: 'img',
    'aria-label': `Bytes live over ${durationText(timeline.length_ns)}; most ${wholeText(bytesText(most))}`}, areas, half, selected,
  cursor);
  const slider = el('input', {type: 'range', min: 0, max: total.length - 1, class: 'slider',
    'aria-label': 'Cursor on the time line'});
  const caption = el('caption');
  const cells = bands.map(() => [el('td', {class: 'number'}), el('td', {class: 'number'})]);
  const show = (i) => {
    slider.value = i;
    cursor.setAttribute('x1', (i + 0.5) * WIDTH / total.length);
    cursor.setAttribute('x2', (i + 0.5) * WIDTH / total.length);
    caption.textContent = `At ${durationText(timeline.instant_ns[i])}${i === peak ? ', the peak' : ''}: `
      + `${wholeText(bytesText(total[i]))} live${whole ? ` in ${wholeText(chunksText(timeline.chunks[i]))}` : ''}`
      + (timeline.estimated ? '; ~ are estimates from a part of the chunks' : '');
    bands.forEach((band, k) => {
      cells[k][0].textContent = bandText(bytesText(band.series[i]));
      cells[k][1].textContent = bandText(percentText(total[i] ? band.series[i] / total[i] : 0));
    });
  };
  const move = (i) => {
    show(i);
    onCursor(i);
  };
  slider.addEventListener('input', () => move(Number(slider.value)));
  const shareAt = (event) => {
    const box = chart.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  let from = null;
  chart.addEventListener('pointerdown', (event) => { from = shareAt(event); });
  chart.addEventListener('pointerup', (event) => {
    const to = shareAt(event);
    if (from !== null && Math.abs(to - from) > 0.01) {
      onWindow(Math.min(from, to) * timeline.length_ns, Math.max(from, to) * timeline.length_ns);
    } else move(Math.min(total.length - 1, Math.floor(to * total.length)));
    from = null;
  });
  show(at ?? peak);
  return el('figure', {class: 'timeline-figure'},
    el('div', {class: 'axis'}, el('span', {}, wholeText(bytesText(most))), el('span', {}, `bytes live, by ${parts ? 'set' : 'type'}`)),
    el('div', {class: 'plot'}, chart, el('span', {class: 'half'}, wholeText(bytesText(most / 2)))), slider,
    el('div', {class: 'axis'}, [0, 1, 2, 3, 4].map((quarter) => el('span', {},
      quarter ? durationText(quarter / 4 * timeline.length_ns) : '0'))),
    el('table', {class: 'readout'}, caption, el('tbody', {}, bands.map((band, i) => el('tr', {},
      el('td', {}, el('i', {class: `swatch ${classOf(band, i)}`})),
      el('td', {class: 'code'}, band.name), cells[i])))), parts ? boxLegend(parts) : null);
}

// ---- chunks as lives ------------------------------------------------------------

// `bandOf` gives the colour of the set of a drawn chunk; null: no colours of sets.
export function chunkChart(model, point, bandOf = null) {
  const {drawn, logged} = point.drawing;
  const length = Math.max(1, model.timeline.length_ns);
  const begin = Math.min(...drawn.map(([t0]) => t0));
  const end = Math.max(...drawn.map(([t0, life]) => t0 + life), begin + 1);
  const row = 7;
  const x = (ns) => (ns - begin) / (end - begin) * WIDTH;
  const most = Math.max(1, ...drawn.map((chunk) => chunk[4]));
  const lives = drawn.map(([t0, life, first, last, size, reads, writes, live], i) => {
    const y = i * row;
    const title = `${bytesText(size)}, lives ${durationText(life)}${live ? ' (never freed)' : ''}, `
      + (first === null ? 'never accessed' : `first access after ${durationText(first)}, last after ${durationText(last)}, `
        + `${countText(reads)} reads, ${countText(writes)} writes`);
    return svg('g', {}, svg('title', {}, title),
      svg('rect', {x: x(t0), y: y + 1, width: Math.max(2, x(t0 + life) - x(t0)), height: row - 2, class: bandOf ? `of-set ${colourClass(bandOf(i))}` : 'life',
        'fill-opacity': (0.25 + 0.75 * size / most).toFixed(2)}),
      first === null ? null : svg('rect', {x: x(t0 + first), y, width: 2, height: row, class: 'first'}),
      first === null ? null : svg('rect', {x: Math.max(x(t0 + last) - 2, x(t0)), y, width: 2, height: row, class: 'last'}));
  });
  return el('figure', {},
    svg('svg', {viewBox: `0 0 ${WIDTH} ${drawn.length * row}`, preserveAspectRatio: 'none', class: 'lives', role: 'img',
      style: {height: `${drawn.length * row}px`}, 'aria-label': `${drawn.length} chunks, one a row`}, lives),
    el('div', {class: 'axis'}, el('span', {}, durationText(begin)), el('span', {}, durationText(end))),
    el('figcaption', {}, `Each row is a chunk, from its allocation to its free. `,
      el('i', {class: 'swatch first'}), ' first access, ', el('i', {class: 'swatch last'}), ' last access; darker is larger. ',
      drawn.length < point.chunks
        ? `${countText(drawn.length)} of ${approx(point.estimated, countText(point.chunks))} chunks are drawn, evenly chosen`
          + (logged < point.chunks ? ` from the ${countText(logged)} in the log. ` : '. ') : '',
      `The axis is ${percentText((end - begin) / length)} of the run.`));
}

// ---- histograms by powers of two ------------------------------------------------

// `buckets`: pairs of a number of bits and a count.
export function histogram(title, buckets, unitText, estimated) {
  const counts = new Map();
  for (let i = 0; i < buckets.length; i += 2) counts.set(buckets[i], buckets[i + 1]);
  if (counts.size === 0) return null;
  const bits = [...counts.keys()];
  const most = Math.max(...counts.values());
  const rows = [];
  for (let b = Math.min(...bits); b <= Math.max(...bits); b++) {
    const count = counts.get(b) ?? 0;
    const range = b === 0 ? '0' : b === 1 ? unitText(1) : `${unitText(2 ** (b - 1))} – ${unitText(2 ** b - 1)}`;
    rows.push(el('tr', {}, el('td', {class: 'number'}, range),
      el('td', {class: 'bar'}, el('i', {style: {width: `${100 * count / most}%`}})),
      el('td', {class: 'number'}, approx(estimated, countText(count)))));
  }
  return el('table', {class: 'histogram'}, el('caption', {}, title), el('tbody', {}, rows));
}

export function shareBar(share, label, text = percentText(share)) {
  return el('div', {class: 'share'}, el('span', {class: 'share-label'}, label),
    el('span', {class: 'share-bar'}, el('i', {style: {width: `${Math.min(100, 100 * (share ?? 0))}%`}})),
    el('span', {class: 'share-number'}, text));
}

