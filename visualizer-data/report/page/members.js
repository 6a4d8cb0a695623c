// members.js - a record type drawn as its bytes: a row for each cache line, shaded by heat, holes hatched; and a row for each member.
// What is drawn stands in the table, too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {el, growing} from './dom.js';
import {baseName, bytesText, chunksText, countedText, countText, percentText, placeText} from './format.js';
import {sourceLines} from './model.js';
import {linkTo} from './state.js';

const LINE = 64; // bytes
const LINES_DRAWN = 64;

// By the whole name of the type, as often as the page is drawn anew.
const recordsKnown = new WeakMap();

export function recordsOf(model) {
  if (!recordsKnown.has(model)) {
    const records = new Map(model.doc.member_types.map((type) => [type.type, {...type, members: []}]));
    for (const member of model.doc.members) records.get(member.type)?.members.push(member);
    recordsKnown.set(model, records);
  }
  return recordsKnown.get(model);
}

function nameOf(member) {
  if (member.kind === 'hole') return 'padding';
  if (member.kind === 'behind') return 'behind the record';
  if (member.member === null) return `${member.offset}`;
  const bits = member.bits ? ` : ${member.bits}` : '';
  return (member.base ? `${member.base}::` : '') + member.member + bits + (member.flexible ? '[]' : '');
}

function accessesOf(member) {
  return (member.reads ?? 0) + (member.writes ?? 0);
}

// 0 of what nobody accesses, 1 of the hottest byte; each step is a factor.
function heatOf(record) {
  const perByte = (member) => accessesOf(member) / Math.max(1, member.size * member.count);
  const most = Math.max(0, ...record.members.map(perByte));
  return (member) => (most ? Math.log1p(1e3 * perByte(member) / most) / Math.log1p(1e3) : 0);
}

function titleOf(record, member) {
  const where = `${nameOf(member)}: ${member.size * member.count} bytes at ${member.offset}`;
  if (member.kind === 'hole' || record.chunks_counted === 0) return where;
  return `${where}, ${countText(member.reads)} reads, ${countText(member.writes)} writes in ${chunksText(record.chunks_counted)}`;
}

// The parts of all members that lie in the line at BEGIN, those that overlap in rows below each other.
function partsOf(record, begin) {
  const rows = [];
  for (const member of record.members) {
    for (let i = 0; i < member.count; i++) {
      const from = Math.max(begin, member.offset + i * (member.stride ?? 0));
      const to = Math.min(begin + LINE, member.offset + i * (member.stride ?? 0) + member.size);
      if (from >= begin + LINE) break;
      if (from >= to) continue;
      let row = rows.find((r) => r.every((part) => part.to <= from || part.from >= to));
      if (!row) rows.push(row = []);
      row.push({member, from, to});
    }
  }
  return rows;
}

function drawLine(record, begin, heat) {
  return el('div', {class: 'cache-line'}, el('span', {class: 'number'}, begin),
    el('div', {class: 'bytes'}, partsOf(record, begin).map((row) => el('div', {class: 'lane'}, row.map(({member, from, to}) => el('span', {
      class: member.kind === 'hole' ? 'byte-range hole' : 'byte-range', title: titleOf(record, member), 'data-member': nameOf(member),
      'data-heat': heat(member).toFixed(2),
      style: {'grid-column': `${from - begin + 1} / ${to - begin + 1}`, '--heat': `${Math.round(85 * heat(member))}%`},
    }, member.kind === 'hole' ? '' : nameOf(member)))))));
}

// Source has no file in which nothing is allocated.
function lineOf(model, code) {
  const {frame} = code;
  const text = `${placeText(frame)} (${countText(code.reads + code.writes)})`;
  return el('li', {}, frame.line && sourceLines(model.points).has(frame.file)
    ? el('a', {href: linkTo({view: 'source', file: frame.file, line: String(frame.line)}), title: frame.function}, text) : text);
}

