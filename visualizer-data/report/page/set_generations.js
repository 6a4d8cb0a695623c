// set_generations.js - generations by mark: what was born between two marks of the program, and what of it is live at each later one.
// Pure: nothing here knows of the page.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {endOf} from './set_chunks.js';

const NO_MARKS = 'The program set no marks: __heapprof_mark("loaded") at the moments that matter divides the run into generations.';

// A mark's name as the language takes it.
const instantText = (name) => (/^[A-Za-z_][\w]*$/.test(name) && !['start', 'peak', 'end'].includes(name) ? name
  : `"${name.replaceAll(/["\\]/g, '\\$&')}"`);

// Marks in order of time, the first of each name.
function marksOf(process) {
  const known = new Set();
  return process.marks.filter(([name]) => name !== '' && !known.has(name) && known.add(name)).sort((a, b) => a[1] - b[1]);
}

const lowerBound = (ticks, time) => {
  let n = 0;
  while (n < ticks.length && ticks[n] <= time) n++;
  return n;
};

// Of one process the chunks of POINTS: generations[g].all and .columns[k], each {chunks, bytes, text}; why: there is nothing to show.
export function generationsOf(model, points, filter) {
  const {log} = model.doc;
  const number = log.processes.findIndex((process) => process.marks.length);
  if (number < 0) return {why: NO_MARKS};
  const process = log.processes[number];
  if (process.silent) return {why: `Generations need the chunk log; ${process.silent}.`};
  if (!model.chunks) return {why: 'reading the chunks …'};
  const marks = marksOf(process);
  const ticks = marks.map(([, at]) => at);
  const names = ['start', ...marks.map(([name]) => instantText(name)), 'end'];
  const counts = names.slice(1).map(() => names.slice(1).map(() => ({chunks: 0, bytes: 0})));
  const all = names.slice(1).map(() => ({chunks: 0, bytes: 0}));
  let unasked = 0, estimated = false;
  const {chunks} = model;
  const see = (i) => {
    const generation = lowerBound(ticks, chunks.t0[i]);
    const end = endOf(chunks, i, process.window);
    const weight = chunks.weight[i];
    const add = (to) => {
      to.chunks += weight;
      to.bytes += weight * chunks.size[i];
    };
    add(all[generation]);
    for (let k = generation; k < names.length - 1; k++) {
      const isLive = k === ticks.length || ticks[k] >= process.window ? chunks.live[i] : ticks[k] < end;
      if (isLive) add(counts[generation][k]);
    }
  };
  for (const point of points) {
    const {row} = point;
    if (point.merged || point.process !== number || (point.chunks && !log.kept[row])) {
      unasked += point.points;
      continue;
    }
    estimated ||= !log.all[row] || log.kept[row] < log.log_chunks[row] || process.sampled;
    if (point.found) point.found.forEach(see);
    else for (let i = chunks.begins[row]; i < chunks.begins[row + 1]; i++) see(i);
  }
  const inFilter = filter.trim() ? `(${filter}) & ` : '';
  const cell = (of, text) => ({chunks: Math.round(of.chunks), bytes: Math.round(of.bytes), text: inFilter + text});
  return {estimated, unasked, columns: names.slice(1).map((name, k) => ({name: marks[k]?.[0] ?? 'the end', ns: null})),
    generations: all.map((of, g) => {
      const born = `born(${names[g]}..${names[g + 1]})`;
      return {name: `${g ? marks[g - 1][0] : 'start'} .. ${marks[g]?.[0] ?? 'end'}`, all: cell(of, born),
        columns: counts[g].map((count, k) => (k < g ? null : cell(count, `${born} & live_at(${names[k + 1]})`)))};
    })};
}
