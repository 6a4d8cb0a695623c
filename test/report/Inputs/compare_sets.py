# compare_sets.py PAGE HEAPPROF-SCORE DUMP COUNT [SEED] [members] - asks COUNT generated sets of a page and of heapprof-score: the same points, numbers, errors.
# Each is asked by the page's own modules, in the page; a part of the texts is damaged, so that errors are compared, too.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import random
import subprocess
import sys

from webdriver import Browser

page, command, dump, count = *sys.argv[1:4], int(sys.argv[4])
words = sys.argv[5:]
asks_members = "members" in words
seed = int(next((word for word in words if word.isdigit()), 29))
score = json.loads(subprocess.run([command, "--json", dump], stdout=subprocess.PIPE, check=True).stdout)
dice = random.Random(seed)
SUMS = ("chunks", "bytes", "live_chunks", "live_bytes", "reads", "writes", "bytes_accessed", "bytes_at_global_peak", "peak_bytes")

# ---- texts --------------------------------------------------------------------------

frames = [frame for point in score["points"] for frame in point["stack"]]
names = {key: sorted({frame[key] for frame in frames if frame[key]}) for key in ("function", "file", "module")}
names["type"] = sorted({point["type"] for point in score["points"] if point["type"]}) or ["none"]
process = score["processes"][0]
marks = sorted({mark["name"] for mark in process.get("marks", [])})
window = process["window_ns"]


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' if any(c in ' "()&|!<>=,' for c in text) else text


