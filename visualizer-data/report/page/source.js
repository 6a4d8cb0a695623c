// source.js - the program's lines with what each allocates, itself and below it.
// Lines that allocate nothing are there only as far as the report carries them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {columnHead, el, growing} from './dom.js';
import {approx, baseName, bytesText, countText} from './format.js';
import {sourceLines} from './model.js';
import {linkTo} from './state.js';

function fileList(files, current) {
  return el('nav', {class: 'files', 'aria-label': 'files'}, el('ul', {}, files.map((f) => el('li', {},
    el('a', {href: linkTo({file: f.file, line: ''}), title: f.file, 'aria-current': f === current ? 'true' : null},
      el('span', {class: 'code'}, baseName(f.file)), el('span', {class: 'number'}, f.bytes ? approx(f.estimated, bytesText(f.bytes)) : ''))))));
}

function lines(model, file, wanted) {
  const source = model.sources.get(file.file);
  const numbers = new Set([...file.lines.keys(), ...(source ? source.lines.keys() : [])]);
  const most = Math.max(1, ...[...file.lines.values()].map((l) => l.all.bytes));
  const ordered = [...numbers].sort((a, b) => a - b);
  const row = (number, i) => {
    const at = file.lines.get(number);
    const text = source?.lines.get(number);
    const points = at ? at.points.filter((p) => !p.merged) : [];
    const gap = i > 0 && number > ordered[i - 1] + 1 && el('tr', {class: 'gap'}, el('td', {colspan: 6}, '⋯'));
    const line = el('tr', {class: at?.own.chunks ? 'allocates' : at ? 'calls' : null, id: `L${number}`,
      'aria-current': String(number) === wanted ? 'true' : null},
    el('td', {class: 'number'}, at?.own.chunks ? approx(at.own.estimated, countText(at.own.chunks)) : ''),
    el('td', {class: 'number'}, at?.own.chunks ? approx(at.own.estimated, bytesText(at.own.bytes)) : ''),
    el('td', {class: 'number'}, at ? approx(at.all.estimated, bytesText(at.all.bytes)) : ''),
    el('td', {class: 'bar'}, at ? el('i', {style: {width: `${100 * at.all.bytes / most}%`}}) : ''),
    el('td', {class: 'line-number'}, points.length
      ? el('a', {href: linkTo({view: 'points', point: String(points[0].id)})}, number) : number),
    el('td', {}, el('code', {}, text ?? ''), text === undefined ? el('span', {class: 'note'}, 'source not available') : ''));
    return gap ? [gap, line] : [line];
  };
  const body = el('tbody');
  const more = growing(body, ordered, row, ordered.indexOf(Number(wanted)) + 1);
  return [el('table', {class: 'source'},
    el('thead', {}, el('tr', {}, ['chunks', 'bytes', 'with callees', '', 'line', ''].map((label, i) => columnHead(label, i < 3)))), body), more];
}

export function drawSource(model, points, state) {
  const files = [...sourceLines(points).values()].sort((a, b) => b.bytes - a.bytes || (a.file < b.file ? -1 : 1));
  if (files.length === 0) {
    return [el('p', {class: 'note'}, 'No source lines are known here: build with -g, and keep the program where it was.')];
  }
  const current = files.find((f) => f.file === state.file) ?? files[0];
  const source = model.sources.get(current.file);
  return [el('div', {class: 'source-view'}, fileList(files, current),
    el('div', {class: 'scroll'}, el('h2', {class: 'code'}, current.file),
      source?.newer ? el('p', {class: 'note'}, 'This file was changed after the run; lines may have moved.') : null,
      lines(model, current, state.line)))];
}
