// tables.js - the comparison as tables: a row for each allocator and setting, and what each function costs.
// Beside a number stands its difference from the first row, where it is one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {el} from './dom.js';
import {bytesText, countText, durationText, percentText} from './format.js';

export function labelOf(allocator) {
  return allocator.knob ? `${allocator.name} ${allocator.knob}=${allocator.value}` : allocator.name;
}

// What is less is better, unless it says otherwise.
export const METRICS = [
  {key: 'user_ns', label: 'User time', text: durationText, help: 'median of the rounds'},
  {key: 'system_ns', label: 'System time', text: durationText, help: 'median of the rounds'},
  {key: 'elapsed_ns', label: 'Elapsed', text: durationText, help: 'median of the rounds'},
  {key: 'peak_rss_bytes', label: 'Peak RSS', text: bytesText, help: 'of the process, without the meter'},
  {key: 'peak_mapped_bytes', label: 'Peak mapped', text: bytesText, help: 'by mappings that hold chunks'},
  {key: 'fragmentation_total', label: 'Fragmentation', text: percentText, help: 'of all spans together, mean over the run'},
  {key: 'fragmentation_mean', label: 'Mean fragm.', text: percentText, help: 'of each span, mean over the run'},
  {key: 'utilisation', label: 'Utilisation', text: percentText, help: 'requested of mapped, mean over the run', more: true},
  {key: 'brk_calls', label: 'brk', text: countText, help: 'calls'},
  {key: 'mmap_calls', label: 'mmap', text: countText, help: 'calls'},
  {key: 'munmap_calls', label: 'munmap', text: countText, help: 'calls'},
  {key: 'madvise_calls', label: 'madvise', text: countText, help: 'calls'},
  {key: 'page_faults', label: 'Page faults', text: countText, help: 'median of the rounds'},
];
const SAME = 0.02; // of a number, that is no difference

function differenceOf(value, first, metric) {
  if (value === null || first === null || value === first || !first) return null;
  const change = value / first - 1;
  if (Math.abs(change) < SAME) return null;
  const better = change < 0 !== Boolean(metric.more);
  const words = change > 9.995 ? `×${(change + 1).toFixed(0)}` : `${change > 0 ? '+' : '−'}${Math.abs(100 * change).toFixed(0)} %`;
  return el('small', {class: better ? 'better' : 'worse'}, words);
}

export function comparedTable(allocators, chosen) {
  const heads = METRICS.map((m) => el('th', {scope: 'col', class: 'number', title: m.help}, m.label));
  const rows = allocators.map((a, i) => el('tr', {class: i === chosen ? 'chosen' : null},
    el('th', {scope: 'row', class: 'code', title: a.environment || 'as the program is'}, labelOf(a)),
    METRICS.map((m) => el('td', {class: 'number'}, m.text(a[m.key]), i ? differenceOf(a[m.key], allocators[0][m.key], m) : null))));
  return el('div', {class: 'scroll'}, el('table', {class: 'compared'},
    el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, 'Allocator'), heads)), el('tbody', {}, rows)));
}

// What glibc says of itself at the end, beside what was measured then.
export function arenasTable(allocators) {
  const known = allocators.filter((a) => a.glibc_arenas && a.samples.length);
  if (known.length === 0) return null;
  const columns = [['Arenas', (g) => countText(g.arenas)], ['Heap + mmap', (g) => bytesText(g.heap_bytes + g.mmap_bytes)],
    ['Mapped', (g, last) => bytesText(last.mapped_bytes)], ['In use', (g) => bytesText(g.in_use_bytes + g.mmap_bytes)],
    ['Usable', (g, last) => bytesText(last.usable_bytes)], ['Cached', (g) => bytesText(g.cached_bytes)], ['Free', (g) => bytesText(g.free_bytes)],
    ['Free chunks', (g) => countText(g.free_chunks)], ['At the top', (g) => bytesText(g.top_bytes)]];
  const cells = (a) => columns.map(([, text]) => el('td', {class: 'number'}, text(a.glibc_arenas, a.samples[a.samples.length - 1])));
  return el('div', {class: 'scroll'}, el('table', {class: 'compared arenas'},
    el('caption', {}, 'At the end, by mallinfo2 and malloc_info; Mapped and Usable are measured, and differ by heads and caches'),
    el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, 'Setting'), columns.map(([name]) => el('th', {scope: 'col', class: 'number'}, name)))),
    el('tbody', {}, known.map((a) => el('tr', {}, el('th', {scope: 'row', class: 'code'}, labelOf(a)), cells(a))))));
}

export function functionsTable(allocators) {
  const names = [...new Set(allocators.flatMap((a) => a.functions.map((f) => f.function)))];
  if (names.length === 0) return null;
  const cell = (a, name) => {
    const f = a.functions.find((one) => one.function === name);
    return el('td', {class: 'number', title: f ? `${countText(f.calls)} calls, median ${durationText(f.median_ns)}` : null},
      f ? `${durationText(f.mean_ns)}, ${durationText(f.p99_ns)}` : '–');
  };
  return el('div', {class: 'scroll'}, el('table', {class: 'compared'},
    el('caption', {}, 'Mean time of a call, and what 99 % of the calls do not exceed'),
    el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, 'Allocator'), names.map((name) => el('th', {scope: 'col', class: 'number'}, name)))),
    el('tbody', {}, allocators.map((a) => el('tr', {}, el('th', {scope: 'row', class: 'code'}, labelOf(a)), names.map((name) => cell(a, name)))))));
}
