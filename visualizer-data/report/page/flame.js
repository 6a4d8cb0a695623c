// flame.js - the call tree as a flame graph that hangs down: width is the measure.
// A tip, where the program allocates, has the colour of its severity.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {boxLegend, boxSwitch, colourClass, dividedByBoxes} from './boxes.js';
import {el} from './dom.js';
import {approx, bytesText, countText, durationText, percentText, placeText, scoreText} from './format.js';
import {buildTree, filterPoints, MEASURES} from './model.js';
import {colourOf, severityClass, severityLegend} from './severity.js';
import {changeState, linkTo, rememberState} from './state.js';

const LEAST = 0.0015; // of the width; narrower is drawn as one rest
const DEEP = 80;      // rows
const ROW = 22;       // pixels
const TRUNK = 0.95;    // of the whole: what is beside it can be had by a click
const PATH = '\u001f'; // between the names of a path

const byValue = (a, b) => b.value - a.value || (a.name < b.name ? -1 : 1);

function pathOf(node) {
  const path = [];
  for (let at = node; at.parent; at = at.parent) path.unshift(at.name);
  return path;
}

function find(root, path) {
  let node = root;
  for (const name of path) {
    const child = node.children.get(name);
    if (!child) break;
    node = child;
  }
  return node;
}

function severityOf(node) {
  return node.self > 0 && node.points.some((p) => p.severity !== null) ? 1 - node.badness / node.self : null;
}

// A frame of several sets has the colour of each, as wide as its share.
function stripes(node, parts) {
  let from = 0;
  const stops = [...node.ofBox].sort((a, b) => (a[0] < 0) - (b[0] < 0) || a[0] - b[0]).map(([number, value]) => {
    const to = from + 100 * value / node.value;
    const stop = `var(--${colourClass(parts.find((part) => part.number === number).colour).replace('band-', 'b')}) ${from.toFixed(2)}% ${to.toFixed(2)}%`;
    from = to;
    return stop;
  });
  return `linear-gradient(90deg, ${stops.join(', ')})`;
}

// The old run's value at each path of the tree, by its measure; null: no colours of change.
function oldTree(model, state, measure, at) {
  if (state.colour !== 'change' || !model.other) return null;
  const {points, error} = filterPoints(model.other.model, state);
  return error ? null : buildTree(points, measure, at, state.library === 'yes', false);
}

const oldValue = (tree, node) => {
  let at = tree;
  for (const name of pathOf(node)) {
    at = at.children.get(name);
    if (!at) return 0;
  }
  return at.value;
};

// Red is more than before, blue less; the stronger, the more of it.
function changeColour(before, after) {
  const share = Math.round(100 * Math.min(1, Math.abs(after - before) / Math.max(before, after, 1)));
  return `color-mix(in srgb, var(--${after > before ? 'more' : 'less'}) ${share}%, var(--inner))`;
}

// The rows of frames for one measure at one instant; `about` tells of the frame that is pointed at.
function graphOf(points, measure, at, state, about, historyEstimated, parts, old) {
  const numberText = MEASURES[measure].unit === 'bytes' ? bytesText : countText;
  const text = (node) => approx(node.estimated, numberText(node.value));
  const root = buildTree(points, measure, at, state.library === 'yes', historyEstimated, parts);
  const top = find(root, state.zoom ? state.zoom.split(PATH) : []);
  const graph = el('div', {class: 'flame', role: 'tree', 'aria-label': `Call tree by ${MEASURES[measure].label}`});
  if (root.value === 0) return el('p', {class: 'note'}, 'Nothing to draw: no point has any of this.');

  const describe = (node) => {
    about.replaceChildren(el('b', {class: 'code'}, node.frame?.function ?? node.name), ' ',
      el('span', {class: 'code'}, placeText(node.frame)),
      ` — ${text(node)}, ${approx(node.estimated, percentText(node.value / root.value))} of all`,
      node.self > 0 ? `; allocates ${approx(node.estimated, numberText(node.self))} itself, severity ${
        approx(node.estimated, scoreText(severityOf(node)))}` : '');
  };
  const lay = (node, left, width, row) => ({left: `${100 * left}%`, width: `${100 * width}%`, top: `${row * ROW}px`});
  let rows = 0;
  const zoomTo = (node) => changeState({zoom: pathOf(node).join(PATH)});
  const put = (node, left, width, row) => {
    rows = Math.max(rows, row + 1);
    const severity = severityOf(node);
    const tip = node.self > node.value / 2 && severity !== null;
    graph.append(el('button', {
      class: `frame ${old ? 'by-change' : parts ? 'by-box' : tip ? severityClass(colourOf(severity)) : 'inner'}`, role: 'treeitem', 'aria-level': row + 1,
      style: {...lay(node, left, width, row), ...(old ? {background: changeColour(oldValue(old, node), node.value)} : parts ? {background: stripes(node, parts)} : {})}, title: `${node.frame?.function ?? node.name}\n${placeText(node.frame)}\n${text(node)}${old ? `, ${numberText(oldValue(old, node))} before` : ''}`,
      onclick: () => zoomTo(node), onmouseenter: () => describe(node), onfocus: () => describe(node)},
    tip ? `${approx(node.estimated, scoreText(severity))} ${node.name}` : node.name));
  };
  const putAll = (node, left, width, row) => {
    put(node, left, width, row);
    if (row > DEEP) return;
    let x = left;
    for (const child of [...node.children.values()].sort(byValue)) {
      const share = width * child.value / node.value;
      if (share < LEAST) break;
      putAll(child, x, share, row + 1);
      x += share;
    }
    const rest = left + width * (node.value - node.self) / node.value - x;
    if (rest < LEAST) return;
    rows = Math.max(rows, row + 2);
    graph.append(el('span', {class: 'frame rest', style: lay(node, x, rest, row + 1), title: 'frames too narrow to draw'}, '…'));
  };
  // Where nothing branches there is nothing to see: the way there is one line.
  const trunk = [];
  for (let node = top.parent; node; node = node.parent) trunk.unshift(node);
  let first = top;
  const onward = (node) => [...node.children.values()].find((c) => c.children.size > 0 && c.value >= TRUNK * root.value);
  for (let next = state.zoom === '' && onward(first); next; next = onward(first)) {
    trunk.push(first);
    first = next;
  }
  putAll(first, 0, 1, 0);
  graph.style.height = `${rows * ROW}px`;
  return [el('div', {class: 'trunk'}, trunk.map((node) => [el('button', {title: node.frame?.function,
    onclick: () => zoomTo(node), onfocus: () => describe(node), onmouseenter: () => describe(node)}, node.name), ' › '])), graph];
}

