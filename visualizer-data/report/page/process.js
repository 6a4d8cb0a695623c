// process.js - where all resident memory of each process was: a bar of parts, at the peak and at the end.
// The same numbers as heapprof-score --process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {residentChart} from './charts.js';
import {el} from './dom.js';
import {approx, baseName, bytesText, countedText, countText, durationText, percentText} from './format.js';

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

const THREADS_SHOWN = 100;

function callersTable(caption, heads, rows) {
  return el('div', {class: 'scroll'}, el('table', {class: 'callers'}, el('caption', {}, caption),
    el('thead', {}, el('tr', {}, heads.map(([label, help], i) => el('th', {scope: 'col', class: i ? 'number' : null, title: help}, label)))),
    el('tbody', {}, rows.map((row) => el('tr', {}, row.map((text, i) => el('td', {class: i ? 'number' : 'code'}, text)))))));
}

function threadTable(model, all) {
  const about = (row, text) => approx(Boolean(model.processes[row.process].sampling), text);
  const rows = [...all].sort((a, b) => b.bytes - a.bytes).slice(0, THREADS_SHOWN);
  const name = (t) => `${model.processes.length > 1 ? `${model.processes[t.process].pid}: ` : ''}${
    t.thread === 0 ? 'others' : t.thread === 1 ? '1 main' : t.thread}`;
  return callersTable(`${countedText(all.length, 'thread')}, those that allocated most first`, [['Thread', 'in the order of their first use of the heap'],
    ['Allocations'], ['Bytes', 'asked for in all'], ['Frees'], ['Of others', 'frees of chunks that another thread allocated'],
    ['Live at end', 'bytes of its own chunks'], ['Peak', 'most bytes of its own chunks at one time'],
    ['Time', 'in the allocator, estimated from the calls that were timed, with what heapprof does there'],
    ['Stack', 'how deep it was seen to be used']],
  rows.map((t) => [name(t), ...[countText(t.allocations), bytesText(t.bytes), countText(t.frees), countText(t.foreign_frees), bytesText(t.live_bytes),
    bytesText(t.peak_bytes)].map((text) => about(t, text)), approx(true, durationText(t.allocator_ns)),
    t.stack_deepest_bytes === null ? '–' : bytesText(t.stack_deepest_bytes)]));
}

function functionTable(model, all) {
  const name = (f) => `${model.processes.length > 1 ? `${model.processes[f.process].pid}: ` : ''}${f.function}`;
  return callersTable(`Allocation functions; one call in ${all[0].timed_one_in} is timed, at random, ${model.processes[all[0].process].allocator ? 'what the allocator of the program does in it' : 'with what heapprof does in it'}`,
    [['Function'], ['Calls'], ['Bytes', 'asked for'], ['Mean', 'time of a call'], ['Error', 'standard error of that mean'], ['Median'], ['99 %', 'so many calls take no longer'],
      ['Timed', 'calls']],
    all.slice(0, THREADS_SHOWN).map((f) => [name(f), countText(f.calls), bytesText(f.bytes), durationText(f.mean_ns), durationText(f.mean_error_ns), durationText(f.median_ns),
      durationText(f.p99_ns), countText(f.timed)]));
}

const kindOf = (m) => [m.reserved ? 'reserved' : m.file ? 'file' : 'anonymous', m.shared && 'shared'].filter(Boolean).join(' ');
const placeOf = (f) => f ? `${f.function ?? `${baseName(f.module ?? '?')}`}${f.file ? ` ${baseName(f.file)}:${f.line ?? '?'}` : ''}` : '(no stack)';

function mappingRow(model, m) {
  const known = (bytes) => bytes === null ? '–' : bytesText(bytes);
  const cells = [known(m.resident_bytes), bytesText(m.live_bytes), bytesText(m.peak_bytes), bytesText(m.at_peak_bytes), bytesText(m.bytes), countText(m.maps)];
  return el('tr', {}, el('td', {class: 'code'}, el('details', {}, el('summary', {}, model.processes.length > 1 ? `${model.processes[m.process].pid}: ` : '',
    placeOf(m.site)), el('ol', {}, m.stack.map((f) => el('li', {}, placeOf(f)))))),
  el('td', {}, m.function), el('td', {}, kindOf(m)), cells.map((text) => el('td', {class: 'number'}, text)));
}

function unseenText(processes) {
  const known = processes.filter((p) => p.mapped && p.mapped.unseen_resident_bytes !== null);
  const bytes = known.reduce((sum, p) => sum + p.mapped.unseen_resident_bytes, 0);
  return known.length ? ` ${bytesText(bytes)} more that are resident were mapped by libc itself, by raw system calls, or before the profile began.` : '';
}

