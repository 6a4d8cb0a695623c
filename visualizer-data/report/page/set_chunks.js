// set_chunks.js - the chunks that the document carries: columns of numbers, a row's chunks side by side, in order of time.
// Where it has not all of a row's, each stands for as many as were left out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
const LOG_COLUMNS = ['begun', 'life', 'flags', 'size', 'thread', 'freeThread', 'reads', 'writes', 'interval', 'first', 'last', 'freed', 'weight'];
const CHUNK_IS_LIVE = 1;
const CHUNK_IS_ACCESSED = 2;

async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function readColumn(bytes, from, count) {
  const column = new Float64Array(count);
  let at = from;
  for (let i = 0; i < count; i++) {
    let value = 0, scale = 1;
    while (bytes[at] & 0x80) {
      value += (bytes[at++] & 0x7f) * scale;
      scale *= 128;
    }
    column[i] = value + bytes[at++] * scale;
  }
  return [column, at];
}

// Ticks of the process, as nanoseconds; rounded down to the last one, as the library does.
export function nsOf(ticks, rate) {
  const whole = Math.floor(ticks / rate), rest = (ticks - whole * rate) * 1e9 / rate;
  const near = Math.round(rest);
  const ns = Math.abs(rest - near) < 1e-5 ? Number(BigInt(ticks - whole * rate) * 1000000000n / BigInt(rate)) : Math.floor(rest);
  return whole * 1e9 + ns;
}

// Row r has the chunks from begins[r] up to begins[r + 1]; `t0` and `t1` are ticks of its process.
export async function readChunks(log) {
  const begins = [0];
  for (const kept of log.kept) begins.push(begins.at(-1) + kept);
  const bytes = await inflate(log.columns);
  const chunks = {begins, count: begins.at(-1)};
  let at = 0;
  for (const name of LOG_COLUMNS) [chunks[name], at] = readColumn(bytes, at, chunks.count);
  const {begun, life, flags, weight} = chunks;
  chunks.t0 = begun;
  chunks.t1 = life;
  for (let row = 0; row + 1 < begins.length; row++) {
    const share = log.log_chunks[row] / log.kept[row];
    for (let i = begins[row]; i < begins[row + 1]; i++) {
      if (i > begins[row]) begun[i] += begun[i - 1];
      life[i] += begun[i];
      weight[i] *= share;
    }
  }
  chunks.live = Uint8Array.from(flags, (f) => (f & CHUNK_IS_LIVE ? 1 : 0));
  chunks.accessed = Uint8Array.from(flags, (f) => (f & CHUNK_IS_ACCESSED ? 1 : 0));
  return chunks;
}

// Where a chunk's life ends, in ticks: it is one at least, and what is never freed lasts beyond the window.
export function endOf(chunks, i, window) {
  const end = Math.max(chunks.t1[i], chunks.t0[i] + 1);
  return chunks.live[i] && end <= window ? window + 1 : end;
}

// Beginnings and ends in order of time, ends first: calls see(time, bytes that begin or, below 0, end).
export function walkLives(lives, see) {
  const count = lives.length;
  const order = new Uint32Array(2 * count).map((_, i) => i);
  const timeOf = (n) => (n < count ? lives[n].begin : lives[n - count].end);
  const times = Float64Array.from({length: 2 * count}, (_, n) => timeOf(n));
  order.sort((a, b) => times[a] - times[b] || (a < count) - (b < count));
  for (const n of order) see(times[n], n < count ? lives[n].bytes : -lives[n - count].bytes);
}

export function mostLive(lives) {
  let live = 0, most = 0;
  walkLives(lives, (_, bytes) => {
    live += bytes;
    most = Math.max(most, live);
  });
  return Math.round(most);
}
