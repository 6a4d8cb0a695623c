"""server_suite.py SCORE MERGE SERVER DIR LEAST TEST... - SERVER's own tests, or SQLite's, in DIR/plain and DIR/profiled.
The same pass, at least so many, and the same fail; each process of the profiled run leaves a dump, and of all is made one.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SUITES = {
    # A line for each file of tests, for each test, and for each that passes or fails.
    "memcached": (lambda tests: [["prove", "-j", "3", *tests]],
                  re.compile(r"^(t/\S+ )\.+ (ok|skipped)$")),
    "redis": (lambda tests: [["./runtest", "--clients", "3", "--tags", "-slow"] +
                             [word for test in tests for word in ("--single", test)]],
              re.compile(r"^\[(ok|ignore|skip)\]: (.*?)(?: \(\d+ ms\))?$")),
    "sqlite": (lambda tests: [["./testfixture", test] for test in tests],
               re.compile(r"^(\S+)\.\.\. (Ok)$|^(! \S+ (?:expected|got): .*)$")),
    "postgresql": (lambda tests: [["bash", os.path.join(HERE, "run_postgresql.sh"), *tests]],
                   re.compile(r"^(?:test)? +(\S+) +\.\.\. (ok) ")),
}
FAILS_AS_ROOT = "sqlite"  # for whom no file is read-only


def executable(pid):
    try:
        return os.readlink("/proc/%s/exe" % pid)
    except OSError:
        return ""  # it has ended


def await_ends(tree):
    """Tests end before the servers they stop, which still write their dumps."""
    inside = os.path.join(os.path.realpath(tree), "")
    while any(executable(pid).startswith(inside) for pid in os.listdir("/proc") if pid.isdigit()):
        time.sleep(0.1)


def run(server, tree, tests, options):
    """What passed and what failed, as often as it did."""
    commands, line_of = SUITES[server]
    environment = dict(os.environ, HEAPPROF_OPTIONS=options)
    lines = collections.Counter()
    for command in commands(tests):
        done = subprocess.run(command, cwd=tree, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        text = re.sub(r"\x1b\[[\d;]*m", "", done.stdout.decode(errors="replace"))
        if done.returncode not in (0, server == FAILS_AS_ROOT):
            sys.exit("%s in %s: exit code %d\n%s" % (command, tree, done.returncode, text[-5000:]))
        lines.update(found.groups() for found in map(line_of.search, text.splitlines()) if found)
    await_ends(tree)
    return lines


def output(*command):
    """What COMMAND prints, or why there is nothing."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        sys.exit("%s: %s" % (command[-1], done.stderr.decode()))
    return done.stdout


def merged(score, merge, paths, target):
    """How the processes of these dumps ended, by one dump made of all."""
    shutil.rmtree(target, ignore_errors=True)
    output(merge, "-o", target, *paths)
    document = json.loads(output(score, "--json", "--limit", "1", target))
    processes = document["processes"]
    for process in processes:
        if process["complete"] == (process["ended"] == "killed") or process["dropped"]["chunks"]:
            sys.exit("%s" % process)
    chunks = sum(process["allocations"] for process in processes)
    if len(processes) != len(paths) or chunks != document["global"]["chunks"]:
        sys.exit("%d dumps, but %d processes; %d chunks, but %d of points" %
                 (len(paths), len(processes), chunks, document["global"]["chunks"]))
    return collections.Counter(process["ended"] for process in processes)


def main():
    score, merge, server, directory, least = sys.argv[1:6]
    tests = sys.argv[6:]
    directory = os.path.abspath(directory)
    dumps = os.path.join(directory, "dumps")
    shutil.rmtree(dumps, ignore_errors=True)
    plain, profiled = (run(server, os.path.join(directory, variant), tests,
                           "dump_dir='%s'" % dumps) for variant in ("plain", "profiled"))
    count = sum(plain.values())
    if plain != profiled or count < int(least):
        sys.exit("%d plain, %d profiled; only in one: %s" %
                 (count, sum(profiled.values()), (plain - profiled) + (profiled - plain)))
    # One that was killed before its first checkpoint has only begun its dump.
    paths = [os.path.join(dumps, name) for name in os.listdir(dumps)
             if {"aggregates", "end"} & set(os.listdir(os.path.join(dumps, name)))]
    ends = merged(score, merge, paths, os.path.join(directory, "merged"))
    print("%d tests; dumps: %s" % (count, dict(ends)))
    if not ends["exit"]:
        sys.exit("no server ended by itself")


main()
