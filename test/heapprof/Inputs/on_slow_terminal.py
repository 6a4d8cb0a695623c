# on_slow_terminal.py CLOCK COMMAND... - what COMMAND writes to a terminal on standard error, where CLOCK is its clock.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import pty
import subprocess
import sys

master, slave = pty.openpty()
child = subprocess.Popen(sys.argv[2:], stderr=slave, stdout=subprocess.DEVNULL, env={**os.environ, "LD_PRELOAD": sys.argv[1]})
os.close(slave)
written = b""
try:
    while part := os.read(master, 4096):
        written += part
except OSError:  # the terminal's other end is closed
    pass
child.wait()
text = written.decode().replace("\r\n", "\n").replace("\r", "<CR>").replace("\033[K", "<CLEAR>")
if text:
    print(text.rstrip("\n"))
