"""in_cgroup.py MIB COMMAND [ARG...] - runs COMMAND in a control group of its own that may have so much memory.
Exit code: that of COMMAND, 128 and the signal that killed it, or 77 if no such group can be made.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import os
import subprocess
import sys

# Where groups are made, and what limits them: the first and the second version.
HIERARCHIES = (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
               ("/sys/fs/cgroup", "memory.max"))


def write(group, name, text):
    with open(os.path.join(group, name), "w") as file:
        file.write(text)


def main():
    limit, command = int(sys.argv[1]) << 20, sys.argv[2:]
    for root, name in HIERARCHIES:
        group = os.path.join(root, "heapprof-test-%d" % os.getpid())
        try:
            os.mkdir(group)
        except OSError:
            continue
        try:
            if os.path.exists(os.path.join(group, name)):
                write(group, name, str(limit))
                done = subprocess.run(command, check=False, preexec_fn=lambda: write(group, "cgroup.procs", "0"))
                return done.returncode if done.returncode >= 0 else 128 - done.returncode
        except OSError:
            pass
        finally:
            os.rmdir(group)
    return 77


sys.exit(main())
