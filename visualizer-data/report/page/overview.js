// overview.js - the first view: what to change, how good the whole is, usage over time.
// Findings come first; each shows its line of source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {boxSwitch, dividedByBoxes} from './boxes.js';
import {shareBar, timelineChart} from './charts.js';
import {clamped, el} from './dom.js';
import {excerpt} from './excerpt.js';
import {approx, bytesText, countText, isNameOf, percentText, placeText, scoreText} from './format.js';
import {scoresOf, windowOf, windowTerm} from './model.js';
import {isAlternative} from './set_language.js';
import {changeState, linkTo, readState, rememberState} from './state.js';

const CALLERS = 8; // that are named in a finding
const WORDS = [
  ['chunk', 'the memory that one malloc, new or realloc gave'],
  ['allocation point', 'a call stack that allocates chunks of a type; # and a number name it'],
  ['peak', 'the moment when most bytes were live, that is allocated and not yet freed'],
  ['access', 'a read or write of the program to a chunk'],
  ['severity', 'the three scores of a point in one: 1 is well used, 0 is wasted'],
];
const SCORES = [
  ['lifetime', 'Lifetime', 'Are chunks kept as long as those allocated with them? Low: allocated again and again.'],
  ['usage', 'Usage', 'Which share of the bytes was ever read or written? Low: too large, or not needed.'],
  ['useful_lifetime', 'Useful life', 'Which share of its life is a chunk in use? Low: allocated early or freed late.'],
];

// Outward of SITE in the stack of POINT; other points of a finding come by other lines of the function.
function callersOf(point, site) {
  const from = point.stack.findIndex((f) => f?.function && isNameOf(f.function, site.function) && (f.line ?? 0) === (site.line ?? 0));
  return from < 0 ? [] : point.stack.slice(from + 1).filter((f) => f && !f.library && f.file).slice(0, CALLERS);
}

// Who calls the place, of the largest point that came by its line: a wrapper of malloc says little by itself.
function wayTo(model, finding) {
  const points = finding.points.map((id) => model.byId.get(id)).filter(Boolean).sort((a, b) => b.bytes - a.bytes);
  const callers = points.map((p) => callersOf(p, finding.site)).find((way) => way.length > 0);
  if (!callers) return null;
  return el('p', {class: 'way'}, points.length > 1 ? 'mostly called by ' : 'called by ', callers.map((f, i) => [i ? ' ← ' : '',
    el('a', {class: 'code', href: linkTo({view: 'source', file: f.file, line: String(f.line ?? '')}), title: placeText(f)},
      clamped(f.name))]));
}

// What is between the place and the allocator, and may be what to change.
function wayThrough(finding) {
  const f = finding.through;
  if (!f?.file) return null;
  return el('p', {class: 'way'}, finding.through_others ? 'mostly through ' : 'through ',
    el('a', {class: 'code', href: linkTo({view: 'source', file: f.file, line: String(f.line ?? '')})}, placeText(f)));
}

function findingCard(model, finding) {
  const {saves, shares} = finding;
  const points = finding.points.filter((id) => model.byId.has(id));
  const about = (text) => approx(finding.estimated, text);
  const saving = (share, amount, unit, whole) => shareBar(share, `saves ${about(amount)} ${unit}`,
    `${about(percentText(share))} ${whole}`);
  return el('li', {class: `finding ${finding.certain ? 'fact' : 'likely'}`},
    el('header', {},
      el('span', {class: 'finding-number'}, finding.number),
      el('span', {class: 'tag'}, finding.action),
      el('span', {class: 'kind'}, finding.certain ? 'fact' : 'likely'),
      el('span', {class: 'code place'}, placeText(finding.site))),
    el('p', {class: 'finding-text'}, finding.text),
    el('p', {class: 'remedy'}, el('b', {}, 'Do: '), finding.remedy),
    excerpt(model, finding.site),
    wayTo(model, finding),
    wayThrough(finding),
    el('div', {class: 'shares'},
      saves.chunks ? saving(shares.allocations, countText(saves.chunks), saves.chunks === 1 ? 'allocation' : 'allocations', 'of all') : null,
      saves.peak_memory_bytes ? saving(shares.memory, bytesText(saves.peak_memory_bytes), `of malloc's memory at the peak, for ${about(bytesText(saves.peak_bytes))} requested`, 'of it') : null,
      saves.copied_bytes ? saving(shares.bytes, bytesText(saves.copied_bytes), 'of copies', 'of all bytes') : null,
      saves.wasted_bytes ? saving(shares.bytes, bytesText(saves.wasted_bytes), 'that nobody uses', 'of all bytes') : null),
    shares.time >= 0.01 ? el('p', {class: 'note'}, `Takes about ${percentText(shares.time)} of the run today.`) : null,
    el('p', {class: 'finding-links'}, 'Allocation points: ',
      points.slice(0, 6).map((id) => [el('a', {href: linkTo({view: 'points', point: String(id)})}, `#${id}`), ' ']),
      points.length > 6 ? `and ${points.length - 6} more` : '', el('span', {class: 'rule'}, `rule: ${finding.rule}`)));
}