function mappingsPart(model) {
  const {mappings = []} = model.doc;
  if (!model.processes.some((p) => p.mapped)) return null;
  const heads = [['Site', 'the innermost call; open it for the whole stack'], ['By'], ['Kind', 'reserved: without access when it was mapped, so that it takes no memory'],
    ['Resident', 'at the end'], ['At end', 'mapped then'], ['Peak', 'most mapped at one time'], ['At peak', 'when the process had most mapped'],
    ['Mapped', 'in all'], ['Calls', 'that mapped something']];
  return el('section', {'aria-labelledby': 'mappings-title'}, el('h2', {id: 'mappings-title'}, 'What the program maps itself'),
    el('p', {class: 'lead'}, 'By mmap, mremap, brk and sbrk, those that had most mapped at once first.', unseenText(model.processes)),
    mappings.length ? el('div', {class: 'scroll'}, el('table', {class: 'mappings'},
      el('thead', {}, el('tr', {}, heads.map(([label, help], i) => el('th', {scope: 'col', class: i > 2 ? 'number' : null, title: help}, label)))),
      el('tbody', {}, mappings.slice(0, THREADS_SHOWN).map((m) => mappingRow(model, m)))))
      : el('p', {class: 'note'}, 'Nothing.'),
    mappings.length + model.doc.mappings_not_shown > THREADS_SHOWN ? el('p', {class: 'note'}, `${countText(mappings.length + model.doc.mappings_not_shown - Math.min(mappings.length, THREADS_SHOWN))} more: heapprof-score --by mapping --limit=0 shows them all.`)
      : null);
}

function globalRow(model, g) {
  const name = `${model.processes.length > 1 ? `${model.processes[g.process].pid}: ` : ''}${baseName(g.module)}`;
  const lines = g.variables.slice(0, THREADS_SHOWN).map((v) => el('tr', {}, el('td', {class: 'code'}, v.name),
    el('td', {class: 'number'}, v.resident_bytes === null ? '–' : bytesText(v.resident_bytes)),
    el('td', {class: 'number'}, v.thread_local ? '–' : bytesText(v.bytes)), el('td', {class: 'number'}, v.thread_local ? bytesText(v.bytes) : '–')));
  const rest = g.variables.length - lines.length + g.variables_not_shown;
  return el('tbody', {}, el('tr', {class: 'module'}, el('th', {scope: 'row', title: g.module}, name),
    [g.resident_bytes, g.bytes, g.thread_local_bytes].map((bytes) => el('td', {class: 'number'}, bytes === null ? '–' : bytesText(bytes)))),
  lines.length ? el('tr', {}, el('td', {colspan: 4}, el('details', {}, el('summary', {}, `${countedText(g.variables.length + g.variables_not_shown, 'variable')}, the largest first`),
    el('table', {}, el('tbody', {}, lines)), rest ? el('p', {class: 'note'}, `${countText(rest)} more.`) : null))) : null);
}

function globalsPart(model) {
  const {globals = []} = model.doc;
  if (globals.length === 0) return null;
  const heads = [['Module', 'its writable segments'], ['Resident', 'at the end'], ['Bytes', 'of all its pages; of a variable, its own'],
    ['By thread', 'thread-local variables, in each thread']];
  return el('section', {'aria-labelledby': 'globals-title'}, el('h2', {id: 'globals-title'}, 'Global variables'),
    el('div', {class: 'scroll'}, el('table', {class: 'globals'},
      el('thead', {}, el('tr', {}, heads.map(([label, help], i) => el('th', {scope: 'col', class: i ? 'number' : null, title: help}, label)))),
      globals.slice(0, THREADS_SHOWN).map((g) => globalRow(model, g)))),
    globals.length > THREADS_SHOWN ? el('p', {class: 'note'}, `${countText(globals.length - THREADS_SHOWN)} modules more: heapprof-score --by global shows them all.`)
      : null);
}

function callersPart(model) {
  const {threads = [], functions = []} = model.doc;
  if (threads.length + functions.length === 0) return null;
  return el('section', {'aria-labelledby': 'callers-title'}, el('h2', {id: 'callers-title'}, 'Who calls the allocator'),
    functions.length ? functionTable(model, functions) : null, threads.length ? threadTable(model, threads) : null);
}

function residentPart(model) {
  const chart = residentChart(model.timeline);
  return chart && el('section', {'aria-labelledby': 'resident-title'}, el('h2', {id: 'resident-title'}, 'Resident memory over time'),
    el('p', {class: 'lead'}, 'With what the profile took. Between two looks, 8 ms apart at most while the program runs, it may have been more.'), chart);
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
    processes.length > SHOWN ? el('p', {class: 'note'}, `${countText(processes.length - SHOWN)} more process${processes.length - SHOWN === 1 ? '' : 'es'}: heapprof-score --process shows all.`)
      : null), residentPart(model), mappingsPart(model), globalsPart(model), callersPart(model)].filter(Boolean);
}
