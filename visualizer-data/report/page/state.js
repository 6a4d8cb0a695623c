// state.js - what is shown, kept in the fragment of the URL: a link shows the same.
// The only state there is; views are drawn from it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
export const DEFAULTS = {view: 'overview', filter: '', measure: 'bytes_at_global_peak', at: '', zoom: '', library: '',
  sort: 'bytes_at_global_peak', down: '', point: '', file: '', line: '', theme: '',
  moment: '', paint: '', cell: '', process: '', record: '', sets: '', tints: '', off: '', colour: '', change: '', by: ''};

// Every link of the page asks.
let known = {hash: null, state: null};

export function readState() {
  if (known.hash !== location.hash) {
    const parameters = new URLSearchParams(location.hash.slice(1));
    const state = {};
    for (const [name, value] of Object.entries(DEFAULTS)) state[name] = parameters.get(name) ?? value;
    known = {hash: location.hash, state};
  }
  return known.state;
}

export function hashOf(state) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(DEFAULTS)) {
    if (state[name] !== value) parameters.set(name, state[name]);
  }
  return `#${parameters}`;
}

// A new place in the history, unless `quiet`, as while typing.
export function changeState(change, quiet = false) {
  const hash = hashOf({...readState(), ...change});
  if (hash === (location.hash || '#')) return;
  if (quiet) history.replaceState(null, '', hash);
  else history.pushState(null, '', hash);
  dispatchEvent(new Event('hashchange'));
}

// For what has drawn itself already, as while dragging.
export function rememberState(change) {
  history.replaceState(null, '', hashOf({...readState(), ...change}));
}

export function linkTo(change) {
  return hashOf({...readState(), ...change});
}
