// types.js - what the heap is made of: a row per type.
// A type leads to its points through the filter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {el} from './dom.js';
import {bytesText, countText, percentText} from './format.js';
import {groupByType, sum} from './model.js';
import {linkTo} from './state.js';

// A filter term has no blanks; "?" stands for any character.
function termOf(type) {
  return `type=${type.replaceAll(/\s/g, '?')}`;
}

export function drawTypes(model, points) {
  const groups = groupByType(points).sort((a, b) => b.bytes_at_global_peak - a.bytes_at_global_peak || b.bytes - a.bytes);
  const peak = sum(points, 'bytes_at_global_peak') || 1;
  const most = Math.max(1, ...groups.map((g) => g.bytes_at_global_peak));
  return [el('div', {class: 'scroll'}, el('table', {class: 'types'},
    el('caption', {}, `${countText(groups.length)} types, those that hold most at the peak first`),
    el('thead', {}, el('tr', {}, ['Type', 'At the peak', '', 'Share', 'Chunks', 'Bytes in all', 'Live at end', 'Mean size',
      'Touched', 'Points'].map((label, i) => el('th', {scope: 'col', class: i === 0 || i === 2 ? null : 'number'}, label)))),
    el('tbody', {}, groups.map((g) => el('tr', {},
      el('td', {class: 'code'}, g.type === null ? 'unknown'
        : el('a', {href: linkTo({view: 'points', point: '', filter: termOf(g.type)})}, g.name)),
      el('td', {class: 'number'}, bytesText(g.bytes_at_global_peak)),
      el('td', {class: 'bar'}, el('i', {style: {width: `${100 * g.bytes_at_global_peak / most}%`}})),
      el('td', {class: 'number'}, percentText(g.bytes_at_global_peak / peak)),
      el('td', {class: 'number'}, countText(g.chunks)),
      el('td', {class: 'number'}, bytesText(g.bytes)),
      el('td', {class: 'number'}, bytesText(g.live_bytes)),
      el('td', {class: 'number'}, bytesText(g.chunks ? g.bytes / g.chunks : null)),
      el('td', {class: 'number', title: 'bytes ever read or written, of all bytes'},
        percentText(g.bytes ? g.bytes_accessed / g.bytes : null)),
      el('td', {class: 'number'}, countText(g.points)))))))];
}
