# stopped.py DIRECTORY RUN SIGNAL COMMAND... - sends SIGNAL to the command when its RUN-th run waits; says how it ended, and who is left.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import os
import signal
import subprocess
import sys
import time

directory, run, name = sys.argv[1:4]
for path in glob.glob(directory + "/*"):
    os.remove(path)
with open(directory + "/last", "w", encoding="utf-8") as file:
    file.write(run)
number = getattr(signal, "SIG" + name)
signal.signal(number, signal.SIG_DFL)
command = subprocess.Popen(sys.argv[4:], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)


def process(which):
    """The number that the program left, once it is whole."""
    while True:
        try:
            text = open(f"{directory}/{which}", encoding="utf-8").read()
            if text.endswith("\n"):
                return int(text)
        except FileNotFoundError:
            pass
        if command.poll() is not None:
            sys.exit(f"ended too early: {command.stderr.read()}")
        time.sleep(0.01)


left = [process("parent"), process("child")]
command.send_signal(number)
errors = command.communicate()[1]
print(f"signal {-command.returncode}: {errors.rstrip()}")


def lives(pid):
    try:
        return open(f"/proc/{pid}/stat", encoding="utf-8").read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


print("left: " + str(left) if any(map(lives, left)) else "gone")
