// severity.js - the twelve colours of severity, always with the number beside them.
// 0 is best, 11 worst; what has no score has no colour.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {el} from './dom.js';
import {approx, scoreText} from './format.js';

export function colourOf(severity) {
  return severity === null ? null : Math.round((1 - severity) * 11);
}

export function severityClass(colour) {
  return colour === null ? 's-none' : `s-${colour}`;
}

export function severityMark(point) {
  return el('span', {class: `severity ${severityClass(point.colour)}`,
    title: 'Severity: 1 is well used, 0 is wasted'},
    approx(point.estimated, scoreText(point.severity)));
}

export function severityLegend() {
  return el('div', {class: 'legend'}, el('span', {}, '1 well used'),
    Array.from({length: 12}, (_, i) => el('i', {class: severityClass(i)})), el('span', {}, '0 wasted'));
}
