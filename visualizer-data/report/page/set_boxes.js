// set_boxes.js - sets that have names, as the address of the page and files of --sets have them: lines NAME = SET.
// Pure: nothing here knows of the page.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {isSetName} from './set_language.js';

const NO_BOXES = '-'; // in the address: none, though the dump has some

// Lines "NAME = SET", as in a file of --sets.
export function readBoxLines(text) {
  return text.split('\n').map((line) => /^\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*([^]*?)\s*$/.exec(line)).filter((match) => match && match[2] !== '')
    .map(([, name, expression]) => ({name, text: expression})).filter((box, i, all) => isSetName(box.name)
      && all.findIndex((other) => other.name === box.name) === i);
}

export const boxLines = (boxes) => boxes.map((box) => `${box.name} = ${box.text}`).join('\n');

function boxTexts(model, state) {
  if (state.sets === NO_BOXES) return [];
  return state.sets === '' ? model.doc.sets.map(([name, text]) => ({name, text})) : readBoxLines(state.sets);
}

// Colours that somebody chose, "leak=3" of each; the others have that of their place.
const readTints = (text) => new Map(text.split(' ').map((tint) => /^([A-Za-z_][A-Za-z0-9_]*)=([0-9])$/.exec(tint)).filter(Boolean)
  .map(([, name, tint]) => [name, Number(tint)]));

// Of each its name, text, and the number of its colour.
export function boxesOf(model, state) {
  const tints = readTints(state.tints ?? '');
  return boxTexts(model, state).map((box, i) => ({...box, colour: tints.get(box.name) ?? i}));
}

// What the address has for these boxes.
export const boxesState = (boxes) => ({sets: boxes.length ? boxLines(boxes) : NO_BOXES});
export function tintState(state, name, colour) {
  const tints = readTints(state.tints).set(name, colour);
  return {tints: [...tints].map(([box, tint]) => `${box}=${tint}`).join(' ')};
}
