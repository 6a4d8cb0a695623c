"""dump_codec.py - reads and writes heapprof dumps as docs/format.md draws them.
Shares only the field numbers with the product, so that writer and reader are judged by a third.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import os
import re
import struct
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
DEFINITION = os.path.join(HERE, "..", "..", "..", "visualizer-data", "format",
                          "heapprof_format.def")
HEADER = struct.Struct("<IHHIIIII")  # without its own checksum
MAGIC, VERSION, ZLIB, WORD = 0x31425048, 2, 1, 2**64


def rows(macro):
    with open(DEFINITION) as file:
        text = file.read()
    return re.findall(r"^(?:%s)\((\w+), (\w+)(?:, (\w+))?" % macro, text, re.M)


BLOCKS = {name: int(number) for number, name, _ in rows("HP_BLOCK")}
FIELDS = {kind: {int(tag): (name, coding)
                 for tag, name, coding in rows(
                     "HP_END_(?:FIELD|COUNTED|SAMPLED)" if kind == "END"
                     else "HP_%s_FIELD" % kind.removesuffix("S"))}
          for kind in ("HEADER", "MODULES", "POINTS", "AGGREGATES", "END")}
GROWTH = {"chain": 0, "chain_first": 0, "chain_bytes": 0, "chain_copied": 0, "copied": 0}
COLUMNS = [(name, code) for name, code, _ in rows("HP_CHUNK_COLUMN")]
FLAGS = {name: 1 << int(bit) for bit, name, _ in rows("HP_CHUNK_FLAG")}
REPEATED = {"arg", "option"}


class Record(dict):
    """A dict whose members are attributes too."""
    __getattr__ = dict.__getitem__


# ---- numbers ----------------------------------------------------------------

def take_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            assert value < WORD, "varint of more than 64 bits"
            return value, at


def varint(value):
    out = bytearray()
    value %= WORD
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def unzigzag(value):
    return (value >> 1) ^ (WORD - (value & 1)) % WORD


def zigzag(value):
    value %= WORD
    return (value << 1) % WORD ^ (WORD - (value >> 63)) % WORD


# ---- blocks -----------------------------------------------------------------

def read_blocks(path, kind, others=False):
    """The payloads of a file's blocks, each with its count of items; with OTHERS
    there are blocks of other kinds among them."""
    with open(path, "rb") as file:
        data = file.read()
    at, blocks = 0, []
    while at < len(data):
        head = data[at:at + 32]
        magic, version, number, items, flags, stored, raw, crc = \
            HEADER.unpack(head[:28])
        assert magic == MAGIC and version == VERSION, "%s: bad head" % path
        assert struct.unpack("<I", head[28:])[0] == zlib.crc32(head[:28])
        payload = data[at + 32:at + 32 + stored]
        assert len(payload) == stored and zlib.crc32(payload) == crc
        at += 32 + stored
        if others and number != BLOCKS[kind]:
            continue
        assert number == BLOCKS[kind], "%s: block of kind %d" % (path, number)
        payload = zlib.decompress(payload) if flags & ZLIB else payload
        assert len(payload) == raw
        blocks.append((payload, items))
    return blocks


def block(kind, payload, items, version=VERSION):
    head = HEADER.pack(MAGIC, version, BLOCKS[kind], items, 0, len(payload),
                       len(payload), zlib.crc32(payload))
    return head + struct.pack("<I", zlib.crc32(head)) + payload


# ---- records ----------------------------------------------------------------

def take_fields(data, kind):
    record, at, count = Record(), 0, 0
    while at < len(data):
        tag, at = take_varint(data, at)
        size, at = take_varint(data, at)
        content, at = data[at:at + size], at + size
        count += 1
        name, coding = FIELDS[kind].get(tag, (None, None))
        if coding == "U64":
            value = take_varint(content, 0)[0]
        elif coding == "STR":
            value = content.decode(errors="replace")
        elif coding == "STACK":
            value, frame, place = [], 0, 0
            while place < len(content):
                delta, place = take_varint(content, place)
                frame = (frame + unzigzag(delta)) % WORD
                value.append(frame)
        elif coding == "LIST":
            value, place = [], 0
            while place < len(content):
                number, place = take_varint(content, place)
                value.append(number)
        else:
            value = content
        if name in REPEATED:
            record.setdefault(name, []).append(value)
        elif name:
            assert name not in record, "%s twice" % name
            record[name] = value
    return record, count


def fields(kind, values):
    """The encoded fields of VALUES and how many they are."""
    out, count = b"", 0
    for tag, (name, coding) in sorted(FIELDS[kind].items()):
        if name not in values:
            continue
        for value in values[name] if name in REPEATED else [values[name]]:
            if coding == "U64":
                content = varint(value)
            elif coding == "STR":
                content = value.encode()
            elif coding == "STACK":
                content = b"".join(
                    varint(zigzag(frame - before))
                    for before, frame in zip([0] + value, value))
            elif coding == "LIST":
                content = b"".join(varint(number) for number in value)
            else:
                content = value
            out += varint(tag) + varint(len(content)) + content
            count += 1
    return out, count


def read_single(path, kind):
    (payload, items), = read_blocks(path, kind)
    record, count = take_fields(payload, kind)
    assert count == items
    return record


def read_records(path, kind, others=False):
    records = []
    for payload, items in read_blocks(path, kind, others):
        at = 0
        for _ in range(items):
            size, at = take_varint(payload, at)
            records.append(take_fields(payload[at:at + size], kind)[0])
            at += size
        assert at == len(payload)
    return records


# ---- chunks -----------------------------------------------------------------

def read_chunks(path):
    chunks = []
    for payload, items in read_blocks(path, "CHUNKS"):
        width, at = take_varint(payload, 0)
        count, at = take_varint(payload, at)
        runs = []
        for _ in range(count):
            run = []
            for _ in range(3):
                value, at = take_varint(payload, at)
                run.append(value)
            runs.append(run)
        assert sum(count for _, count, _ in runs) == items
        rows = [dict(GROWTH, point=point, weight=weight)
                for point, count, weight in runs for _ in range(count)]
        for i in range(width):
            row = iter(rows)
            name, code = COLUMNS[i] if i < len(COLUMNS) else (None, "U")
            for _, count, _ in runs:
                before = 0
                for _ in range(count):
                    value, at = take_varint(payload, at)
                    if code != "U":
                        value = unzigzag(value)
                    if code == "D":
                        before = value = (before + value) % WORD
                    next(row)[name] = value
        assert at == len(payload)
        chunks += [make_chunk(row) for row in rows]
    return chunks


def make_chunk(row):
    chunk = Record(row)
    chunk["t1"] = (row["t0"] + row["life"]) % WORD
    chunk["first"] = (row["t0"] + row["first"]) % WORD
    chunk["last"] = (chunk["first"] + row["last"]) % WORD
    chunk["hi"] = row["lo"] + row["span"]
    chunk["flags"] = {name for name, bit in FLAGS.items()
                      if row["flags"] & bit}
    return chunk


def complete(given):
    """GIVEN has t0 and what differs from an unused chunk of 1 byte that lives
    for 1 tick."""
    chunk = Record({"t1": given["t0"] + 1, "first": given["t0"], "size": 1,
                    "lo": 0, "hi": 0, "reads": 0, "writes": 0,
                    "flags": ("EXACT",), "thread": 1, "free_thread": 1,
                    "free_pc": 0, "step": 0, "weight": 1, **GROWTH})
    chunk.update(given)
    chunk.setdefault("last", chunk["first"])
    if "LIVE" in chunk["flags"]:
        chunk["free_thread"] = 0
    return chunk


def chunk_columns(points):
    """The payload of a block; POINTS: for each point a list of chunks, each of
    weight 1."""
    runs = [(i + 1, chunks) for i, chunks in enumerate(points) if chunks]
    # The last column is only there where addresses were asked for.
    columns = [c for c in COLUMNS if c[0] != "address"]
    out = varint(len(columns)) + varint(len(runs))
    for point, chunks in runs:
        out += varint(point) + varint(len(chunks)) + varint(1)
    rows = [[dict(c, life=c["t1"] - c["t0"], first=c["first"] - c["t0"],
                  last=c["last"] - c["first"], span=c["hi"] - c["lo"],
                  flags=sum(FLAGS[flag] for flag in c["flags"]))
             for c in chunks] for _, chunks in runs]
    for name, code in columns:
        for run in rows:
            before = 0
            for row in run:
                value = row[name] - before
                out += varint(value if code == "U" else zigzag(value))
                before = row[name] if code == "D" else 0
    return out


def peak_of(chunks):
    """At one time a free comes before an allocation; every chunk lives for a
    tick at least."""
    events = [(c.t0, 1, c.size) for c in chunks]
    events += [(max(c.t1, c.t0 + 1), 0, -c.size)
               for c in chunks if "LIVE" not in c.flags]
    live = peak = 0
    for _, _, size in sorted(events):
        live += size
        peak = max(peak, live)
    return peak


# ---- whole dumps ------------------------------------------------------------

def read(directory):
    dump = Record()
    dump["header"] = read_single(os.path.join(directory, "header"), "HEADER")
    dump["modules"] = read_records(os.path.join(directory, "modules"),
                                   "MODULES")
    dump["points"] = read_records(os.path.join(directory, "points"), "POINTS")
    dump["end"] = read_single(os.path.join(directory, "end"), "END")
    folder = os.path.join(directory, "chunks")
    dump["chunks"] = [chunk for name in sorted(os.listdir(folder))
                      for chunk in read_chunks(os.path.join(folder, name))]
    return dump


def write(directory, points, end=1000, ticks_per_second=1000000000, pid=1,
          **totals):
    """POINTS: for each point a list of chunks (see complete); window [0, END).
    Point i has the stack [0x1000 * i].  TOTALS replace fields of the end."""
    os.makedirs(os.path.join(directory, "chunks"))
    points = [[complete(chunk) for chunk in chunks] for chunks in points]
    every = [chunk for chunks in points for chunk in chunks]
    live = sum("LIVE" in chunk.flags for chunk in every)
    ended = {"end": end, "reason": "exit", "exit_status": 0,
             "allocations": len(every), "frees": len(every) - live,
             "failed_requests": 0, "failed_bytes": 0, "inherited_frees": 0,
             "invalid_frees": 0, "threads": 1, "peak_bytes": peak_of(every),
             "peak_chunks": 0, "peak_time": 0, "tick_max": 1, "modules": 0,
             "points": len(points), "chunks": len(every),
             "chunk_files": 1 if every else 0, "dropped_points": 0,
             "dropped_chunks": 0, "allocator_ticks": 0}
    ended.update(totals)
    header = {"program": "/program", "arg": ["program"], "pid": pid,
              "parent": 0, "clock": "monotonic", "start_unix_ns": 0,
              "ticks_per_second": ticks_per_second,
              "producer": "dump_codec.py", "pass": "1", "exact_time": 1,
              "tick_period": 1}

    def put(name, kind, payload, items):
        with open(os.path.join(directory, name), "wb") as file:
            if items:
                file.write(block(kind, payload, items))

    put("header", "HEADER", *fields("HEADER", header))
    put("modules", "MODULES", b"", 0)
    records = b""
    for i in range(len(points)):
        record, _ = fields("POINTS", {"id": i + 1, "stack": [4096 * (i + 1)],
                                      "function": 1})
        records += varint(len(record)) + record
    put("points", "POINTS", records, len(points))
    if every:
        put("chunks/log", "CHUNKS", chunk_columns(points), len(every))
    put("end", "END", *fields("END", ended))