function findingsPart(model, points) {
  const shown = new Set(points.map((p) => p.id));
  const findings = model.findings.filter((f) => f.points.some((id) => shown.has(id)));
  const parts = points.some((p) => p.isPart);
  const small = model.doc.findings_too_small;
  return el('section', {'aria-labelledby': 'findings-title'},
    el('h2', {id: 'findings-title'}, 'What to change'),
    findings.length === 0 ? null : el('p', {class: 'lead'}, findings.length === 1 ? 'One place' : `${countText(findings.length)} places`,
      ' where a change would save memory or time. Each says what is wrong, what to do, and what that saves; what costs most '
      + 'today comes first. A fact is waste whatever the program is for, what is likely is waste unless the program needs it so. '
      + 'Its allocation points have the proof.'),
    findings.length === 0 ? el('p', {class: 'good'}, '✓ No findings',
      points !== model.points ? ' in what the filter lets pass.'
        : points.length === 0 ? ': no allocation was recorded.'
        : model.estimated ? ': nothing that samples can show stands out. Short lives, growth and rare points need a full run.'
          : ': nothing stands out. The points are still worth a look.') : null,
    findings.length && parts ? el('p', {class: 'note of-all'}, 'The filter chooses single chunks. Findings are of all chunks of their points, '
      + 'and so is what they save: heapprof-score --findings --filter judges the chunks that pass.') : null,
    findings.length ? el('ol', {class: 'findings'}, findings.map((finding) => findingCard(model, finding))) : null,
    smallNote(small, model.doc.findings_too_small_share), unsearchedNote(model.processes), glossary());
}

// Places that waste little each may waste much together.
function smallNote(small, share) {
  if (!small) return null;
  const together = small > 1 && share >= 0.1;
  return el('p', {class: 'note'}, `${countText(small)} smaller one${small === 1 ? '' : 's'} left out`, together
    ? [`, up to ${percentText(share)} of all allocations together: `, el('a', {href: linkTo({view: 'points', sort: 'chunks'})}, 'the points'), ' say who makes many.']
    : ': too little of everything.');
}

// Where nobody looked, no finding says nothing of leaks.
function unsearchedNote(processes) {
  const reasons = processes.map((p) => p.leak_check).filter((check) => check && check !== 'done');
  if (!reasons.length) return null;
  return el('p', {class: 'note unsearched'}, `Lost chunks were not looked for, as ${reasons[0]}`,
    reasons.length > 1 ? `; nor in ${countText(reasons.length - 1)} others.` : '.');
}

function glossary() {
  return el('details', {class: 'glossary'}, el('summary', {}, 'Words used here'),
    el('dl', {}, WORDS.map(([word, meaning]) => [el('dt', {}, word), el('dd', {}, meaning)])));
}

const MODULES_NAMED = 3;
const NO_MODULE = 'code in no module'; // which nobody can build

function moduleNames(paths) {
  const names = paths.slice(0, MODULES_NAMED).map((path) => path.slice(path.lastIndexOf('/') + 1));
  const more = paths.length - names.length;
  return names.length ? ` (${names.join(', ')}${more ? `, ${more} more` : ''})` : '';
}

