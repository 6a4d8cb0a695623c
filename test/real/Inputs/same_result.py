"""same_result.py SCORE DIR [--exit-code N] [--input FILE] [--threads N] [--least N] -- ARG... - runs DIR/plain and DIR/profiled.
Same stdout, stderr and exit code; the profile is whole, sound, and of at least so many chunks and just so many threads.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import argparse
import os
import shutil
import subprocess
import sys

from whole_profile import wrong_with


def run(program, args, empty, options):
    """In an empty directory of its own, so that files left behind are none."""
    shutil.rmtree(empty, ignore_errors=True)
    os.makedirs(empty)
    environment = dict(os.environ, LC_ALL="C")
    if options:
        environment["HEAPPROF_OPTIONS"] = options
    with open(args.input or os.devnull, "rb") as stdin:
        result = subprocess.run(["../program"] + args.arguments, cwd=empty,
                                executable=program, stdin=stdin,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=environment, check=False)
    return result.returncode, result.stdout, result.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("score")
    parser.add_argument("directory")
    parser.add_argument("--exit-code", type=int, default=0)
    parser.add_argument("--input")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--least", type=int, default=1)
    border = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    args = parser.parse_args(sys.argv[1:border])
    args.arguments = sys.argv[border + 1:]

    paths = [os.path.join(args.directory, name)
             for name in ("plain", "profiled", "dump", "run")]
    plain = run(paths[0], args, paths[3], None)
    shutil.rmtree(paths[2], ignore_errors=True)
    profiled = run(paths[1], args, paths[3],
                   "dump_dir='%s':chunk_log=all" % paths[2])
    if plain != profiled or plain[0] != args.exit_code or not plain[1]:
        sys.exit("plain and profiled differ, or are not as expected:\n%r\n%r" %
                 (plain, profiled))

    name, = os.listdir(paths[2])
    document, wrong = wrong_with(args.score, os.path.join(paths[2], name))
    process, = document.processes
    if process.exit_status != args.exit_code:
        wrong.append("ended: %s" % dict(process))
    if process.allocations < args.least or process.threads != args.threads:
        wrong.append("%d chunks of %d threads" %
                     (process.allocations, process.threads))
    if wrong:
        sys.exit("%d wrong:\n%s" % (len(wrong), "\n".join(wrong[:20])))
    print("%d chunks, %d points, %d threads" %
          (process.allocations, len(document.points), process.threads))


main()
