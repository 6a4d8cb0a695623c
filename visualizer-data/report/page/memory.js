// memory.js - the address map: a cell for so many bytes of the heap, at the moments that a slider goes through.
// The same numbers as heapprof-score --map; larger cells are made here, of those that the document has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {colourClass, dividedByBoxes} from './boxes.js';
import {el} from './dom.js';
import {bytesText, chunksText, countText, durationText, NOTHING, percentText, placeText} from './format.js';
import {changeState, linkTo, rememberState} from './state.js';

const PAINTS = {type: 'type', point: 'allocation point', age: 'age', share: 'share of its bytes', sets: 'set'};
const MAP_ROW = 64; // cells
const MAP_BANDS = 6;
const MERGES = [1, 2, 4, 8, 16, 32, 64];

// ---- cells as they are shown -------------------------------------------------------

// Of the document's cells, FACTOR of a stretch together: a list for each stretch, null where nothing is.
function cellsAt(map, moment, factor) {
  const known = new Map(moment.cells.map(([number, chunks, live, taken, point, begun]) => [number, {chunks, live, taken, point, begun}]));
  return map.stretches.map((stretch) => Array.from({length: Math.ceil(stretch.cells / factor)}, (_, i) => {
    const parts = [];
    for (let k = i * factor; k < Math.min((i + 1) * factor, stretch.cells); k++) {
      const part = known.get(stretch.first_cell + k);
      if (part) parts.push(part);
    }
    return parts.length ? joinCells(parts) : null;
  }));
}

// A chunk that lies in several of them is counted for each: how many there are at most.
function joinCells(parts) {
  const total = (of) => parts.reduce((all, part) => all + of(part), 0);
  const live = total((p) => p.live);
  const points = new Map();
  for (const {point, live: bytes} of parts) if (point) points.set(point, (points.get(point) ?? 0) + bytes);
  const [point] = [...points].reduce((most, one) => (most === null || one[1] > most[1] ? one : most), null) ?? [0];
  return {chunks: total((p) => p.chunks), live, taken: total((p) => p.taken), point, joined: parts.length > 1,
    begun: live ? total((p) => p.live * p.begun) / live : parts[0].begun};
}

function ownerOf(model, id, paint) {
  const point = model.byId.get(id);
  if (paint === 'point') return point ? `${point.site?.name ?? 'unknown'} ${placeText(point.site)} #${id}` : `point #${id}`;
  return point?.typeName ?? point?.type ?? 'type not known';
}

// Who has most of all moments first: a colour each, as far as there are some.
function ownersOf(model, map, paint) {
  const bytes = new Map();
  for (const {cells} of map.moments) {
    for (const [, , live, , point] of cells) {
      if (!point) continue;
      const owner = ownerOf(model, point, paint);
      bytes.set(owner, (bytes.get(owner) ?? 0) + live);
    }
  }
  return [...bytes].sort((a, b) => b[1] - a[1]).map(([owner]) => owner);
}

// The class of the cells of a point: its set's, if all its chunks are in one.
function boxesOfPoints(model, state) {
  const parts = dividedByBoxes(model, {...state, filter: ''}) ?? [];
  const colours = new Map();
  for (const {colour, points} of parts) {
    for (const {id, isPart} of points) colours.set(id, colours.has(id) || isPart ? null : colour);
  }
  return {parts, boxClass: (id) => {
    const colour = colours.get(id);
    return colour === null ? 'mixed' : colourClass(colour ?? -1);
  }};
}

// ---- drawing -----------------------------------------------------------------------

function cellElement(view, cell, region, index) {
  const {model, paint, owners, moment, bytes, passing, filtered} = view;
  if (!cell) return el('i', {class: region.apart ? 'cell unmapped' : 'cell hole', 'data-cell': index});
  if (!cell.chunks) return el('i', {class: 'cell slot', 'data-cell': index});
  const dim = filtered && !passing.has(cell.point) ? ' dim' : '';
  if (paint === 'sets') return el('i', {class: `cell ${view.boxClass(cell.point)}${dim}`, 'data-cell': index});
  if (paint === 'share' || paint === 'age') {
    const share = paint === 'share' ? cell.live / bytes : 1 - cell.begun / Math.max(1, moment.at_ns);
    const depth = Math.round(15 + 85 * Math.min(1, Math.max(0, share)));
    return el('i', {class: `cell depth${dim}`, 'data-cell': index, style: {'--depth': `${depth}%`}});
  }
  const band = owners.indexOf(ownerOf(model, cell.point, paint));
  return el('i', {class: `cell band-${band < 0 || band >= MAP_BANDS ? 'rest' : band}${dim}`, 'data-cell': index});
}

