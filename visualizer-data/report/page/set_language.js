// set_language.js - reads the language of sets, docs/sets.md, into a tree: the same texts as the library, the same errors.
// SET_KEYS, put in front by the build, is the library's table of keys. Texts are bytes here, a character each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
const SET_DEPTH = 64; // of parentheses, ! and sets in sets together
const SET_FLAGS = ['unused', 'write_only', 'read_only', 'top_bytes', 'top_chunks', 'growing', 'short_lived', 'allocated_early', 'freed_late',
  'low_coverage', 'multithread', 'freed_elsewhere', 'never_freed', 'zero_size', 'overrun', 'lost', 'lost_indirectly', 'still_reachable'];
const SET_SIGNS = ['==', '!=', '<=', '>=', '=', '<', '>'];
const SET_FORMS = {TEXT: '=PATTERN', BYTES: '>=64KiB', TIME: '<1ms', COUNT: '=3', SHARE: '<50%', INSTANT: '(200ms..1.5s)',
  DONE: '(200ms..1.5s)', MOMENT: '(end)', PERCENT: '(10%)', FUNCTION: '(PATTERN)'};
const BYTE_UNITS = {'': 1, B: 1, KiB: 1024, MiB: 1048576, GiB: 1073741824};
const TIME_UNITS = {ns: 1, us: 1e3, ms: 1e6, s: 1e9};
const MUST_BE = {BYTES: 'bytes such as 64, 64B, 4KiB, 1.5MiB', TIME: 'a time such as 500us, 1ms, 2s',
  SHARE: 'bytes such as 64 or 4KiB, or percent of the size such as 50%', PERCENT: 'percent such as peak(10%)', COUNT: 'a whole number'};
const POINT_KINDS = ['INSTANT', 'DONE', 'MOMENT', 'PERCENT', 'FUNCTION']; // that may have parentheses
const FIRST_OF_CHUNKS = Object.keys(SET_KEYS).indexOf('size');

// A character for each byte of UTF-8, so that columns and "?" count as in the library.
export function bytesOf(text) {
  return /^[\0-\x7f]*$/.test(text) ? text : String.fromCharCode(...new TextEncoder().encode(text));
}

export function textOf(bytes) {
  return /^[\0-\x7f]*$/.test(bytes) ? bytes : new TextDecoder().decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));
}

export class SetError extends Error {
  constructor(message, column) {
    super(`${textOf(message)} (at column ${column})`);
    this.column = column;
  }
}

export const isOfChunks = (key) => Object.keys(SET_KEYS).indexOf(key) >= FIRST_OF_CHUNKS;

// ---- letters ---------------------------------------------------------------------

const isBlank = (c) => c === ' ' || c === '\t' || c === '\n';
const isWord = (c) => c !== undefined && /[A-Za-z0-9_]/.test(c);
const isDigit = (c) => c !== undefined && c >= '0' && c <= '9';
const matchLength = (text, at, pattern) => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
};
const wordLength = (text, at) => (isDigit(text[at]) ? 0 : matchLength(text, at, /[A-Za-z0-9_]*/y));
const blanksAt = (text, at) => matchLength(text, at, /[ \t\n]*/y);

// Behind "operator" the signs are its name.
function operatorLength(text, begin, at) {
  if (at - begin < 8 || text.slice(at - 8, at) !== 'operator') return 0;
  return text.startsWith('()', at) ? 2 : matchLength(text, at, /[&|<>=!+\-*/%^~,[\]]*/y);
}

function patternLength(text, begin) {
  let round = 0, angle = 0, at = begin;
  while (at < text.length && !isBlank(text[at])) {
    const name = operatorLength(text, begin, at);
    if (name) {
      at += name;
      continue;
    }
    const c = text[at];
    if ((c === ')' && !round) || ((c === '&' || c === '|') && !round && !angle)) break;
    round += (c === '(') - (c === ')');
    angle += c === '<' ? 1 : c === '>' && angle ? -1 : 0;
    at++;
  }
  return at - begin;
}

class SetReader {
  constructor(text, names, depth) {
    Object.assign(this, {text, names, depth, at: 0});
  }

  fail(message, at = this.at) {
    throw new SetError(message, at + 1);
  }

  get letter() {
    return this.text[this.at];
  }

  skip() {
    this.at += blanksAt(this.text, this.at);
  }

  take(length) {
    this.at += length;
    return this.text.slice(this.at - length, this.at);
  }

  quoted() {
    const begin = this.at++;
    let text = '';
    for (; this.at < this.text.length && this.letter !== '"'; this.at++) {
      if (this.letter === '\\' && this.at + 1 < this.text.length) this.at++;
      text += this.letter;
    }
    if (this.at >= this.text.length) this.fail('this quotation mark has no end', begin);
    this.at++;
    if (text === '') this.fail('a term has no pattern', begin);
    return text;
  }