function drawMember(model, record, member) {
  const number = (value) => el('td', {class: 'number'}, countText(value));
  return el('tr', {class: member.kind === 'hole' ? 'hole' : null},
    number(member.offset), el('td', {class: 'number'}, member.flexible || member.kind === 'behind' ? '…' : countText(member.size * member.count)),
    el('td', {class: 'code'}, nameOf(member), member.overlaps ? el('span', {class: 'note', title: 'shares bytes with others'}, ' ~') : ''),
    el('td', {class: 'code'}, member.member_type ?? ''),
    number(member.reads), member.side_writes ? el('td', {class: 'number', title: `${countText(member.side_writes)} of them falsely shared`}, `${countText(member.writes)} !`)
      : number(member.writes), el('td', {class: 'number'}, percentText(member.share)), number(member.chunks),
    el('td', {}, el('ul', {class: 'lines'}, member.code.map((code) => lineOf(model, code)))));
}

function notesOf(record) {
  const notes = [];
  if (record.chunks_counted === 0) {
    notes.push('Nothing was counted by member: build with -fsanitize-heapprof-members, run with members=1.');
  } else {
    notes.push(`${chunksText(record.chunks_counted)} of ${countText(record.chunks)} were counted; each stands for ${record.weight.toPrecision(3)}.`);
  }
  if (record.lost) notes.push(`${countText(record.lost)} further accesses to them are in no row.`);
  if (record.ambiguous) notes.push('Several types of this name and size differ: places have no names.');
  else if (!record.has_layout) notes.push('There is no debug information of this type: places have no names.');
  for (const line of record.false_lines) {
    const parts = line.parts.map((part) => `${part.name ?? part.offset} (thread ${part.thread}, ${countText(part.writes)} writes)`);
    notes.push(`False sharing in the line at ${line.offset}: ${parts.join(', ')} in turns, ${countText(line.turns)} times another thread in ${chunksText(line.chunks)}.`);
  }
  if (record.order) notes.push(`Sorted by alignment it has ${record.reordered_size} bytes: ${record.order}.`);
  return notes;
}

const MEMBER_HEADS = [['Offset'], ['Size', 'bytes'], ['Member'], ['Type'], ['Reads', 'of counted chunks'], ['Writes', 'of counted chunks'],
  ['Share', 'of all accesses to the type'], ['Chunks', 'that had an access to it, at least'], ['Accessed most at']];

// Nothing without a record.
export function drawRecord(model, record) {
  if (!record) return null;
  const heat = heatOf(record);
  const size = Math.max(record.size ?? 0, ...record.members.map((m) => m.offset + m.size));
  const lines = Math.ceil(size / LINE);
  const body = el('tbody');
  const more = growing(body, record.members, (member) => drawMember(model, record, member));
  return el('section', {class: 'record'},
    el('h2', {class: 'code'}, record.type, record.size === null ? '' : `: ${record.size} bytes`),
    el('p', {}, el('a', {href: linkTo({record: ''})}, 'close'), ` · ${bytesText(record.bytes_at_global_peak)} at the peak, ${chunksText(record.chunks)}`,
      record.file ? ` · declared at ${baseName(record.file)}:${record.line}` : '', record.hole_bytes ? ` · ${record.hole_bytes} bytes of padding` : ''),
    notesOf(record).map((text) => el('p', {class: 'note'}, text)),
    el('div', {class: 'scroll'}, el('div', {class: 'record-bytes', role: 'img', 'aria-label': 'its bytes, a row a cache line'},
      Array.from({length: Math.min(lines, LINES_DRAWN)}, (_, i) => drawLine(record, i * LINE, heat)))),
    lines > LINES_DRAWN ? el('p', {class: 'note'}, `${countedText(lines - LINES_DRAWN, 'more line')}`) : null,
    el('div', {class: 'scroll'}, el('table', {class: 'members'},
      el('thead', {}, el('tr', {}, MEMBER_HEADS.map(([label, help], i) => el('th',
        {scope: 'col', class: [2, 3, 8].includes(i) ? null : 'number', title: help}, label)))), body)), more);
}