const addressText = (begin, offset) => `0x${(BigInt(begin) + BigInt(offset)).toString(16)}`;

// Rows of a stretch; those without a chunk, and unlike their neighbours, are one line.
function stretchRows(view, stretch, cells, region, shown) {
  const rows = [];
  let empty = 0;
  const say = () => {
    if (empty) rows.push(el('p', {class: 'gap'}, `… ${bytesText(empty * MAP_ROW * view.bytes)} without a chunk`));
    empty = 0;
  };
  for (let from = 0; from < cells.length; from += MAP_ROW) {
    const row = cells.slice(from, from + MAP_ROW);
    if (row.length === MAP_ROW && row.every((cell) => cell === null)) {
      empty++;
      continue;
    }
    say();
    rows.push(el('div', {class: 'cell-row'}, el('span', {class: 'code address'}, addressText(stretch.begin, from * view.bytes)),
      el('span', {class: 'cells'}, row.map((cell, i) => {
        shown.push({cell, address: addressText(stretch.begin, (from + i) * view.bytes), region});
        return cellElement(view, cell, region, shown.length - 1);
      }))));
  }
  say();
  return rows;
}

function useText(use) {
  return `${chunksText(use.chunks)}, ${bytesText(use.live_bytes)} live in ${bytesText(use.mapped_bytes)} mapped: utilisation ${
    percentText(use.utilisation)}, fragmentation ${percentText(use.fragmentation)} (internal ${percentText(use.internal)}, external ${
    percentText(use.external)})`;
}

function regionElement(view, number, all, shown) {
  const {map, moment} = view;
  const region = map.regions[number];
  const use = moment.regions[number];
  let behind = null;
  const rows = map.stretches.map((stretch, i) => {
    if (stretch.region !== number) return null;
    const gap = behind === null ? 0 : Number(BigInt(stretch.begin) - behind);
    behind = BigInt(stretch.begin) + BigInt(stretch.cells * map.cell_bytes);
    return [gap > 0 ? el('p', {class: 'gap'}, `… ${bytesText(gap)} of addresses left out`) : null,
      stretchRows(view, stretch, all[i], region, shown)];
  });
  return el('section', {class: 'map-region', 'data-region': number},
    el('h3', {}, `Slots of ${bytesText(region.slot_bytes)}`, region.apart ? ', mapped one by one' : ''),
    el('p', {class: 'note'}, useText(use)), rows);
}

function describeCell({model, moment, bytes}, {cell, address, region}) {
  const where = [el('b', {class: 'code'}, address), `, ${bytesText(bytes)}: `];
  if (!cell) return [where, region.apart ? 'no chunk, not mapped' : 'no chunk: a hole, or not used yet'];
  const point = model.byId.get(cell.point);
  const site = point ? [', most of it by ', el('span', {class: 'code'}, `${point.site?.name ?? 'unknown'} ${placeText(point.site)}`),
    point.type ? ` (${point.typeName ?? point.type})` : ''] : '';
  return [where, cell.chunks ? `${cell.joined ? 'at most ' : ''}${chunksText(cell.chunks)}, ${bytesText(cell.live)} requested` : 'the rest of a slot',
    site, cell.chunks ? `, begun ${durationText(Math.max(0, moment.at_ns - cell.begun))} before` : ''];
}

function mapLegend(view) {
  const {paint, owners} = view;
  const entry = (mark, text) => el('li', {}, el('i', {class: `swatch cell ${mark}`}), ' ', text);
  const named = paint === 'type' || paint === 'point'
    ? [...owners.slice(0, MAP_BANDS).map((owner, i) => entry(`band-${i}`, owner)),
      owners.length > MAP_BANDS ? entry('band-rest', `${countText(owners.length - MAP_BANDS)} others`) : null]
    : paint === 'sets' ? [view.parts.map(({box, colour}) => entry(colourClass(colour), box ? box.name : 'in no set')),
      entry('mixed', 'of a point with chunks in several sets: a cell does not say which'), 'what is in several sets has the colour of the first']
    : [entry('depth', paint === 'age' ? 'the darker, the longer it lives' : 'the darker, the more of it is requested')];
  return el('ul', {class: 'map-legend'}, named, entry('slot', 'the rest of a slot'), entry('hole', 'no chunk'),
    view.map.regions.some((r) => r.apart) ? entry('unmapped', 'no chunk, and not mapped') : null);
}

