// sets.js - sets of chunks: the filter as a row of conditions with what remains after each, sets that have names, generations by mark.
// All of it is text of the language; the address of the page holds it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {boxesState, boxesOf, boxLines, tintState} from './set_boxes.js';
import {BOX_COLOURS, boxLegend, colourClass, dividedByBoxes} from './boxes.js';
import {el} from './dom.js';
import {approx, bytesText, chunksText, countText, durationText, withError} from './format.js';
import {askSet, sum} from './model.js';
import {generationsOf} from './set_generations.js';
import {bytesOf, isAlternative, isSetName, parseSet, textOf} from './set_language.js';
import {peakOfSet, WAITING} from './set_points.js';
import {changeState, linkTo} from './state.js';

const OPERATIONS = [['&', 'and: in both'], ['|', 'or: in one of them'], ['& !', 'and not: in the first only']];

const hypot = (points, name) => Math.sqrt(points.reduce((total, p) => total + (p[name] ?? 0) ** 2, 0));

// Chunks and bytes of an answer, or why there are none.
function amountText(answer) {
  if (answer.error) return el('span', {class: answer.error === WAITING ? 'note' : 'error'}, answer.error);
  const {points, estimated, unasked} = answer;
  const chunks = sum(points, 'chunks'), bytes = sum(points, 'bytes');
  const text = (value, name, show) => withError(estimated, value, hypot(points, name), show);
  return [el('b', {class: 'set-chunks'}, text(chunks, 'chunks_error', countText)), ` chunk${chunks === 1 ? '' : 's'}, `,
    el('b', {class: 'set-bytes'}, text(bytes, 'bytes_error', bytesText)),
    unasked ? el('span', {class: 'note'}, `; without ${countText(unasked)} points that the page knows too little of`) : ''];
}

function button(label, title, onclick, disabled = false) {
  return el('button', {type: 'button', title, 'aria-label': title, onclick, disabled}, label);
}

// ---- the filter as a row of conditions ----------------------------------------------

// Texts that must all hold; null: it is no set.
function conditionsOf(model, state) {
  if (state.filter.trim() === '') return [];
  try {
    const root = parseSet(state.filter, boxesOf(model, state));
    const bytes = bytesOf(state.filter);
    return root.kind === 'all' ? root.parts.map((part) => textOf(bytes.slice(...part.span)).trim()) : [state.filter.trim()];
  } catch {
    return null;
  }
}

function conditionBox(model, state, conditions, i) {
  const inside = (text) => (conditions.length > 1 && isAlternative(text, boxesOf(model, state)) ? `(${text})` : text);
  const all = (texts) => ({filter: texts.map(inside).join(' & ')});
  const moved = (to) => {
    const texts = conditions.filter((_, k) => k !== i);
    texts.splice(to, 0, conditions[i]);
    return all(texts);
  };
  const without = conditions.filter((_, k) => k !== i);
  return el('li', {class: 'box'}, el('code', {}, conditions[i]),
    el('p', {class: 'remains'}, amountText(askSet(model, state, all(conditions.slice(0, i + 1)).filter)), ' remain'),
    el('p', {class: 'box-buttons'}, button('←', `move ${conditions[i]} before the one before`, () => changeState(moved(i - 1)), i === 0),
      button('→', `move ${conditions[i]} behind the next`, () => changeState(moved(i + 1)), i + 1 === conditions.length),
      button('off', `switch ${conditions[i]} off, to be put back`, () => changeState({...all(without), off: [...offOf(state), conditions[i]].join('\n')})),
      button('not', `turn ${conditions[i]} into what it leaves out`, () => changeState(all(conditions.map((text, k) => (k !== i ? text
        : text.startsWith('!') ? text.slice(1).trim() : isAlternative(text, boxesOf(model, state)) ? `!(${text})` : `!${text}`))))),
      button('×', `remove ${conditions[i]}`, () => changeState(all(without)))));
}

const offOf = (state) => state.off.split('\n').filter(Boolean);

function offBox(state, text, i) {
  const others = offOf(state).filter((_, k) => k !== i).join('\n');
  return el('li', {class: 'box off'}, el('code', {}, text), el('p', {class: 'remains'}, 'switched off'),
    el('p', {class: 'box-buttons'}, button('on', `put ${text} back`, () => changeState({off: others,
      filter: state.filter.trim() ? `${state.filter} & (${text})` : text})), button('×', `remove ${text}`, () => changeState({off: others}))));
}

