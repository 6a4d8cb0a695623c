// process.js - where all resident memory of each process was: a bar of parts, at the peak and at the end.
// The same numbers as heapprof-score --process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {el} from './dom.js';
import {baseName, bytesText, countText, durationText, percentText} from './format.js';

const PARTS = [
  ['live', 'live', 'requested by chunks that lived'],
  ['slack', 'allocator slack', 'of live chunks, beyond what was requested'],
  ['retained', 'freed, not returned', 'of the heap, in no live chunk'],
  ['mapping', 'mappings', 'mapped by the program itself'],
  ['global', 'globals', 'writable segments of modules'],
  ['stack', 'stacks', 'of threads'],
  ['code', 'code and files', 'other segments of modules, and mapped files'],
  ['own', 'heapprof', 'what the profile took'],
  ['other', 'other', 'anything else'],
];
const SHOWN = 50; // processes

function memoryBar(when, memory) {
  const parts = PARTS.map(([key, name, help], i) => ({name, help, bytes: memory[`${key}_bytes`], i}));
  const share = (bytes) => bytes / Math.max(1, memory.rss_bytes);
  return el('figure', {class: 'memory'},
    el('figcaption', {}, when, ': ', el('b', {class: 'rss'}, bytesText(memory.rss_bytes)), ' resident'),
    el('div', {class: 'memory-bar', role: 'img', 'aria-label': parts.map((p) => `${p.name} ${bytesText(p.bytes)}`).join(', ')},
      parts.filter((p) => p.bytes).map((p) => el('i', {class: `part-${p.i}`, style: {width: `${100 * share(p.bytes)}%`},
        title: `${p.name}: ${bytesText(p.bytes)}, ${p.help}`}))),
    el('table', {class: 'readout'}, el('tbody', {}, parts.filter((p) => p.bytes || p.name !== 'other').map((p) => el('tr', {},
      el('td', {}, el('i', {class: `swatch part-${p.i}`})), el('td', {title: p.help}, p.name),
      el('td', {class: 'number'}, bytesText(p.bytes)), el('td', {class: 'number'}, percentText(share(p.bytes))))))));
}

function sumOf(processes, moment) {
  const all = processes.map((p) => p.process_memory?.[moment]).filter(Boolean);
  const names = ['rss', ...PARTS.map(([key]) => key)].map((name) => `${name}_bytes`);
  return Object.fromEntries(names.map((name) => [name, all.reduce((total, m) => total + m[name], 0)]));
}

function moments(peak, end, peakText, endText) {
  return el('div', {class: 'columns'}, peak && memoryBar(peakText, peak), end && memoryBar(endText, end));
}

function processPart(process) {
  const {peak, end} = process.process_memory ?? {};
  return el('section', {class: 'process'}, el('h3', {}, `${baseName(process.program)} `, el('small', {}, `pid ${process.pid}`)),
    peak || end ? moments(peak, end, `When most was live, seen at ${durationText(peak?.at_ns)}`, 'At the end')
      : el('p', {class: 'note'}, 'Not known: the dump does not say where its memory was.'));
}

export function drawProcess(model) {
  const {processes} = model;
  const known = processes.filter((p) => p.process_memory?.end);
  return [el('section', {'aria-labelledby': 'process-title'}, el('h2', {id: 'process-title'}, 'Where all memory is'),
    el('p', {class: 'lead'}, 'All pages that the system counts as resident (RSS), the heap being one part of them.'),
    known.length > 1 ? el('section', {class: 'process'}, el('h3', {}, `All ${countText(processes.length)} processes `,
      el('small', {}, 'pages that several have count for each')),
    moments(sumOf(processes, 'peak'), sumOf(processes, 'end'), 'Each at its peak', 'Each at its end')) : null,
    processes.slice(0, SHOWN).map(processPart),
    processes.length > SHOWN ? el('p', {class: 'note'}, `${countText(processes.length - SHOWN)} more processes: heapprof-score --process shows them all.`)
      : null)];
}
