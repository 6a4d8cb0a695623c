# check_schema.py SCHEMA [DOCUMENT] - validates a JSON document (default: stdin) against a JSON schema.
# Knows the keywords our schema uses and refuses any other, so that nothing goes unchecked.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import re
import sys

ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description"}
CHECKED = {"$ref", "allOf", "oneOf", "type", "const", "enum", "required", "properties", "additionalProperties",
           "items", "minimum", "maximum", "pattern"}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "number": is_number,
    "integer": lambda v: is_number(v) and v == int(v),
}


def resolve(root, reference):
    node = root
    for part in reference.removeprefix("#/").split("/"):
        node = node[part]
    return node


def errors(root, schema, value, where):
    unknown = set(schema) - ANNOTATIONS - CHECKED
    if unknown:
        sys.exit(f"check_schema: unknown keywords {sorted(unknown)}")
    if "$ref" in schema:
        yield from errors(root, resolve(root, schema["$ref"]), value, where)
    for part in schema.get("allOf", []):
        yield from errors(root, part, value, where)
    if "oneOf" in schema:
        fitting = [s for s in schema["oneOf"] if not list(errors(root, s, value, where))]
        if len(fitting) != 1:
            yield f"{where}: fits {len(fitting)} of oneOf"
    if "type" in schema:
        allowed = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(TYPES[t](value) for t in allowed):
            yield f"{where}: {value!r} is none of {allowed}"
            return
    if "const" in schema and value != schema["const"]:
        yield f"{where}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is none of {schema['enum']}"
    if is_number(value):
        if "minimum" in schema and value < schema["minimum"]:
            yield f"{where}: {value} is below {schema['minimum']}"
        if "maximum" in schema and value > schema["maximum"]:
            yield f"{where}: {value} is above {schema['maximum']}"
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{where}: {value!r} does not match {schema['pattern']}"
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            yield from errors(root, schema["items"], item, f"{where}[{i}]")
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                yield f"{where}: {name} is missing"
        known = schema.get("properties", {})
        for name, member in value.items():
            rest = schema.get("additionalProperties", {})
            yield from errors(root, known.get(name, rest), member, f"{where}.{name}")


def refuse(constant):
    sys.exit(f"check_schema: {constant} is no JSON")


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        schema = json.load(f)
    if len(sys.argv) > 2:
        with open(sys.argv[2], "rb") as f:
            data = f.read()
    else:
        data = sys.stdin.buffer.read()
    document = json.loads(data.decode("utf-8"), parse_constant=refuse)
    found = list(errors(schema, schema, document, "$"))
    for line in found[:20]:
        print(line)
    print("valid" if not found else f"{len(found)} errors")
    sys.exit(1 if found else 0)


main()
