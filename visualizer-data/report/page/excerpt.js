// excerpt.js - lines of source around a place, with what is allocated there.
// Only what the report carries; where it has none it says so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {el} from './dom.js';

const AROUND = 3;

export function excerpt(model, frame) {
  const source = frame?.file ? model.sources.get(frame.file) : null;
  if (!source || !source.lines.has(frame.line)) return null;
  const rows = [];
  for (let line = frame.line - AROUND; line <= frame.line + AROUND; line++) {
    if (!source.lines.has(line)) continue;
    const here = line === frame.line;
    rows.push(el('div', {class: here ? 'source-line here' : 'source-line', 'aria-current': here ? 'true' : null},
      el('span', {class: 'line-number'}, `${here ? (frame.line_is_near ? '~' : '▸') : ''}${line}`), el('code', {}, source.lines.get(line) || ' ')));
  }
  return el('div', {class: 'excerpt'}, rows,
    source.newer ? el('p', {class: 'note'}, 'This file was changed after the run; lines may have moved.') : null);
}
