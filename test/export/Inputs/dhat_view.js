// dhat_view.js DH-VIEW FILE - what DHAT's own viewer makes of FILE: its tree of callers, printed as JSON.
// The page is a stub; the checks of the file and the tree are the viewer's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
const fs = require("fs");
const vm = require("vm");

const element = () => ({
  childNodes: [], classList: { add() {}, remove() {} }, style: {},
  appendChild(child) { this.childNodes.push(child); return child; },
  setAttribute() {}, addEventListener() {},
});
const document = Object.assign(element(), {
  title: "", body: element(), createElement: element, createTextNode: element,
  location: { search: "" },
});
const code = fs.readFileSync(process.argv[2], "utf8") + `
  gSelect = { childNodes: gSelectData.map(() => ({})), selectedIndex: 0 };
  gData = JSON.parse(text);
  buildTree();
  const plain = (node) => ({
    frames: node._frames.map((f) => gData.ftbl[f]),
    bytes: node._totalBytes, chunks: node._totalBlocks, lives: node._totalLifetimes,
    peak: node._maxBytes, at_peak: node._atTGmaxBytes, at_end: node._atTEndBytes,
    at_end_chunks: node._atTEndBlocks,
    kids: (node._kids || []).map(plain),
  });
  result = JSON.stringify(plain(gRoot));`;
const context = { document, window: {}, performance: { now: () => 0 }, URLSearchParams,
                  text: fs.readFileSync(process.argv[3], "utf8"), result: "" };
vm.runInNewContext(code, context);
console.log(context.result);