def pattern(kind):
    text = dice.choice(names[kind])
    cut = dice.choice((text, text[:max(1, len(text) // 2)], text[len(text) // 2:], "*" + text[1:], text[:2] + "*", text.replace("e", "?", 1), "nowhere"))
    return quoted(cut or "x")


def instant():
    return dice.choice(["start", "peak", "end", f"{dice.randrange(0, window + 1)}ns", f"{dice.randrange(0, window // 1000 + 1)}us", *marks * 3])


def value_range():
    return dice.choice((f"({instant()}..{instant()})", f"(..{instant()})", f"({instant()}..)"))


def member_term():
    return (f"member_{dice.choice(('read', 'written', 'unused'))}{dice.choice(('=', '=', '!='))}"
            f"{dice.choice(('key', 'spare', 'next', 'at.x', 'at.*', 'ey', '*', 'node', '*e*'))}")


def term():
    if asks_members and dice.random() < 0.5:
        return member_term()
    sign = dice.choice(("=", "!=", "<", "<=", ">", ">=", " == "))
    point = dice.choice(score["points"])
    size = point["size"][dice.choice(("min", "max"))]
    life = point["lifetime_ns"]["max"] or 1000
    return dice.choice((
        lambda: f"{dice.choice(('function', 'file', 'module', 'type'))}{dice.choice(('=', '!='))}{pattern(dice.choice(('function', 'file', 'type')))}",
        lambda: pattern(dice.choice(("function", "file", "type"))),
        lambda: f"flag={dice.choice(('unused', 'write_only', 'never_freed', 'short_lived', 'top_bytes'))}",
        lambda: f"point={point['id']}", lambda: f"point=1,{point['id']}",
        lambda: f"pool={dice.choice(('nodes', 'no*', 'x'))}", lambda: f"accesses={dice.choice(('known', 'shared', 'unknown'))}",
        lambda: f"size{sign}{size}", lambda: f"size{sign}{dice.choice((64, '1KiB', '0.5KiB', '1MiB'))}",
        lambda: f"lifetime{sign}{max(1, int(life) // 2)}ns", lambda: f"lifetime{sign}{dice.choice(('1us', '10us', '1ms'))}",
        lambda: f"thread{sign}{dice.randrange(0, 4)}", lambda: f"free_thread{sign}{dice.randrange(0, 4)}",
        lambda: f"reads{sign}{dice.randrange(0, 3)}", lambda: f"writes{sign}{dice.randrange(0, 3)}",
        lambda: f"interval{sign}{dice.choice(('1B', '8', '50%', '100%', '0'))}",
        lambda: f"born{value_range()}", lambda: f"died{value_range()}", lambda: "died", lambda: f"born{sign}{instant()}", lambda: f"died{sign}{instant()}",
        lambda: f"live_at({instant()})", lambda: f"peak({dice.choice((0, 1, 10, 50, 100))}%)",
        lambda: f"{dice.choice(('sze', 'm<3', 'operator'))}{sign}{dice.choice(('3', '3>', 'x', '4KiB'))}",
        lambda: f"freed_in({pattern('function')})", lambda: f"free_site={pattern('function')}"))()


def text(depth=3):
    if depth == 0 or dice.random() < 0.3:
        return term()
    if dice.random() < 0.25:
        return f"!({text(depth - 1)})" if dice.random() < 0.5 else f"!{term()}"
    sign = dice.choice((" & ", "&", " | ", " || ", " && ", " "))
    return f"({text(depth - 1)}){sign}{text(depth - 1)}" if dice.random() < 0.3 else f"{text(depth - 1)}{sign}{text(depth - 1)}"


def damaged(whole):
    at = dice.randrange(len(whole))
    return whole[:at] + dice.choice(("", "(", ")", "&", "!", "|", '"', "<", "..", "KB", "é", "%")) + whole[at + dice.randrange(0, 3):]


# "time=" is the page's own.
texts = ["", *((damaged(text(2)) if number % 4 == 0 else text()).replace("|time", "|").replace("(time", "(") for number in range(count))]

# ---- both answers -------------------------------------------------------------------


def by_command(expression):
    done = subprocess.run([command, "--json", "--filter", expression, dump], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        return {"error": done.stderr.decode().strip().removeprefix("heapprof-score: ").removeprefix("filter: ")}
    answer = json.loads(done.stdout)
    known = answer["set"]
    return {"points": {str(p["id"]): [p[name] for name in SUMS] for p in answer["points"]},
            "estimated": bool(known and known["from_log"] and known["estimated"]),
            "peak": known["peak_bytes"] if known else None}


def modules():
    """The page's modules up to the model, as a function's body."""
    here = os.path.join(os.path.dirname(__file__), "..", "..", "..", "visualizer-data")
    rows = [line.strip()[len("HP_SET_KEY("):-1].split(", ") for line in open(os.path.join(here, "query/set_keys.def"), encoding="utf-8")
            if line.startswith("HP_SET_KEY(")]
    script = f"const SET_KEYS = {json.dumps({row[0]: row[2] for row in rows})};\n"
    for name in ("format", "set_language", "set_boxes", "set_chunks", "set_points", "model"):
        for line in open(os.path.join(here, f"report/page/{name}.js"), encoding="utf-8"):
            script += "" if line.startswith("import ") else line.removeprefix("export ")
    return script


ASK = """
const [texts, sums] = arguments, done = arguments[arguments.length - 1];
const model = readModel(JSON.parse(document.getElementById('document').textContent));
readChunks(model.doc.log).then((chunks) => {
  model.chunks = chunks;
  done(texts.map((text) => {
    const {points, error, estimated, isOfLog} = askSet(model, {sets: '', filter: text}, text);
    return error ? {error} : {estimated: Boolean(isOfLog && estimated), peak: peakOfSet(model, points),
      points: Object.fromEntries(points.map((p) => [p.id, sums.map((name) => p[name])]))};
  }));
});
"""

browser = Browser()
try:
    browser.open("file://" + os.path.abspath(page))
    answers = browser.ask("/execute/async", {"script": modules() + ASK, "args": [texts, list(SUMS)]})
    complaints = browser.complaints()
finally:
    browser.close()

faults = list(complaints)
errors = parts = 0
for expression, found in zip(texts, answers):
    expected = by_command(expression)
    errors += "error" in expected
    parts += len(expected.get("points", {})) not in (0, len(score["points"]))
    for member in ("error", "estimated", "points"):
        if expected.get(member) != found.get(member):
            faults.append(f"{expression}\n  {member} {found.get(member)}\n  expected {expected.get(member)}\n  {expected.get('error')} {found.get('error')}")
            break
    if expected.get("peak") is not None and found.get("peak") is not None and expected["peak"] != found["peak"]:
        faults.append(f"{expression}\n  peak {found['peak']}\n  expected {expected['peak']}")
print("\n".join(faults) or f"same answers: {len(texts)} sets, {'some' if parts > count // 8 else 'few'} choose, {'some' if errors > count // 16 else 'few'} are wrong")
sys.exit(bool(faults))
