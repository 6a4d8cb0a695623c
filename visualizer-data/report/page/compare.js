// compare.js - two runs side by side: every number of the old one, of the new one, and the change; findings that went, stayed, came.
// The filter holds for both. Points pair as in heapprof-diff.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {clamped, columnHead, el, growing} from './dom.js';
import {approx, bytesText, countText, percentText, placeText} from './format.js';
import {callerOf, filterPoints, sum} from './model.js';
import {changeState, linkTo} from './state.js';

const COMPARED = [['bytes', 'Bytes', bytesText], ['chunks', 'Chunks', countText], ['peak_bytes', 'Own peak', bytesText],
  ['bytes_at_global_peak', 'At the peak', bytesText], ['live_bytes', 'Live at end', bytesText]];
const GROUPS = {point: 'point', type: 'type', function: 'function'};

function changeText(before, after, show) {
  const change = after - before;
  const share = before && change ? ` (${change > 0 ? '+' : '−'}${percentText(Math.abs(change) / before)})` : '';
  return change === 0 ? '0' : `${change > 0 ? '+' : '−'}${show(Math.abs(change))}${share}`;
}

const changeClass = (before, after) => (after > before ? 'number more-than' : after < before ? 'number less-than' : 'number');

// ---- rows ---------------------------------------------------------------------------

const nothing = () => ({...Object.fromEntries(COMPARED.map(([key]) => [key, 0])), estimated: false, points: 0});

// Peaks of several points are at several times: their sum is none.
function addPoint(to, point) {
  for (const [key] of COMPARED) to[key] = to[key] === null || point[key] === null ? null : to[key] + point[key];
  if (to.points++ > 0) to.peak_bytes = null;
  to.estimated ||= point.estimated;
}

// The caller tells apart what comes out of one wrapper of malloc.
function callerText(point) {
  const caller = callerOf(point);
  return caller ? ` ← ${caller.name}` : '';
}

// Points of both runs by what they are put together by: {name, place, before, after, link}.
function rowsOf(model, old, points, by) {
  const rows = new Map();
  const rowOf = (key, make) => {
    if (!rows.has(key)) rows.set(key, {...make(), before: nothing(), after: nothing(), isOld: false, isNew: false, isUnsure: false});
    return rows.get(key);
  };
  const keyOf = (point, run) => {
    if (by === 'type') return point.merged && point.typeName === null ? 'merged' : `type ${point.typeName ?? point.type ?? 'unknown'}`;
    if (by === 'function') return point.merged && !point.site ? 'merged' : `function ${point.site?.function ?? 'unknown'}`;
    if (point.merged) return 'merged';
    if (run === model) return `new ${point.id}`;
    const id = run.other.idOf.get(point.id);
    return id === undefined ? `old ${point.id}` : `new ${id}`;
  };
  const describe = (point, key, run) => () => (key === 'merged' ? {name: 'points that are merged', place: '', link: null}
    : by === 'type' ? {name: point.typeName ?? point.type ?? 'unknown', place: '', link: null}
      : by === 'function' ? {name: point.site?.name ?? 'unknown', place: '', link: null}
        : {name: point.site?.name ?? 'unknown place', place: `${placeText(point.site)}${callerText(point)}${point.type ? ` · ${point.type}` : ''}`,
          link: run === model ? linkTo({view: 'points', point: String(point.id)}) : null});
  for (const [run, some, side] of [[model, points, 'after'], [old, old.shown, 'before']]) {
    for (const point of some) {
      const key = keyOf(point, run);
      const row = rowOf(key, describe(point, key, run));
      addPoint(row[side], point);
      if (side === 'after') row.isNew = true;
      else row.isOld = true;
      // Its partner is in the other run, but in a row that is merged there.
      if (by === 'point' && !point.merged) {
        const partner = run.other.idOf.get(point.id);
        row.isUnsure ||= partner !== undefined && !run.other.model.byId.has(partner);
      }
    }
  }
  return [...rows.values()];
}

function statusOf(row) {
  return row.isUnsure ? 'in part merged' : !row.isOld ? 'new' : !row.isNew ? 'gone' : '';
}

function cellsOf(before, after, show) {
  const text = (side, value) => (value === null ? '–' : approx(side.estimated, show(value)));
  return (key) => {
    const known = before[key] !== null && after[key] !== null;
    return [el('td', {class: 'number'}, text(before, before[key])), el('td', {class: 'number'}, text(after, after[key])),
      el('td', {class: known ? changeClass(before[key], after[key]) : 'number'},
        known ? approx(before.estimated || after.estimated, changeText(before[key], after[key], show)) : '–')];
  };
}