function changeSwitch(state) {
  const input = el('input', {type: 'checkbox', class: 'by-change', checked: state.colour === 'change', onchange: () => changeState({colour: input.checked ? 'change' : ''})});
  return el('label', {}, input, ' change since the old run');
}

const changeLegend = (measure) => (measure === 'cursor' ? el('span', {class: 'note'}, 'A moment of one run is none of the other: no change is shown.')
  : el('span', {class: 'legend'}, el('i', {style: {background: 'var(--more)'}}), el('span', {}, 'more than in the old run'), el('i', {style: {background: 'var(--less)'}}),
    el('span', {}, 'less'), el('span', {}, 'Widths are those of the new run: what is gone is in the table of Compare.')));

export function drawFlame(model, points, state) {
  const measure = MEASURES[state.measure] ? state.measure : 'bytes_at_global_peak';
  const {high, instant_ns: instants, estimated} = model.timeline;
  const at = state.at === '' ? high.indexOf(Math.max(...high)) : Math.min(Number(state.at) || 0, high.length - 1);
  const about = el('p', {class: 'about', role: 'status'}, 'Point at a frame, or walk with Tab, to read it here; Enter zooms in.');
  const parts = state.colour === 'sets' ? dividedByBoxes(model, state) : null;
  const holder = el('div', {}, graphOf(points, measure, at, state, about, estimated, parts, measure === 'cursor' ? null : oldTree(model, state, measure, at)));

  const choice = el('select', {onchange: () => changeState({measure: choice.value})},
    Object.entries(MEASURES).map(([key, m]) => el('option', {value: key, selected: key === measure}, m.label)));
  const when = el('span', {}, durationText(instants[at]));
  const slider = el('input', {type: 'range', min: 0, max: high.length - 1, value: at, 'aria-label': 'Cursor on the time line',
    oninput: () => {
      rememberState({at: slider.value});
      when.textContent = durationText(instants[slider.value]);
      holder.replaceChildren(...[graphOf(points, measure, Number(slider.value), state, about, estimated, parts, null)].flat());
    }});
  const library = el('input', {type: 'checkbox', checked: state.library === 'yes',
    onchange: () => changeState({library: library.checked ? 'yes' : ''})});
  const without = model.doc.cut.points_without_series + model.doc.cut.points_merged;
  return [el('section', {},
    el('div', {class: 'controls'}, el('label', {}, 'Width: ', choice),
      measure === 'cursor' ? el('label', {class: 'grow'}, 'at ', when, ' ', slider) : null,
      el('label', {}, library, ' frames of libraries, and of functions that only pass memory on'),
      boxSwitch(model, state, changeState), model.other ? changeSwitch(state) : null,
      state.zoom === '' ? null : el('a', {href: linkTo({zoom: ''})}, 'zoom out')),
    about, holder,
    el('div', {class: 'below'}, state.colour === 'change' && model.other ? changeLegend(measure) : parts ? boxLegend(parts) : [severityLegend(), el('span', {class: 'note'},
      'Coloured frames allocate; their number is the severity. Grey ones only call.')]),
    measure === 'cursor' && estimated ? el('p', {class: 'note'},
      'The chunk log was thinned: the share of each frame at one moment is an estimate.') : null,
    measure === 'cursor' && without ? el('p', {class: 'note'},
      `${countText(without)} small points have no history in this report and are missing here.`) : null)];
}
