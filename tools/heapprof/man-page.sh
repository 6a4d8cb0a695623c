#!/bin/sh
# man-page.sh LOWDOWN NAME SECTION PAGE - docs/*.md from standard input as the manual page NAME(SECTION).
# The title and the first paragraph become NAME, as apropos wants it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
lowdown=$1 name=$2 section=$3 page=$4
awk -v name="$name" '
  NR == 1 { print "# NAME\n"; next }
  state == 0 && NF { printf "%s - ", name; state = 1 }
  state == 1 && !NF { state = 2; print "\n# DESCRIPTION" }
  /^```/ { code = !code }
  !code && /^##/ { sub(/^#/, ""); if (/^# /) $0 = toupper($0) }
  { print }
' | "$lowdown" -s -Tman -mtitle="$name" -msection="$section" >"$page"