  pattern() {
    if (this.letter === '"') return this.quoted();
    const length = patternLength(this.text, this.at);
    if (!length) this.fail('a term has no pattern');
    return this.take(length);
  }
}

// ---- numbers and times -----------------------------------------------------------

// Digits and one point, and one of the units; null: it is none.
function readNumber(text, units) {
  const digits = /^[0-9.]*/.exec(text)[0];
  const unit = text.slice(digits.length);
  if (!/^\d+\.?\d*$/.test(digits) || digits.length >= 64 || !Object.hasOwn(units, unit)) return null;
  const number = Number(digits) * units[unit];
  return number < 2 ** 63 ? number : null;
}

function readValue(kind, text) {
  const percent = readNumber(text, {'%': 1});
  switch (kind) {
  case 'BYTES': return {number: readNumber(text, BYTE_UNITS)};
  case 'TIME': return {number: readNumber(text, TIME_UNITS)};
  case 'SHARE': return percent === null ? {number: readNumber(text, BYTE_UNITS)} : {number: percent, isPercent: true};
  case 'PERCENT': return {number: percent === null || percent > 100 ? null : percent};
  default: return {number: text.includes('.') ? null : readNumber(text, {'': 1})};
  }
}

function takeValue(reader, key, kind) {
  const begin = reader.at;
  const text = reader.take(matchLength(reader.text, begin, /[A-Za-z0-9.%_]*/y));
  const value = readValue(kind, text);
  // Such as "-1", of which no letter is a value's.
  const told = text || reader.text.slice(begin, begin + patternLength(reader.text, begin));
  if (value.number === null) reader.fail(`${key} is compared with ${MUST_BE[kind]}, not "${told.slice(0, 40)}"`, begin);
  return value;
}

// ---- instants --------------------------------------------------------------------

function instantLength(text, begin) {
  let at = begin;
  while (at < text.length && !isBlank(text[at]) && !'()&|!'.includes(text[at]) && !text.startsWith('..', at)) at++;
  return at - begin;
}

function takeInstant(reader) {
  const begin = reader.at;
  if (reader.letter === '"') return {kind: 'mark', mark: reader.quoted()};
  const length = instantLength(reader.text, begin);
  if (!length) reader.fail('an instant is missing: start, peak, end, a mark\'s name, or a time since the start such as 250ms');
  const text = reader.take(length);
  if (text === 'end' || text === 'peak') return {kind: text};
  if (text === 'start') return {kind: 'time', ns: 0};
  if (!isDigit(text[0])) return {kind: 'mark', mark: text};
  const ns = readNumber(text, TIME_UNITS);
  if (ns === null) reader.fail(`a time since the start has a unit, such as 250ms; not "${text.slice(0, 40)}"`, begin);
  return {kind: 'time', ns: Math.floor(ns)};
}

function takeRange(reader, key) {
  const begin = reader.at;
  const isRange = () => reader.text.startsWith('..', reader.at);
  let from = null, to = null;
  reader.skip();
  if (!isRange()) from = takeInstant(reader);
  reader.skip();
  if (!isRange()) reader.fail(`${key} takes two instants, such as ${key}(200ms..1.5s) or ${key}(mark1..)`, begin);
  reader.at += 2;
  reader.skip();
  if (reader.letter !== ')') to = takeInstant(reader);
  if (!from && !to) reader.fail('a range begins or ends somewhere', begin);
  return {isRange: true, from, to};
}

// ---- terms -----------------------------------------------------------------------

function takeArguments(reader, key, kind) {
  const open = reader.at++;
  let node = {};
  reader.skip();
  if (kind === 'INSTANT' || kind === 'DONE') node = takeRange(reader, key);
  else if (kind === 'MOMENT') {
    node = {from: takeInstant(reader)};
    if (reader.text.startsWith('..', reader.at)) reader.fail('live_at takes one instant');
  } else if (kind === 'PERCENT') node = takeValue(reader, key, kind);
  else node = {pattern: reader.pattern()};
  reader.skip();
  if (reader.letter !== ')') reader.fail('this ( has no )', open);
  reader.at++;
  return node;
}

const RANKS = /^\d{1,9}(-\d{1,9})?(,\d{1,9}(-\d{1,9})?)*$/;

function checkText(reader, key, pattern, at) {
  if (key === 'flag' && !SET_FLAGS.includes(pattern)) {
    reader.fail(`no flag is named "${pattern.slice(0, 40)}"; flags are ${SET_FLAGS.join(', ')}`, at);
  }
  if (key === 'accesses' && !['known', 'shared', 'unknown'].includes(pattern)) {
    reader.fail(`accesses= is known, shared or unknown, not "${pattern.slice(0, 40)}"`, at);
  }
  if (key === 'rank' && !RANKS.test(pattern)) reader.fail(`rank=${pattern.slice(0, 40)}: not a list of ranks such as 0,3-5`, at);
  if (key === 'point' && !/^#?\d+(,#?\d+)*$/.test(pattern)) {
    reader.fail(`point= takes numbers of points, such as 608 or 2,3,4, not "${pattern.slice(0, 40)}"`, at);
  }
}

