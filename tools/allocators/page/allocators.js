// allocators.js - the page of a comparison: advice, table, curves over the run, curves of each setting, functions.
// Draws the document once; nothing on it is clicked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {curve, curveKey} from './curves.js';
import {el} from './dom.js';
import {bytesText, countText, durationText, percentText} from './format.js';
import {METRICS, arenasTable, comparedTable, functionsTable, labelOf} from './tables.js';

const OVER_THE_RUN = [
  ['live_bytes', 'Requested, live', bytesText],
  ['resident_bytes', 'Resident pages of the heap', bytesText],
  ['mapped_bytes', 'Mapped', bytesText],
  ['fragmentation_total', 'Fragmentation, total', percentText],
  ['fragmentation_mean', 'Fragmentation, mean of regions', percentText],
  ['utilisation', 'Utilisation: requested of mapped', percentText],
];

function runPart(allocators) {
  const metered = allocators.filter((a) => a.samples.length);
  if (metered.length === 0) {
    return el('p', {class: 'note'}, `Not known: ${allocators[0].not_metered_because ?? 'no samples'}.`);
  }
  const last = Math.max(1, ...metered.map((a) => a.samples[a.samples.length - 1].events));
  const curves = OVER_THE_RUN.map(([key, title, text]) => curve(title, metered.map((a, number) => ({name: labelOf(a), number,
    points: a.samples.map((s) => [s.events / last, s[key], `event ${countText(s.events)}`])})), text, 'first allocation',
  `${countText(last)} allocations and frees`));
  return [curveKey(metered.map(labelOf)), el('div', {class: 'curves'}, curves)];
}

// The values of a knob in their order, behind the allocator as it is.
function sweepPart(name, knob, allocators) {
  const settings = allocators.filter((a) => a.knob === knob && a.name === name);
  const plain = allocators.find((a) => a.name === name && !a.knob);
  const all = plain ? [plain, ...settings] : settings;
  const value = (a) => a.knob ? a.value : 'as it is';
  const curves = METRICS.map((m) => curve(m.label, [{name: knob, number: 0,
    points: all.map((a, i) => [all.length > 1 ? i / (all.length - 1) : 0, a[m.key], value(a)])}], m.text, value(all[0]), value(all[all.length - 1])));
  return el('section', {class: 'sweep'}, el('h2', {}, `${name}: ${knob}`), el('p', {class: 'note'}, `Values from left to right: ${all.map(value).join(', ')}.`),
    el('div', {class: 'curves'}, curves));
}

function sweepParts(allocators) {
  const knobs = new Map(allocators.filter((a) => a.knob).map((a) => [`${a.name} ${a.knob}`, a]));
  return [...knobs.values()].map((a) => sweepPart(a.name, a.knob, allocators));
}

function arenasPart(allocators) {
  const table = arenasTable(allocators);
  return table ? el('section', {}, el('h2', {}, 'What glibc says of itself'), table) : null;
}

function advicePart({recommendation, missing}) {
  return [el('div', {class: 'advice'}, el('p', {}, recommendation.environment ? 'Recommended: ' : '', el('b', {}, recommendation.text))),
    missing.length ? el('p', {class: 'note'}, `Not installed, and left out: ${missing.map((m) => `${m.name} (${m.package})`).join(', ')}.`) : null];
}

function drawAllocators(doc) {
  const {allocators} = doc;
  const elapsed = allocators.reduce((sum, a) => sum + a.elapsed_ns, 0) * doc.rounds;
  document.body.append(...[
    el('header', {class: 'head'}, el('h1', {}, `${doc.program} under ${allocators.length} allocators and settings`),
      el('p', {class: 'code command'}, [doc.program, ...doc.arguments].join(' ')),
      el('p', {}, `${countText(doc.rounds)} rounds each, ${durationText(elapsed)} in all. The first row is the program as it is.`)),
    el('main', {}, advicePart(doc), comparedTable(allocators, doc.recommendation.allocator),
      el('section', {}, el('h2', {}, 'Over the run'), runPart(allocators.filter((a) => !a.knob))), sweepParts(allocators), arenasPart(allocators),
      el('section', {}, el('h2', {}, 'Functions'), functionsTable(allocators) ?? el('p', {class: 'note'}, 'Not known.'))),
    el('footer', {}, 'Definitions: heapprof-metrics(7), Allocators.'),
  ]);
}

drawAllocators(JSON.parse(document.getElementById('document').textContent));