function askPart(model, points, state) {
  const conditions = conditionsOf(model, state);
  const name = el('input', {id: 'set-name', size: 14, placeholder: 'name', spellcheck: 'false'});
  const more = el('input', {id: 'set-condition', size: 30, placeholder: 'size>=64   live_at(end)   type=node', spellcheck: 'false'});
  const append = (event) => {
    event.preventDefault();
    const text = more.value.trim();
    if (text) changeState({filter: state.filter.trim() ? `${wrapped(model, state, state.filter)} & ${wrapped(model, state, text)}` : text});
  };
  const save = (event) => {
    event.preventDefault();
    saveBox(model, state, name, state.filter);
  };
  return el('section', {'aria-labelledby': 'ask-title'}, el('h2', {id: 'ask-title'}, 'The filter, condition by condition'),
    el('p', {class: 'lead'}, 'All views show the chunks for which every condition holds. Below each stands what remains after it and those before it.'),
    conditions === null ? el('p', {class: 'error'}, askSet(model, state, state.filter).error)
      : el('ol', {class: 'boxes'}, el('li', {class: 'box all'}, el('code', {}, 'all'), el('p', {class: 'remains'}, amountText(askSet(model, state, '')))),
        conditions.map((_, i) => conditionBox(model, state, conditions, i)), offOf(state).map((text, i) => offBox(state, text, i))),
    el('form', {class: 'controls', onsubmit: append}, el('label', {for: 'set-condition'}, 'and '), more, el('button', {}, 'add the condition')),
    conditions?.length ? el('form', {class: 'controls', onsubmit: save}, el('label', {for: 'set-name'}, 'Save it as '), name, el('button', {}, 'save')) : null);
}

const wrapped = (model, state, text) => (isAlternative(text, boxesOf(model, state)) ? `(${text})` : text);

// ---- sets that have names -----------------------------------------------------------

// A name that is no name, or is taken, is said at the field itself.
function saveBox(model, state, field, text) {
  const boxes = boxesOf(model, state);
  const name = field.value.trim();
  field.setCustomValidity(!isSetName(name) ? 'A name has letters, digits and _, and is not that of a key.'
    : boxes.some((box) => box.name === name) ? `There is a set ${name} already.` : '');
  field.addEventListener('input', () => field.setCustomValidity(''), {once: true});
  if (field.reportValidity()) changeState(boxesState([...boxes, {name, text}]));
}

function peakText(model, answer) {
  if (answer.error) return '';
  const peak = peakOfSet(model, answer.points);
  return peak === null ? '' : `, peak ${bytesText(peak)}`;
}

// Small squares, the chosen one pressed.
function colourChoice(state, {name, colour}) {
  return el('span', {class: 'tints', role: 'group', 'aria-label': `colour of ${name}`}, Array.from({length: BOX_COLOURS}, (_, i) => el('button',
    {type: 'button', class: `tint ${colourClass(i)}`, title: `colour ${i + 1} for ${name}`, 'aria-label': `colour ${i + 1}`, 'aria-pressed': String(i === colour),
      onclick: () => changeState(tintState(state, name, i))})));
}

function namedBox(model, state, boxes, i) {
  const {name, text} = boxes[i];
  const answer = askSet(model, state, name);
  const changed = (box) => changeState(boxesState(boxes.map((other, k) => (k === i ? box : other))));
  const moved = (to) => {
    const others = boxes.filter((_, k) => k !== i);
    others.splice(to, 0, boxes[i]);
    changeState(boxesState(others));
  };
  const field = el('input', {class: 'code', value: text, spellcheck: 'false', 'aria-label': `what is in ${name}`,
    onchange: () => (field.value.trim() ? changed({name, text: field.value.trim()}) : null)});
  const live = answer.error ? null : `, ${approx(answer.estimated, bytesText(sum(answer.points, 'live_bytes')))} live at the end`;
  return el('li', {class: 'box named', 'data-set': name}, el('p', {class: 'box-name'}, el('i', {class: `swatch ${colourClass(boxes[i].colour)}`}), ' ', el('b', {class: 'code'}, name),
    colourChoice(state, boxes[i])),
    field, el('p', {class: 'remains'}, amountText(answer), peakText(model, answer), live),
    el('p', {class: 'box-buttons'}, el('a', {href: linkTo({filter: name})}, 'show'),
      button('!', `filter by what is not in ${name}`, () => changeState({filter: `!${name}`})),
      button('↑', `move ${name} up: of chunks in several sets the first one has the colour`, () => moved(i - 1), i === 0),
      button('↓', `move ${name} down`, () => moved(i + 1), i + 1 === boxes.length),
      button('×', `remove ${name}`, () => changeState(boxesState(boxes.filter((_, k) => k !== i))))));
}

