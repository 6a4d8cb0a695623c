// format.js - numbers as a person reads them: three digits and a unit.
// Undefined is a dash; exact numbers are in titles and in the document.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
export const NOTHING = '–';
export const UNSEEN = '?'; // code without hooks owns the chunks: what it did with them nobody saw

// As C prints it: of two that are as near the even one, where toFixed() takes the greater.
function fixed(value, digits) {
  const rounded = value.toFixed(digits);
  if (Math.abs(value * 10 ** digits % 1) !== 0.5 || '02468'.includes(rounded.at(-1))) return rounded;
  const [whole, part = ''] = value.toFixed(60).split('.');
  return /^50*$/.test(part.slice(digits)) ? whole + (digits ? `.${part.slice(0, digits)}` : '') : rounded;
}

function scaled(value, step, units) {
  let unit = 0;
  while (unit + 1 < units.length && value >= step - 0.5) {
    value /= step;
    unit++;
  }
  const digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return `${fixed(value, digits)} ${units[unit]}`;
}

export function bytesText(bytes) {
  if (bytes === null || bytes === undefined) return NOTHING;
  if (bytes < 1024) return `${Math.round(bytes)} B`;
  return scaled(bytes / 1024, 1024, ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']);
}

export function countText(count) {
  if (count === null || count === undefined) return NOTHING;
  if (count <= 999999) return Math.round(count).toLocaleString('en').replaceAll(',', '\u202f');
  return scaled(count / 1e6, 1000, ['M', 'G', 'T', 'P', 'E']);
}

// 1 thread, 2 threads.
export function countedText(count, one) {
  return `${countText(count)} ${one}${count === 1 ? '' : 's'}`;
}

export const chunksText = (count) => countedText(count, 'chunk');

export function durationText(ns) {
  if (ns === null || ns === undefined) return NOTHING;
  if (ns < 999.5) return `${Math.round(ns)} ns`;
  return scaled(ns / 1000, 1000, ['µs', 'ms', 's']);
}

// "~" stands before every number that was estimated.
export function approx(estimated, text) {
  return estimated && text !== NOTHING ? text.replace(/^(< )?/, '$&~') : text;
}

// With the standard error of an estimate, where it has one.
export function withError(estimated, value, error, text) {
  const known = estimated && value !== null && error > 0;
  const shown = known ? text(error) : '';
  return approx(estimated, text(value)) + (known ? ` ± ${shown === '0.00' ? '< 0.01' : shown}` : '');
}

// As heapprof-score has it: code that is not counted may have accessed more.
export function atLeast(shared, share, text) {
  return shared && share !== null && share < 0.995 ? `>${text.replace(/^< /, '')}` : text;
}

export function scoreText(score) {
  return score === null || score === undefined ? NOTHING : fixed(score, 2);
}

export function percentText(share) {
  if (share === null || share === undefined) return NOTHING;
  if (share > 0 && share < 0.001) return '< 0.1 %';
  return `${fixed(100 * share, share < 0.0995 ? 1 : 0)} %`;
}

export function baseName(path) {
  return path ? path.slice(path.lastIndexOf('/') + 1) : '';
}

// ":12"; ":~12" where the compiler gave the call no line and this is the nearest before it.
export function lineText(frame) {
  return frame.line ? `:${frame.line_is_near ? '~' : ''}${frame.line}` : '';
}

// A function without a name is its address in its module.
export function isAddress(name) {
  return /^0x[0-9a-f]+$/.test(name);
}

export const NAME_GAP = ' ... '; // in the document, in place of the middle of a long name

// NAME is what a frame has of the name WHOLE.
export function isNameOf(name, whole) {
  const gap = name.indexOf(NAME_GAP);
  return name === whole || (gap >= 0 && whole.startsWith(name.slice(0, gap)) && whole.endsWith(name.slice(gap + NAME_GAP.length)));
}

// "tree.c:12", or what else is known of where a frame is.
export function placeText(frame) {
  if (!frame) return '';
  if (frame.file) return baseName(frame.file) + lineText(frame);
  return isAddress(frame.function) ? '' : baseName(frame.module);
}
