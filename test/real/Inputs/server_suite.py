"""server_suite.py SCORE SERVER DIR LEAST TEST... - SERVER's own tests, in DIR/plain and DIR/profiled.
The same tests pass, at least so many, and each process of the profiled run leaves a dump that can be read.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import collections
import json
import os
import re
import shutil
import subprocess
import sys

COMMANDS = {
    # A line for each file of tests, and one for each test.
    "memcached": (["prove", "-j", "3"], [], re.compile(r"^(t/\S+ )\.+ (ok|skipped)$")),
    "redis": (["./runtest", "--clients", "3", "--tags", "-slow"], ["--single"],
              re.compile(r"^\[(ok|ignore|skip)\]: (.*?)(?: \(\d+ ms\))?$")),
}


def run(server, tree, tests, options):
    command, before, line_of = COMMANDS[server]
    command = command + [word for test in tests for word in before + [test]]
    environment = dict(os.environ, HEAPPROF_OPTIONS=options)
    done = subprocess.run(command, cwd=tree, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    text = re.sub(r"\x1b\[[\d;]*m", "", done.stdout.decode(errors="replace"))
    if done.returncode:
        sys.exit("%s in %s: exit code %d\n%s" % (command, tree, done.returncode, text[-5000:]))
    return sorted(found.groups() for found in map(line_of.search, text.splitlines()) if found)


def read(score, path):
    """How the process of this dump ended, or why it cannot be read."""
    done = subprocess.run([score, "--json", path], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    if done.returncode:
        sys.exit("%s: %s" % (path, done.stderr.decode()))
    process, = json.loads(done.stdout)["processes"]
    if process["complete"] == (process["ended"] == "killed") or process["dropped"]["chunks"]:
        sys.exit("%s: %s" % (path, process))
    return process["ended"]


def main():
    score, server, directory, least = sys.argv[1:5]
    tests = sys.argv[5:]
    dumps = os.path.join(os.path.abspath(directory), "dumps")
    shutil.rmtree(dumps, ignore_errors=True)
    plain, profiled = (run(server, os.path.join(directory, variant), tests,
                           "dump_dir='%s'" % dumps) for variant in ("plain", "profiled"))
    if plain != profiled or len(plain) < int(least):
        sys.exit("%d plain, %d profiled; only in one: %s" %
                 (len(plain), len(profiled), set(plain) ^ set(profiled)))
    # One that was killed before its first checkpoint has only begun its dump.
    ends = collections.Counter(read(score, os.path.join(dumps, name)) for name in os.listdir(dumps)
                               if os.path.exists(os.path.join(dumps, name, "modules")))
    print("%d passed; dumps: %s" % (len(plain), dict(ends)))
    if not ends["exit"]:
        sys.exit("no server ended by itself")


main()