function compareTable(rows, measure, by, totals) {
  const [key, label, show] = COMPARED.find(([name]) => name === measure) ?? COMPARED[0];
  const size = (row) => Math.abs((row.after[key] ?? 0) - (row.before[key] ?? 0));
  const changed = rows.filter((row) => row.before[key] || row.after[key]).sort((a, b) => size(b) - size(a)
    || (b.after[key] ?? 0) - (a.after[key] ?? 0) || (a.name < b.name ? -1 : 1));
  const body = el('tbody');
  const more = growing(body, changed, (row) => el('tr', {'data-status': statusOf(row)},
    el('td', {}, row.link ? el('a', {href: row.link, class: 'code'}, clamped(row.name)) : el('span', {class: 'code'}, clamped(row.name)), ' ',
      el('span', {class: 'code place'}, clamped(row.place))),
    el('td', {class: 'flag'}, statusOf(row)), row.isUnsure ? Array.from({length: 3}, () => el('td', {class: 'number'}, '–'))
      : cellsOf(row.before, row.after, show)(key)));
  return [el('div', {class: 'scroll'}, el('table', {class: 'compare'},
    el('caption', {}, `${label}, ${countText(changed.length)} row${changed.length === 1 ? '' : 's'}, the greatest changes first`),
    el('thead', {}, el('tr', {}, [GROUPS[by][0].toUpperCase() + GROUPS[by].slice(1), '', 'Old', 'New', 'Change'].map((text, i) => columnHead(text, i > 1))),
    el('tr', {class: 'total'}, el('th', {scope: 'row'}, 'all that pass'), el('td'), cellsOf(totals.before, totals.after, show)(key))), body)), more];
}

// ---- findings -----------------------------------------------------------------------

// One of each run with the same rule at the same function is the same.
function findingChanges(model, old) {
  const keyOf = (finding) => [finding.rule, finding.site?.function, finding.type].join('\u001f');
  const left = new Map();
  for (const finding of old.findings) left.set(keyOf(finding), [...(left.get(keyOf(finding)) ?? []), finding]);
  const came = [], stayed = [];
  for (const finding of model.findings) {
    const same = left.get(keyOf(finding));
    if (same?.length) stayed.push([same.shift(), finding]);
    else came.push(finding);
  }
  return {came, stayed, went: [...left.values()].flat()};
}

function findingList(title, findings, mark) {
  return el('section', {}, el('h3', {}, `${title}: ${findings.length}`), findings.length ? el('ul', {class: `changed ${mark}`}, findings.map((finding) => el('li',
    {'data-finding': mark}, el('span', {class: 'tag'}, finding.action), ' ', finding.text))) : null);
}

function totalsOf(points) {
  return {...Object.fromEntries(COMPARED.map(([key]) => [key, key === 'peak_bytes' ? null : sum(points, key)])), estimated: points.some((p) => p.estimated)};
}

export function drawCompare(model, points, state) {
  const head = (...rest) => [el('section', {'aria-labelledby': 'compare-title'}, el('h2', {id: 'compare-title'}, 'Before and after'), rest)];
  if (!model.other) return head(el('p', {class: 'note'}, 'This page is of one run. heapprof-report --before OLD NEW makes one of two.'));
  const old = model.other.model;
  const answer = filterPoints(old, state);
  old.shown = answer.points;
  const measure = COMPARED.some(([key]) => key === state.change) ? state.change : 'bytes';
  const by = GROUPS[state.by] ? state.by : 'point';
  const choose = (label, values, value, change) => el('label', {}, `${label} `, el('select', {'data-choice': label,
    onchange: (event) => change(event.target.value)}, values.map(([name, text]) => el('option', {value: name, selected: name === value}, text))));
  const {came, stayed, went} = findingChanges(model, old);
  const cannot = answer.error && !filterPoints(model, state).error ? answer.error : null;
  return head(
    el('p', {class: 'lead'}, 'Old is ', el('code', {}, model.doc.before.dump), ', new is ', el('code', {}, model.processes[0].dump),
      '. The filter holds for both; old:NAME and new:NAME are true at points whose pair has chunks of the set NAME in that run.'),
    cannot ? el('p', {class: 'error'}, `The old run cannot be asked the filter: ${cannot}`) : [
      el('div', {class: 'controls'}, choose('number', COMPARED.map(([key, label]) => [key, label]), measure, (value) => changeState({change: value})),
        choose('by', Object.entries(GROUPS), by, (value) => changeState({by: value})),
        el('a', {href: linkTo({view: 'flame', colour: 'change'})}, 'flame graph, red and blue')),
      answer.unasked ? el('p', {class: 'note'}, `Of the old run ${countText(answer.unasked)} points are left out, of which the page has too little.`) : null,
      compareTable(rowsOf(model, old, points, by), measure, by, {before: totalsOf(old.shown), after: totalsOf(points)})],
    el('h2', {}, 'Findings'), points !== model.points ? el('p', {class: 'note of-all'}, 'Findings are of all chunks, whatever the filter lets pass.') : null,
    findingList('Came', came, 'came'), findingList('Went', went, 'went'), findingList('Stayed', stayed.map(([, finding]) => finding), 'stayed'));
}
