// dom.js - makes elements; text is always text, never markup.
// Names come out of a program under test: nothing here parses HTML.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
const SVG = 'http://www.w3.org/2000/svg';
const GROWTH = 60; // rows that are made at once
const CLAMPED_FROM = 100; // characters

// A character that turns the order of what follows would show a name, or the number behind it, as another one.
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const withoutTurns = (child) => (typeof child === 'string' ? child.replace(TURNS, '\ufffd') : child);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'style') for (const [key, v] of Object.entries(value)) element.style.setProperty(key, v);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false).map(withoutTurns));
  return element;
}

export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// The head of a column; one without a name is no head.
export function columnHead(label, isNumber, help) {
  return label ? el('th', {scope: 'col', class: isNumber ? 'number' : null, title: help}, label) : el('td');
}

// A name in a table: of a long one as many lines as leave the rows around it in sight.
export function clamped(name) {
  return name.length > CLAMPED_FROM ? el('span', {class: 'clamped', title: name}, name) : name;
}

// Children of `parent`, made by `make` of `items` as far as they are seen: more when the end comes into sight, or is
// asked for by the button that is given back. Paper gets what the screen had.
export function growing(parent, items, make, least = 0) {
  const more = el('button', {class: 'more'});
  let shown = 0;
  const grow = (count = GROWTH) => {
    const end = Math.min(items.length, shown + count);
    for (; shown < end; shown++) parent.append(...[make(items[shown], shown)].flat());
    more.textContent = `${items.length - shown} more rows`;
    more.hidden = shown === items.length;
  };
  more.addEventListener('click', () => grow());
  new IntersectionObserver(([entry]) => {
    if (entry.isIntersecting) grow();
  }, {rootMargin: '50%'}).observe(more);
  grow(Math.max(GROWTH, least));
  return more;
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}
