// main.js - the frame of the page: head, filter, views; draws what the state says.
// A view is a function from model, points and state to elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {el} from './dom.js';
import {drawCompare} from './compare.js';
import {drawFlame} from './flame.js';
import {approx, baseName, bytesText, chunksText, countedText, countText, durationText} from './format.js';
import {drawMemory} from './memory.js';
import {filterPoints, readModel, sum} from './model.js';
import {drawObjects} from './objects.js';
import {drawOverview} from './overview.js';
import {drawPoints} from './points.js';
import {drawProcess} from './process.js';
import {drawSource} from './source.js';
import {changeState, linkTo, readState} from './state.js';
import {readChunks} from './set_chunks.js';
import {WAITING} from './set_points.js';
import {drawSets} from './sets.js';
import {drawTypes} from './types.js';

const VIEWS = {
  overview: {label: 'Overview', draw: drawOverview},
  flame: {label: 'Flame graph', draw: drawFlame},
  points: {label: 'Points', draw: drawPoints},
  objects: {label: 'Objects', draw: drawObjects},
  types: {label: 'Types', draw: drawTypes},
  source: {label: 'Source', draw: drawSource},
  process: {label: 'Process', draw: drawProcess},
  memory: {label: 'Memory', draw: drawMemory},
  sets: {label: 'Sets', draw: drawSets},
};

// Of all points what the processes counted; of those that pass a filter their own sums.
function totals(model, points) {
  const {processes, global} = model;
  const about = (text) => approx(model.estimated, text);
  const total = (of) => processes.reduce((all, p) => all + of(p), 0);
  const counted = processes.every((p) => p.sampling); // one by one, profiled or not
  const heap = processes.length === 1 && processes[0].sampling?.heap_peak ? processes[0].sampling : null;
  const within = heap?.heap_peak_error ? ` ± ${bytesText(heap.heap_peak_error)}` : '';
  const resident = processes.every((p) => p.peak_resident_bytes) ? total((p) => p.peak_resident_bytes) : 0;
  const several = processes.length > 1; // which need not have had them at the same time
  const whole = [
    ['peak', heap ? bytesText(heap.heap_peak) + within : about(bytesText(global.peak_bytes))],
    ['allocated in all', counted ? bytesText(total((p) => p.sampling.request_bytes)) : about(bytesText(global.bytes))],
    ['allocations', counted ? countText(total((p) => p.sampling.requests)) : about(countText(global.chunks))],
    [counted ? 'allocation points seen' : 'allocation points', countText(global.points)],
    [several ? 'live, each at its end' : 'live at the end', heap ? bytesText(heap.heap_bytes) : about(bytesText(total((p) => p.live_bytes_at_end)))],
    ...(resident ? [[several ? 'resident, each at its peak' : 'resident at the peak', bytesText(resident), 'without what heapprof itself takes']] : []),
  ];
  const partAbout = (text) => approx(model.estimated || points.some((p) => p.estimated), text);
  const part = [
    ['at the peak', partAbout(bytesText(sum(points, 'bytes_at_global_peak')))],
    ['allocated in all', partAbout(bytesText(sum(points, 'bytes')))],
    ['allocations', partAbout(countText(sum(points, 'chunks')))],
    ['allocation points that pass', countText(sum(points, 'points'))],
    [several ? 'live, each at its end' : 'live at the end', partAbout(bytesText(sum(points, 'live_bytes')))],
  ];
  return (points !== model.points ? part : whole)
    .map(([name, value, help]) => el('div', {title: help}, el('dt', {}, name), el('dd', {}, value)));
}

function headline(model) {
  const {processes} = model;
  const [first] = processes;
  const ended = first.ended + (first.exit_status === null ? '' : ` with status ${first.exit_status}`) + (first.complete ? '' : ', it seems');
  return el('header', {class: 'head'},
    el('h1', {}, baseName(first.program)),
    el('p', {class: 'command code', title: first.args.join(' ')}, first.args.join(' ')),
    el('p', {}, processes.length > 1 ? `${countText(processes.length)} processes` : `pid ${first.pid}, ended: ${ended}`,
      `; ran ${durationText(Math.max(...processes.map((p) => p.window_ns)))}`),
    el('dl', {class: 'totals'}, totals(model, model.points)));
}

function warnings(model) {
  const {cut, warnings: texts, filter} = model.doc;
  const notes = [...texts];
  if (filter) notes.push(`This report was made of the points that pass the filter “${filter}”.`);
  if (cut.points_merged) {
    notes.push(`To keep the page small, the ${countText(cut.points_merged)} smallest points are merged by site: `
      + 'their counts and bytes are exact, their scores are not here. heapprof-score shows them all.');
  }
  if (cut.points_without_chunks || cut.points_without_histograms || cut.points_without_series) {
    notes.push('To keep the page small, the drawings of chunks are those of the '
      + `${countText(model.doc.points.count - cut.points_without_chunks)} largest points, histograms of `
      + `${countText(model.doc.points.count - cut.points_without_histograms)}, histories of `
      + `${countText(model.doc.points.count - cut.points_without_series)}.`);
  }
  if (cut.stacks_shortened) notes.push(`${countedText(cut.stacks_shortened, 'deep call stack')} shown without ${cut.stacks_shortened === 1 ? 'its' : 'their'} middle.`);
  if (cut.objects_left_out) notes.push(`Not shown: ${countedText(cut.objects_left_out, 'rare allocation object')}.`);
  if (cut.sources_left_out) notes.push(`Source lines of ${countedText(cut.sources_left_out, 'file')} had no room.`);
  if (notes.length === 0) return null;
  // That a log holds a part of the chunks is as it should be.
  const serious = model.estimated || texts.length > model.processes.filter((p) => p.chunk_log.mode === 'budget').length;
  return el('details', {class: serious ? 'notes warnings' : 'notes', open: serious}, el('summary', {}, `${notes.length} note${
    notes.length === 1 ? '' : 's'} on what these numbers are`), el('ul', {}, notes.map((text) => el('li', {}, text))));
}

