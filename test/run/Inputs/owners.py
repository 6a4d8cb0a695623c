"""owners.py DUMP UID - all that is in DUMP, and DUMP itself, is UID's and nobody else's to read.
The files of a whole dump are there.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import os
import stat
import sys

dump, uid = sys.argv[1], int(sys.argv[2])
paths = [dump] + [os.path.join(at, name) for at, folders, files in os.walk(dump) for name in folders + files]
for path in paths:
    status = os.lstat(path)
    if status.st_uid != uid or stat.S_IMODE(status.st_mode) & 0o077:
        sys.exit(f"{path}: {status.st_uid}, {stat.S_IMODE(status.st_mode):o}")
missing = {"header", "modules", "points", "aggregates", "end"} - set(os.listdir(dump))
sys.exit(f"{dump}: no {missing}" if missing else 0)
