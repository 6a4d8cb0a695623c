# run_postgresql.sh SCHEDULE - PostgreSQL's tests in SCHEDULE, in a built tree: initdb, a server, and clients by a socket.
# Its programs refuse to be root, and are nobody then; the directory of dumps is beside the tree.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
tree=$PWD
out=$tree/out
dumps=$(dirname "$tree")/dumps
rm -rf "$out"
mkdir -p "$out" "$dumps"
as_user=
if [ "$(id -u)" -eq 0 ]; then
  chown nobody:nogroup "$out" "$dumps"
  unset TMPDIR # lit's is root's own; sockets go there
  as_user='setpriv --reuid=nobody --regid=nogroup --clear-groups'
fi
cd "$out"
exec $as_user "$tree/src/test/regress/pg_regress" --temp-instance="$out/tmp" \
  --inputdir="$tree/src/test/regress" --dlpath="$tree/src/test/regress" \
  --outputdir="$out" --bindir="$tree/installed/bin" --encoding=UTF8 \
  --no-locale --max-concurrent-tests=20 --schedule="$1"
