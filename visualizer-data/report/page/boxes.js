// boxes.js - sets that have names: a box each, in order, with a colour; and what of the points that are shown lies in which.
// What is in several sets has the colour of the first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {el} from './dom.js';
import {askSet, filterPoints} from './model.js';
import {boxesOf} from './set_boxes.js';
import {linkTo} from './state.js';

export const BOX_COLOURS = 6;
export const colourClass = (number) => (number < 0 || number >= BOX_COLOURS ? 'band-rest' : `band-${number}`);

// The points that are shown, divided: [{box, number, colour, points}], a point's chunks in the first box that has them; then the rest, whose
// number is -1. null: there is no box that can be asked.
export function dividedByBoxes(model, state) {
  const boxes = boxesOf(model, state);
  const parts = [];
  const before = [];
  const inFilter = state.filter.trim() && !filterPoints(model, state).error ? [`(${state.filter})`] : [];
  boxes.forEach((box, number) => {
    const {points, error} = askSet(model, state, [...inFilter, box.name, ...before.map((name) => `!${name}`)].join(' & '));
    if (error) return;
    parts.push({box, number, colour: box.colour, points});
    before.push(box.name);
  });
  if (parts.length === 0) return null;
  const rest = askSet(model, state, [...inFilter, ...before.map((name) => `!${name}`)].join(' & '));
  if (!rest.error) parts.push({box: null, number: -1, colour: -1, points: rest.points});
  return parts;
}

export function boxLegend(parts) {
  return el('ul', {class: 'map-legend box-legend'}, parts.map(({box, colour}) => el('li', {}, el('i', {class: `swatch ${colourClass(colour)}`}), ' ',
    box ? el('span', {class: 'code'}, box.name) : 'in no set')), el('li', {class: 'note'}, 'what is in several sets has the colour of the first'));
}

// A control that turns the colours of sets on and off; nothing where there are no sets.
export function boxSwitch(model, state, change) {
  if (boxesOf(model, state).length === 0) return null;
  const input = el('input', {type: 'checkbox', class: 'by-set', checked: state.colour === 'sets', onchange: () => change({colour: input.checked ? 'sets' : ''})});
  return el('label', {}, input, ' colours of ', el('a', {href: linkTo({view: 'sets'})}, 'sets'));
}
