#!/usr/bin/env python3
"""cmake_flags.py COMPILE_COMMANDS.json FILE: the flags that CMake compiles FILE with, without its name and its object.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import os
import shlex
import sys

with open(sys.argv[1], encoding="utf-8") as document:
    for entry in json.load(document):
        if os.path.basename(entry["file"]) == sys.argv[2]:
            words = shlex.split(entry["command"])[1:]
            # CMake's own: -o OBJECT -c FILE, a library's -fPIC and -Dtable_EXPORTS.
            print(*(word for word in words[:words.index("-o")]
                    if word != "-fPIC" and not word.endswith("_EXPORTS")))
