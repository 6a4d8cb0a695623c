#!/bin/bash
# fetch_speedscope.sh - unpacks the viewer speedscope from the npm registry into build-deps, once.
# test/export/speedscope.test opens with it what we export. Without npm, or without the registry, that test is left out.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
. "$(dirname "$0")/../../tools/steps.sh"
script=test/export/fetch_speedscope.sh
version=1.25.0
sum=2831f1e0d26df914b477e522d78b8485511495a6af81a0b88158f8b48f9e0d03

target=$deps/speedscope
if [ -e "$target/.complete" ] || ! command -v npm >/dev/null; then
  exit 0
fi
step "fetch speedscope $version" "remove $target and run it again"
rm -rf "$target"
mkdir -p "$target"
cd "$target"
if ! timeout 120 npm pack --silent "speedscope@$version" >log 2>&1; then
  echo "not to be had ($target/log); its test is left out"
  exit 0
fi
echo "$sum  speedscope-$version.tgz" | sha256sum --check --quiet
tar -xzf "speedscope-$version.tgz" --strip-components=1
touch .complete