const model = readModel(JSON.parse(document.getElementById('document').textContent));
if (model.other) VIEWS.compare = {label: 'Compare', draw: drawCompare};
const views = el('nav', {class: 'views', 'aria-label': 'views'});
let isTyping = false; // what goes on is one step of the history: Back leads to what was shown before
const filter = el('input', {type: 'search', id: 'filter', placeholder: 'parse   type=node   size>=64 & live_at(end)', spellcheck: 'false',
  title: 'The language of sets: conditions joined by & and |, ! before what must not be, ( ). function=P file=P module=P type=P flag=NAME point=N, '
    + 'or P in any of them; of chunks size lifetime thread reads writes interval born died live_at peak freed_in free_site; names of sets. '
    + '* and ? are wildcards', onfocus: () => { isTyping = false; }, oninput: () => {
    changeState({filter: filter.value, zoom: ''}, isTyping);
    isTyping = true;
  }});
addEventListener('popstate', () => { isTyping = false; });
const passed = el('span', {class: 'passed', role: 'status'});
const content = el('main', {id: 'content', tabindex: '-1'});
const theme = el('button', {class: 'theme', title: 'light or dark', 'aria-label': 'light or dark',
  onclick: () => {
    const dark = matchMedia('(prefers-color-scheme: dark)').matches !== (readState().theme === 'other');
    document.documentElement.dataset.theme = dark ? 'light' : 'dark';
    changeState({theme: readState().theme === 'other' ? '' : 'other'}, true);
  }}, '◐');

// How much passes; of a set of single chunks how many of them, as the points that are shown may have others.
function passedText(answer, state) {
  const {points, error, parts, unasked, estimated} = answer;
  if (error) return error === WAITING ? `${error} …` : `${error}; all is shown`;
  if (state.filter.trim() === '') return '';
  const about = (text) => approx(estimated, text);
  return `${countText(sum(points, 'points'))} of ${countText(sum(model.points, 'points'))} points pass`
    + (answer.isOfLog ? `, ${parts ? `${countText(parts)} of them in part: ` : ''}${about(chunksText(sum(points, 'chunks')))}, ${about(bytesText(sum(points, 'bytes')))}` : '')
    + (unasked ? `; ${countText(unasked)} points, of which the page has too little, are left out: heapprof-score asks them, too` : '');
}

function draw() {
  const state = readState();
  const view = VIEWS[state.view] ?? VIEWS.overview;
  const answer = filterPoints(model, state);
  const {points, error} = answer;
  const dark = matchMedia('(prefers-color-scheme: dark)').matches !== (state.theme === 'other');
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  if (filter.value !== state.filter) filter.value = state.filter;
  passed.textContent = passedText(answer, state);
  passed.classList.toggle('error', error !== null && error !== WAITING);
  views.replaceChildren(...Object.entries(VIEWS).map(([name, v], i) => el('a', {
    href: linkTo({view: name, point: ''}), 'data-view': name, 'aria-current': v === view ? 'page' : null,
    title: `key ${(i + 1) % 10}`}, v.label)));
  document.querySelector('.totals').replaceChildren(...totals(model, points));
  content.replaceChildren(...view.draw(model, points, state).flat(Infinity).filter(Boolean));
  if (state.line) content.querySelector(`#L${CSS.escape(state.line)}`)?.scrollIntoView({block: 'center'});
}

addEventListener('hashchange', draw);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.matches('input, select, textarea')) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  const name = Object.keys(VIEWS)[(Number(event.key || NaN) + 9) % 10];
  if (name) changeState({view: name, point: ''});
  else if (event.key === '/') {
    event.preventDefault();
    filter.focus();
  } else if (event.key === 'Escape') changeState(readState().point ? {point: ''} : {zoom: ''});
});

document.title = `${baseName(model.processes[0].program)} – heapprof report`;
document.body.prepend(el('a', {class: 'skip', href: '#content', onclick: (event) => {
  event.preventDefault();
  content.focus();
}}, 'to the content'), headline(model), warnings(model) ?? '',
el('div', {class: 'bar-top'}, views, el('div', {class: 'search', role: 'search'}, el('label', {class: 'filter', for: 'filter'}, 'Filter '), filter, theme),
  passed), content,
el('footer', {}, `Keys: 1–9${model.other ? ' and 0' : ''} views, / filter, Esc back. `,
  ' The address of this page holds what you see. ',
  'Made by heapprof-report; nothing is loaded from anywhere.'));
draw();
const runs = model.other ? [model, model.other.model] : [model];
Promise.all(runs.map((run) => readChunks(run.doc.log))).then((all) => {
  runs.forEach((run, i) => {
    run.chunks = all[i];
    run.answers?.clear();
  });
  document.documentElement.dataset.chunks = model.chunks.count;
  draw();
});