const signAt = (text, at) => SET_SIGNS.find((sign) => text.startsWith(sign, at));

function takeCompared(reader, key, kind, sign, isSpaced) {
  const isText = kind === 'TEXT';
  const compare = {'==': '=', '!=': '='}[sign] ?? sign;
  if (['MOMENT', 'PERCENT', 'FUNCTION'].includes(kind) || (isText && compare !== '=')) reader.fail(`${key} is written as in ${key}${SET_FORMS[kind]}`);
  reader.at += sign.length;
  const node = {compare, isNegated: sign === '!='};
  if (!isText || isSpaced) reader.skip();
  if (kind === 'INSTANT' || kind === 'DONE') return {...node, from: takeInstant(reader)};
  if (!isText) return {...node, ...takeValue(reader, key, kind)};
  const at = reader.at;
  const pattern = reader.pattern();
  checkText(reader, key, pattern, at);
  return {...node, pattern};
}

function takeKeyed(reader, key) {
  const kind = SET_KEYS[key];
  const begin = reader.at;
  reader.at += key.length;
  const behind = reader.at;
  reader.skip();
  const sign = signAt(reader.text, reader.at);
  if (sign) return takeCompared(reader, key, kind, sign, reader.at > behind);
  reader.at = behind;
  if (reader.letter === '(' && POINT_KINDS.includes(kind)) return takeArguments(reader, key, kind);
  if (kind !== 'DONE') reader.fail(`${key} is written as in ${key}${SET_FORMS[kind]}`, begin);
  return {isDone: true};
}

// The key that stands here as one: what is text needs its "=", so that "file" alone is a pattern.
function keyAt(text, at, length) {
  const key = text.slice(at, at + length);
  if (!Object.hasOwn(SET_KEYS, key)) return null;
  if (text[at + length] === '(') return POINT_KINDS.includes(SET_KEYS[key]) ? key : null;
  const behind = at + length + blanksAt(text, at + length);
  return signAt(text, behind) || SET_KEYS[key] === 'DONE' ? key : null;
}

// Behind a word that is no key: the sign of a comparison, of "<" and its like only with a number, since names of templates have these.
function signBehind(text, at, length) {
  const gap = blanksAt(text, at + length);
  const sign = operatorLength(text, at, at + length) ? null : signAt(text, at + length + gap);
  if (!length || !sign) return null;
  if (['==', '!=', '='].includes(sign)) return sign;
  const behind = at + length + gap + sign.length;
  return matchLength(text, behind, /[ \t\n]*[0-9][A-Za-z0-9.%_]*(?=[ \t\n)&|]|$)/y) ? sign : null;
}

function takeTerm(reader) {
  const {text, at} = reader;
  if ((text.startsWith('old:', at) || text.startsWith('new:', at)) && wordLength(text, at + 4)) {
    const key = reader.take(4).slice(0, 3);
    return {kind: 'term', key, column: at + 1, name: reader.take(wordLength(text, at + 4))};
  }
  const length = wordLength(text, at);
  const key = keyAt(text, at, length);
  if (key) return {kind: 'term', key, column: at + 1, ...takeKeyed(reader, key)};
  const word = text.slice(at, at + length);
  if (word === 'time' && text[at + length] === '=') return takeTimeTerm(reader);
  const sign = signBehind(text, at, length);
  if (sign) {
    reader.fail(`"${word.slice(0, 40)}${sign}" is unknown; terms are function=, file=, module=, type=, flag=, rank=, point=, those of `
      + `docs/sets.md, or a pattern (in quotation marks if it has a ${sign})`);
  }
  return {kind: 'term', key: 'any', column: at + 1, pattern: reader.pattern()};
}

// The page's own: points that had a chunk in the window, all their chunks.
function takeTimeTerm(reader) {
  const column = reader.at + 1;
  reader.at += 'time='.length;
  const at = reader.at;
  const text = reader.take(patternLength(reader.text, at));
  const window = parseWindow(text);
  if (!window) reader.fail(`"${text.slice(0, 40)}" is no time window; write one as 200ms..1.5s`, at);
  return {kind: 'term', key: 'time', column, window};
}

// "200ms..1.5s", either end may be missing: [begin, end] in nanoseconds.
export function parseWindow(text) {
  const match = /^(?:([\d.]+)(ns|us|ms|s))?\.\.(?:([\d.]+)(ns|us|ms|s))?$/.exec(text);
  if (!match) return null;
  return [match[1] ? Number(match[1]) * TIME_UNITS[match[2]] : 0, match[3] ? Number(match[3]) * TIME_UNITS[match[4]] : Infinity];
}

