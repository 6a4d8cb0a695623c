// types.js - what the heap is made of: a row per type.
// A type leads to its points through the filter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {clamped, columnHead, el} from './dom.js';
import {approx, atLeast, bytesText, countText, NOTHING, percentText, UNSEEN, withError} from './format.js';
import {groupByType, sum} from './model.js';
import {drawRecord, recordsOf} from './members.js';
import {linkTo} from './state.js';

function termOf(type) {
  return /^[\w:]+$/.test(type) ? `type=${type}` : `type="${type.replaceAll(/["\\]/g, '\\$&')}"`;
}

const HEADS = [['Type'], ['Inside', 'what it consists of, and which parts are accessed'], ['At the peak', 'bytes live when the whole heap was largest'], [''], ['Share', 'of the bytes at the peak'],
  ['Chunks', 'allocations in all'], ['Bytes in all', 'of all chunks ever allocated'], ['Live at end', 'bytes never freed'],
  ['Mean size', 'of a chunk'], ['Touched', 'bytes ever read or written, of all bytes; ? where nobody saw it'],
  ['Points', 'call stacks that allocate it']];

// As usage of a group: of those of its points whose accesses are known.
function touchedText(group) {
  if (group.bytes === 0) return NOTHING;
  const share = group.seen_accessed / group.seen_bytes;
  return group.seen_bytes === 0 ? UNSEEN : atLeast(group.shared, share, percentText(share));
}

export function drawTypes(model, points, state) {
  const records = recordsOf(model);
  const groups = groupByType(points).sort((a, b) => b.bytes_at_global_peak - a.bytes_at_global_peak || b.bytes - a.bytes);
  const peak = sum(points, 'bytes_at_global_peak') || 1;
  const most = Math.max(1, ...groups.map((g) => g.bytes_at_global_peak));
  const note = records.has(state.record) && points !== model.points
    ? el('p', {class: 'note of-all'}, 'Members are those of all chunks of the type, whatever the filter lets pass.') : null;
  return [drawRecord(model, records.get(state.record)), note, el('div', {class: 'scroll'}, el('table', {class: 'types'},
    el('caption', {}, groups.length === 1 ? '1 type' : `${countText(groups.length)} types, those that hold most at the peak first`),
    el('thead', {}, el('tr', {}, HEADS.map(([label, help], i) => columnHead(label, i > 1, help)))),
    el('tbody', {}, groups.map((g) => {
      const cell = (text) => el('td', {class: 'number'}, text);
      const number = (text) => cell(approx(g.estimated, text));
      return el('tr', {},
        el('td', {class: 'code'}, g.type === null ? 'unknown'
          : el('a', {href: linkTo({view: 'points', point: '', filter: termOf(g.type)})}, clamped(g.name))),
        el('td', {}, records.has(g.whole) ? el('a', {class: 'inside', href: linkTo({record: g.whole})}, 'members') : ''),
        number(bytesText(g.bytes_at_global_peak)),
        el('td', {class: 'bar'}, el('i', {style: {width: `${100 * g.bytes_at_global_peak / most}%`}})),
        number(percentText(g.bytes_at_global_peak / peak)),
        cell(withError(g.estimated, g.chunks, g.chunks_error, countText)),
        cell(withError(g.estimated, g.bytes, g.bytes_error, bytesText)),
        number(bytesText(g.live_bytes)),
        number(bytesText(g.chunks ? g.bytes / g.chunks : null)),
        number(touchedText(g)),
        cell(countText(g.points)));
    }))))];
}
