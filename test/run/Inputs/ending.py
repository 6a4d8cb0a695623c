"""ending.py - runs a command and prints how it ended: its status, or minus the signal that killed it.
ending.py [--send SIGNAL] COMMAND...: sends it once the command has written its first line
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import subprocess
import sys

words = sys.argv[1:]
number = 0
if words[0] == "--send":
    number, words = int(words[1]), words[2:]
command = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
output = ""
if number:
    output = command.stdout.readline()
    command.send_signal(number)
output += command.communicate()[0]
print(output + str(command.returncode))
