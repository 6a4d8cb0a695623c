// curves.js - curves of several allocators in one drawing: over the run, or over the values of a setting.
// Each says in words what it shows; a point's numbers are in its title.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {el, svg} from './dom.js';

const LINES = 6; // that can be told apart
const CURVE_WIDTH = 600;
const CURVE_HEIGHT = 160;

export function lineClass(number) {
  return `line-${number % LINES}`;
}

// `lines`: [{name, number, points: [[x, y, what x is]]}], x of 0 to 1; y null where it is not known.
export function curve(title, lines, text, left, right) {
  const known = lines.flatMap((line) => line.points.map(([, y]) => y)).filter((y) => y !== null);
  if (known.length === 0) return null;
  const top = Math.max(...known);
  const most = top || 1;
  const px = (x) => (x * CURVE_WIDTH).toFixed(1);
  const py = (y) => (CURVE_HEIGHT - 4 - y / most * (CURVE_HEIGHT - 12)).toFixed(1);
  const drawn = lines.map(({name, number, points}) => {
    const there = points.filter(([, y]) => y !== null);
    const path = there.map(([x, y], i) => `${i ? 'L' : 'M'}${px(x)} ${py(y)}`).join(' ');
    return svg('g', {}, svg('path', {d: path, class: `curve ${lineClass(number)}`}),
      there.map(([x, y, at]) => svg('circle', {cx: px(x), cy: py(y), r: 5, fill: 'transparent'},
        svg('title', {}, `${name}, ${at}: ${text(y)}`))));
  });
  const words = `${title}: ${lines.map(({name, points}) => `${name} ${text(points[points.length - 1]?.[1] ?? null)}`).join(', ')} at the right`;
  return el('figure', {},
    el('div', {class: 'axis'}, el('span', {}, title), el('span', {}, `top: ${text(top)}`)),
    svg('svg', {viewBox: `0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': words}, drawn),
    el('div', {class: 'axis'}, el('span', {}, left), el('span', {}, right)));
}

export function curveKey(names) {
  return el('div', {class: 'key'}, names.map((name, i) => el('span', {},
    svg('svg', {viewBox: '0 0 40 10', preserveAspectRatio: 'none', 'aria-hidden': 'true'},
      svg('path', {d: 'M0 5 L40 5', class: `curve ${lineClass(i)}`})), ' ', name)));
}