function sharedNote({accesses_shared: shared}) {
  if (!shared || shared.points === 0) return null;
  const others = [
    shared.modules.length ? `code without hooks${moduleNames(shared.modules)}` : '',
    shared.unread?.length ? `code without hooks that modules${moduleNames(shared.unread)} may have, whose files are not there as they were loaded` : '',
    shared.functions?.length ? `functions of libc${moduleNames(shared.functions)} that are not counted` : '',
  ].filter(Boolean).join(', and ') || 'children that it forked';
  return el('p', {class: 'note'}, `What the program gives to others may be accessed there, too: ${others}. Usage and useful life are `
    + 'at least these, and what is said of accesses is likely, not certain.');
}

function unseenNote({accesses_unknown: unknown}) {
  if (!unknown || unknown.points === 0) return null;
  const whose = unknown.modules.some((path) => path !== NO_MODULE)
    ? `code without hooks${moduleNames(unknown.modules)}. Build that with heapprof, too, to see them.`
    : 'code in no module that is known.';
  return el('p', {class: 'note'}, `Usage and useful life leave out ${countText(unknown.points)} `
    + `point${unknown.points === 1 ? '' : 's'}, shown as “?”, whose accesses were not seen: allocated by ${whose}`);
}

function scoresPart(model, points) {
  const filtered = points !== model.points;
  const parts = points.filter((p) => p.isPart).length;
  return el('section', {'aria-labelledby': 'scores-title'},
    el('h2', {id: 'scores-title'}, 'How well the heap is used'),
    el('div', {class: 'scores'}, SCORES.map(([key, name, meaning]) => {
      const score = filtered ? scoresOf(points, key) : model.global[key];
      return el('div', {class: 'score'}, el('div', {class: 'score-name'}, name),
        el('div', {class: 'score-number', 'data-score': key}, approx(model.estimated, scoreText(score.geomean)),
          el('small', {}, ' of 1')),
        el('div', {class: 'score-bar'}, el('i', {style: {width: `${100 * Math.max(0, score.geomean ?? 0)}%`}})),
        el('p', {}, meaning),
        el('p', {class: 'note'}, score.points === 0 ? 'Not known for any point.'
          : `Geometric mean of ${countText(score.points)} point${score.points === 1 ? '' : 's'}; plain mean ${approx(model.estimated, scoreText(score.mean))}.`));
    })), filtered ? el('p', {class: 'note'}, 'Of the points that the filter lets pass',
      parts ? `; of ${countText(parts)} only some chunks are, whose scores are not known here: heapprof-score --filter has them.` : '.') : unseenNote(model.global),
    sharedNote(model.global));
}

const withoutWindow = (filter) => filter.split(/\s+/).filter((term) => term && !term.startsWith('time=')).join(' ').replace(/ &$/, '');

function withWindow(filter, window) {
  return !filter ? window : isAlternative(filter) ? `(${filter}) ${window}` : `${filter} ${window}`;
}

export function drawOverview(model, points, state) {
  const at = state.at === '' ? null : Math.min(Number(state.at) || 0, model.timeline.high.length - 1);
  const shown = windowOf(state.filter);
  return [findingsPart(model, points), scoresPart(model, points), model.points.length === 0 ? null
    : el('section', {'aria-labelledby': 'time-title'}, el('h2', {id: 'time-title'}, 'Memory over time'),
      el('div', {class: 'controls'}, boxSwitch(model, state, changeState)),
      timelineChart(model, points, at, (i) => rememberState({at: String(i)}), shown, (begin, end) => changeState({filter:
        withWindow(withoutWindow(state.filter), windowTerm(begin, end))}), state.colour === 'sets' ? dividedByBoxes(model, state) : null),
      shown ? el('p', {class: 'note'}, 'Points that had a chunk in the marked time. ',
        el('a', {href: linkTo({filter: withoutWindow(state.filter)})}, 'Show all'))
        : el('p', {class: 'note help'}, 'Drag over a part of the time to see only the points that had a chunk then.'),
      el('p', {class: 'note help'}, 'Move the cursor, then see ',
        el('a', {href: linkTo({view: 'flame', measure: 'cursor'}), onclick: (event) => {
          event.currentTarget.href = linkTo({view: 'flame', measure: 'cursor', at: readState().at});
        }}, 'who held the bytes at that moment'), '.'))];
}
