# on_terminal.py COMMAND... - runs COMMAND with a terminal of 80 columns as its output; prints what it wrote.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import pty
import sys

pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
output = b""
while True:
    try:
        chunk = os.read(terminal, 65536)
    except OSError:  # the other end is closed
        break
    if not chunk:
        break
    output += chunk
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(output.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(status))