// ---- operators -------------------------------------------------------------------

const tooDeep = (reader, at) => reader.fail(`more than ${SET_DEPTH} levels of parentheses, ! and sets in sets`, at);

// What holds of a part holds of the whole: how deep it is, and the first term of it that is of chunks.
function wholeOf(kind, column, parts) {
  return {kind, column, parts, depth: 1 + Math.max(0, ...parts.map((part) => part.depth)),
    chunkTerm: parts.find((part) => part.chunkTerm)?.chunkTerm ?? null};
}

function takeNamed(reader, set) {
  const at = reader.at;
  reader.at += set.name.length;
  if (reader.depth === SET_DEPTH) tooDeep(reader, at);
  const root = openSet(set, reader.names, reader.depth + 1);
  const node = {kind: 'named', column: at + 1, set, root, depth: root.depth + 1, chunkTerm: root.chunkTerm && {key: root.chunkTerm.key, column: at + 1},
    parts: []};
  if (node.depth > SET_DEPTH) tooDeep(reader, at);
  return node;
}

function takeOne(reader) {
  reader.skip();
  const at = reader.at;
  const letter = reader.letter;
  if (letter === undefined) reader.fail('a condition is missing at the end');
  if (')&|'.includes(letter)) reader.fail(`a condition is missing before ${letter}`);
  if (letter !== '!' && letter !== '(') {
    const word = reader.text.slice(at, at + patternLength(reader.text, at));
    const set = reader.names.find((s) => s.name === word);
    if (set) return takeNamed(reader, set);
    const term = takeTerm(reader);
    return {...term, depth: 1, parts: [], chunkTerm: isOfChunks(term.key) ? term : null};
  }
  if (reader.depth === SET_DEPTH) tooDeep(reader, at);
  reader.depth++;
  const node = letter === '(' ? takeGroup(reader) : takeNot(reader);
  reader.depth--;
  if (node.depth > SET_DEPTH) tooDeep(reader, at);
  return node;
}

function takeGroup(reader) {
  const open = reader.at++;
  const node = takeAny(reader);
  if (reader.letter !== ')') reader.fail('this ( has no )', open);
  reader.at++;
  return node;
}

function takeNot(reader) {
  const at = reader.at++;
  reader.skip();
  if (reader.letter === undefined) reader.fail('a term has no pattern', at);
  return wholeOf('not', at + 1, [takeOne(reader)]);
}

function takeOperator(reader, sign) {
  reader.skip();
  if (reader.letter !== sign) return false;
  reader.at += reader.text[reader.at + 1] === sign ? 2 : 1;
  return true;
}

// `spans` say where each part stands, for who shows them one by one.
function takeAll(reader) {
  const begin = reader.at;
  const parts = [];
  do {
    reader.skip();
    const from = reader.at;
    parts.push(takeOne(reader));
    parts.at(-1).span = [from, reader.at];
  } while (takeOperator(reader, '&') || (reader.letter !== undefined && !'|)'.includes(reader.letter)));
  return parts.length > 1 ? wholeOf('all', begin + 1, parts) : parts[0];
}

function takeAny(reader) {
  const begin = reader.at;
  const parts = [];
  do parts.push(takeAll(reader)); while (takeOperator(reader, '|'));
  return parts.length > 1 ? wholeOf('any', begin + 1, parts) : parts[0];
}

// `names` are sets, {name, text}, which keep what they were read to; throws SetError.
export function parseSet(text, names = [], depth = 0) {
  const reader = new SetReader(bytesOf(text), names, depth);
  reader.skip();
  if (reader.letter === undefined) return wholeOf('all', 1, []);
  const root = takeAny(reader);
  if (reader.letter !== undefined) reader.fail('this ) has no (');
  if (root.depth > SET_DEPTH) tooDeep(reader, 0);
  return root;
}

function openSet(set, names, depth) {
  if (set.root) return set.root;
  if (set.isOpen) throw Object.assign(new Error(`the set ${set.name} is part of itself`), {inSet: true});
  set.isOpen = true;
  try {
    set.root = parseSet(set.text, names, depth);
    return set.root;
  } catch (error) {
    throw error.inSet ? error : Object.assign(new Error(`set ${set.name}: ${error.message}`), {inSet: true});
  } finally {
    set.isOpen = false;
  }
}

export const isSetName = (text) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !Object.hasOwn(SET_KEYS, text);

// Whether TEXT is one thing or another, so that it needs parentheses beside "&".
export function isAlternative(text, names = []) {
  try {
    return parseSet(text, names.map(({name, text: of}) => ({name, text: of}))).kind === 'any';
  } catch {
    return false;
  }
}
