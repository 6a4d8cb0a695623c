// dom.js - makes elements; text is always text, never markup.
// Names come out of a program under test: nothing here parses HTML.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
const SVG = 'http://www.w3.org/2000/svg';
const GROWTH = 60; // rows that are made at once

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'style') for (const [key, v] of Object.entries(value)) element.style.setProperty(key, v);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
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
