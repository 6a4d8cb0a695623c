#!/usr/bin/env python3
# make_seeds.py GOLDEN-DUMP CORPUS - dumps that are right, as pieces (see fuzz_dump.c), for a fuzzer to begin with.
# One of logged chunks, made of GOLDEN-DUMP, which is not compressed; one of aggregates; one of two processes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import struct
import sys

HEADER, MODULES, POINTS, CHUNKS, END, AGGREGATES, TIMELINE, KEPT, PROCESSES, FREES = range(10)
PARTS = {HEADER: "header", MODULES: "modules", POINTS: "points", CHUNKS: "chunks/0", END: "end"}
BLOCK_HEAD = 32


def piece(part, items, payload):
    return struct.pack("<BBH", part, 4 * items + 1, len(payload)) + payload


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def text(tag, contents):
    return varint(tag) + varint(len(contents)) + contents


def field(tag, *values):
    return text(tag, b"".join(map(varint, values)))


def record(*fields):
    data = b"".join(fields)
    return varint(len(data)) + data


golden, corpus = map(pathlib.Path, sys.argv[1:])
pieces = []
for part, name in PARTS.items():
    data = (golden / name).read_bytes()
    items, = struct.unpack_from("<I", data, 8)
    pieces.append(piece(part, items, data[BLOCK_HEAD:]))
(corpus / "log").write_bytes(b"".join(pieces))

# Two chunks of 8 bytes of point 1, one of them live; no end file.
POINT = (field(1, 1), field(2, 2), field(3, 16), field(4, 8), field(5, 8),
         field(6, 5), field(7, 5), field(8, 5, 0), field(9, 1),
         field(12, 16), field(13, 8), field(14, 1), field(15, 9, 0),
         field(17, 1, 9, 0, 81, 0, 0, 0),
         field(19, 3, 1, 8, 8, 16, 1, 8, 0),
         field(20, 10, 5, 90, 2, 95, 0), field(22, 4, 2), field(23, 3, 1))
INTERVAL = record(field(2, 100), field(4, 16), field(6, 2), field(7, 2))
FREE = (field(1, 1), text(2, b"\x20"), field(4, 8), field(5, 1), field(6, 5, 0), field(8, 7))
TOTALS = field(1, 100) + field(22, 1) + field(23, 1) + field(27, 50) + field(51, 1)
(corpus / "aggregates").write_bytes(
    b"".join(pieces[:END]) + piece(AGGREGATES, 1, record(*POINT))
    + piece(FREES, 1, record(*FREE)) + piece(TIMELINE, 1, INTERVAL) + piece(KEPT, 5, TOTALS))

# The same point in two processes of a merged dump.
SECOND = field(8, 10**9)
OWN = record(text(1, SECOND), text(2, TOTALS), field(3, 1))
END_OF_ALL = field(1, 0) + field(16, 1) + field(22, 2) + field(51, 2)
(corpus / "merged").write_bytes(
    piece(HEADER, 2, SECOND + field(16, 2)) + piece(PROCESSES, 2, OWN + OWN)
    + piece(POINTS, 1, record(field(1, 1), text(2, b"\x20")))
    + b"".join(piece(AGGREGATES, 1, record(*POINT, field(25, process))) for process in (1, 2))
    + b"".join(piece(FREES, 1, record(*FREE, field(9, process))) for process in (1, 2))
    + piece(KEPT, 4, END_OF_ALL) + piece(END, 4, END_OF_ALL))