function combineForm(model, state, boxes) {
  const choose = (label, values) => el('select', {'aria-label': label}, values.map(([value, text]) => el('option', {value}, text)));
  const names = boxes.map((box) => [box.name, box.name]);
  const first = choose('first set', names), second = choose('second set', names), operation = choose('how', OPERATIONS);
  const name = el('input', {size: 14, placeholder: 'name', 'aria-label': 'name of the new set', class: 'combined-name', spellcheck: 'false'});
  return el('form', {class: 'controls combine', onsubmit: (event) => {
    event.preventDefault();
    saveBox(model, state, name, `${first.value} ${operation.value}${operation.value.endsWith('!') ? '' : ' '}${second.value}`);
  }}, name, ' = ', first, operation, second, el('button', {}, 'add'));
}

function namedPart(model, points, state) {
  const boxes = boxesOf(model, state);
  const name = el('input', {size: 14, placeholder: 'leak', 'aria-label': 'name', class: 'new-name', spellcheck: 'false'});
  const text = el('input', {size: 40, placeholder: 'live_at(end) & size>=64', 'aria-label': 'what is in it', class: 'new-text', spellcheck: 'false'});
  const lines = boxLines(boxes);
  const parts = boxes.length ? dividedByBoxes(model, state) : null;
  return el('section', {'aria-labelledby': 'named-title'}, el('h2', {id: 'named-title'}, 'Sets that have names'),
    el('p', {class: 'lead'}, 'The filter and other sets may use them. ',
      el('a', {href: linkTo({view: 'overview', colour: 'sets'})}, 'Memory over time'), ', the ', el('a', {href: linkTo({view: 'flame', colour: 'sets'})},
        'flame graph'), ', chunks of a point and the ', el('a', {href: linkTo({view: 'memory', paint: 'sets'})}, 'address map'), ' take their colours.'),
    el('ol', {class: 'boxes named'}, boxes.map((_, i) => namedBox(model, state, boxes, i))),
    el('form', {class: 'controls', onsubmit: (event) => {
      event.preventDefault();
      if (text.value.trim()) saveBox(model, state, name, text.value.trim());
    }}, name, ' = ', text, el('button', {}, 'add')),
    boxes.length > 1 ? combineForm(model, state, boxes) : null,
    parts ? boxLegend(parts) : null,
    boxes.length ? el('details', {}, el('summary', {}, 'As a file, for --sets of heapprof-score, -export, -diff and -report'),
      el('textarea', {class: 'code set-lines', readonly: true, rows: boxes.length + 1, cols: 80, 'aria-label': 'the sets as lines of a file'}, `${lines}\n`)) : null);
}

// ---- generations --------------------------------------------------------------------

function generationCell(generation, column, estimated) {
  if (!column) return el('td', {class: 'number'});
  const {chunks, bytes, text} = column;
  return el('td', {class: 'number', 'data-set': text}, chunks ? el('a', {href: linkTo({filter: text, view: 'points', point: ''}),
    title: `${approx(estimated, chunksText(chunks))}: ${text}`}, approx(estimated, bytesText(bytes))) : '0 B',
  el('div', {class: 'note'}, approx(estimated, chunksText(chunks))));
}

function generationsPart(model, points, state) {
  const head = (...rest) => el('section', {'aria-labelledby': 'generations-title'}, el('h2', {id: 'generations-title'}, 'Generations'), rest);
  const result = generationsOf(model, points, state.filter);
  if (result.why) return head(el('p', {class: 'note'}, result.why));
  const {columns, generations, estimated, unasked} = result;
  return head(el('p', {class: 'lead'}, 'A row is what was allocated between two marks of the program; a column what of it was still live at a mark. What stays '
    + 'on the way to the right is kept.'),
  el('div', {class: 'scroll'}, el('table', {class: 'generations'},
    el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, 'Born'), el('th', {scope: 'col', class: 'number'}, 'In all'),
      columns.map(({name, ns}) => el('th', {scope: 'col', class: 'number', title: ns === null ? null : durationText(ns)}, `live at ${name}`)))),
    el('tbody', {}, generations.map((generation) => el('tr', {}, el('th', {scope: 'row'}, generation.name),
      generationCell(generation, generation.all, estimated),
      generation.columns.map((column) => generationCell(generation, column, estimated))))))),
  unasked ? el('p', {class: 'note'}, `${countText(unasked)} points are left out, whose chunks the page does not carry.`) : null);
}

export function drawSets(model, points, state) {
  return [askPart(model, points, state), namedPart(model, points, state), generationsPart(model, points, state)];
}