function momentText(moment) {
  return `${durationText(moment.at_ns)}${moment.name ? ` (${moment.name})` : ''}`;
}

// ---- the view ----------------------------------------------------------------------

function choice(label, values, value, change) {
  return el('label', {}, `${label} `, el('select', {'data-choice': label, onchange: (event) => change(event.target.value)},
    values.map(([name, text]) => el('option', {value: name, selected: name === value}, text))));
}

export function drawMemory(model, points, state) {
  const {maps, maps_left_out: left, no_map: why} = model.doc;
  const head = (...rest) => [el('section', {'aria-labelledby': 'memory-title'}, el('h2', {id: 'memory-title'}, 'Memory'),
    el('p', {class: 'lead'}, 'Where live chunks lie in the heap, address by address: holes between them are memory that nothing else can use '
      + 'but chunks of that size.'), rest)];
  if (!maps?.length) return head(el('p', {class: 'note'}, why ?? NOTHING));
  const map = maps.find((m) => String(m.process) === state.process) ?? maps[0];
  const paint = PAINTS[state.paint] ? state.paint : 'type';
  const factor = MERGES.includes(Number(state.cell)) ? Number(state.cell) : 1;
  const last = map.moments.length - 1;
  const at = map.moments[state.moment] ? Number(state.moment) : last;
  const view = {model, map, paint, owners: ownersOf(model, map, paint), bytes: map.cell_bytes * factor, passing: new Set(points.map((p) => p.id)),
    filtered: points !== model.points};
  if (paint === 'sets') Object.assign(view, boxesOfPoints(model, state));
  const about = el('p', {class: 'about', 'aria-live': 'polite'});
  const when = el('output', {class: 'moment'});
  const holder = el('div', {class: 'map'});
  let shown = [];
  const show = (number) => {
    view.moment = map.moments[number];
    const all = cellsAt(map, view.moment, factor);
    shown = [];
    when.textContent = momentText(view.moment);
    about.textContent = 'Point at a cell to see what lies there; a click leads to its point.';
    holder.replaceChildren(el('p', {class: 'map-sum'}, useText(view.moment), `; mean fragmentation of its regions ${
      percentText(view.moment.mean_fragmentation)}`),
    ...map.regions.map((_, i) => (view.moment.regions[i].chunks ? regionElement(view, i, all, shown) : null)).filter(Boolean));
  };
  const cellOf = (event) => shown[event.target.dataset?.cell];
  holder.addEventListener('mouseover', (event) => {
    const cell = cellOf(event);
    if (cell) about.replaceChildren(...describeCell(view, cell).flat(Infinity));
  });
  holder.addEventListener('click', (event) => {
    const point = cellOf(event)?.cell?.point;
    if (point && model.byId.has(point)) changeState({view: 'points', point: String(point)});
  });
  show(at);
  const slider = el('input', {type: 'range', class: 'slider', min: 0, max: last, value: at, 'aria-label': 'Moment', oninput: () => {
    rememberState({moment: slider.value});
    show(Number(slider.value));
  }});
  return head(
    el('div', {class: 'controls'},
      maps.length > 1 ? choice('process', maps.map((m) => [String(m.process), `pid ${model.processes[m.process].pid}`]), String(map.process),
        (value) => changeState({process: value, moment: ''})) : null,
      choice('colour', Object.entries(PAINTS), paint, (value) => changeState({paint: value})),
      choice('a cell is', MERGES.map((m) => [String(m), bytesText(m * map.cell_bytes)]), String(factor), (value) => changeState({cell: value})),
      last ? el('label', {class: 'grow'}, 'at ', when, ' ', slider) : el('span', {}, 'at ', when)),
    last ? null : el('p', {class: 'note'}, 'The chunk log has not all chunks, so that only the end is known; with the option chunk_log=all there '
      + 'are more moments.'),
    points.some((p) => p.isPart) ? el('p', {class: 'note of-all'}, 'The filter chooses single chunks. Cells fade whose point has none that passes; '
      + 'their numbers are of all chunks.') : null,
    mapLegend(view), about, holder, map.notes.map((note) => el('p', {class: 'note'}, `note: ${note}`)),
    left ? el('p', {class: 'note'}, `${countText(left)} more processes have a map: heapprof-score --map shows them.`) : null,
    el('p', {class: 'note'}, el('a', {href: linkTo({view: 'types'})}, 'Types'), ' and ', el('a', {href: linkTo({view: 'points'})}, 'points'),
      ' tell what they hold over the whole run.'));
}
