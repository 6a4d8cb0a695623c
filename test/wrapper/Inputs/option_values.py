# option_values.py CLANG SOURCE - compares takes_next[] of SOURCE with what CLANG does.
# Prints "N options agree", or one line for each option on which they differ.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
import subprocess
import sys

clang, source = sys.argv[1:]
with open(source) as text:
    table = re.search(r"takes_next\[\] = \{(.*?)\};", text.read(), re.S).group(1)
options = re.findall(r'"(-[^"]+)"', table)
# The word after these is an input, or a file that must exist, or ends the call.
special = {"-Zlinker-input", "--config", "-x", "--language", "-target",
           "--print-file-name", "--print-prog-name", "-specs", "-arch",
           "-include-pch"}


def complains(*arguments):
    """True if the driver knows the option and takes word.c for an input."""
    run = subprocess.run([clang, "-###", "-fsyntax-only", "-x", "c", "/dev/null",
                          *arguments], capture_output=True, text=True)
    return ("no such file or directory: 'word.c'" in run.stderr
            and "unknown argument" not in run.stderr)


assert complains("word.c")
wrong = [option for option in options
         if option not in special and complains(option, "word.c")]
for option in wrong:
    print(f"{option}: the driver takes the next word for an input")
if not wrong:
    print(f"{len(options)} options agree")
