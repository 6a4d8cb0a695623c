# debian-source.sh - sourced after steps.sh: gets the upstream tarball of a Debian source package.
# apt runs with lists and sources of its own in $work: /etc/apt and /var/lib/apt stay as they are.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

private_apt() {
  local command=$1
  shift
  "$command" -q -o Dir::Etc::sourcelist="$work/sources.list" \
    -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$work/lists" \
    -o Dir::Cache::archives="$work/archives" \
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
    -o APT::Sandbox::User=root -o Debug::NoLocking=1 \
    -o Acquire::Languages=none -o Acquire::Retries=2 "$@"
}

# URI SUITE COMPONENT of the machine's own Debian sources, as apt reads them;
# a source without downloaded lists is known by its address only.
debian_sources() {
  apt-get indextargets \
    --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' |
    awk '$1 == "Debian" || ($1 ~ /ORIGIN/ && $2 ~ /\/debian/) {
      print $2, $3, $4 }' | sort -u
}

# source_line URI SUITE COMPONENT
source_line() {
  local signed=
  [ -e $keyring ] && signed="[signed-by=$keyring] "
  echo "deb-src $signed$1 $2 $3"
}

# Fills $work with own.list (this machine's sources) and later.list (the same
# mirror's suites after Debian 12).
write_sources() {
  local found mirror uri suite component
  found=$(debian_sources)
  if [ -z "$found" ]; then
    found='http://deb.debian.org/debian/ bookworm main
http://deb.debian.org/debian-security/ bookworm-security main'
  fi
  mirror=$(awk '$2 !~ /security/ { print $1; exit }' <<<"$found")
  while read -r uri suite component; do
    if [ "$component" = main ]; then
      source_line "$uri" "$suite" "$component"
    fi
  done <<<"$found" >"$work/own.list"
  for suite in trixie sid; do
    source_line "${mirror:-http://deb.debian.org/debian/}" $suite main
  done >"$work/later.list"
}

# use_lists FILE...: from here on these sources are asked.
use_lists() {
  cat "$@" >"$work/sources.list"
  private_apt apt-get update >"$work/log" 2>&1 || grep '^[EW]:' "$work/log" ||
    true
}

# offers PACKAGE...: lines "PACKAGE VERSION SHA256 FILE".
offers() {
  local package
  for package in "$@"; do
    private_apt apt-cache showsrc "$package" 2>/dev/null |
      awk -v package="$package" '
        /^Version:/ { version = $2 }
        /^Checksums-Sha256:/ { sums = 1; next }
        /^[^ ]/ { sums = 0 }
        sums && $3 ~ /\.orig\.tar\.(xz|bz2|gz)$/ {
          print package, version, $1, $3 }'
  done | awk '!seen[$0]++'
}

upstream() { # 1:22.1.8-1~deb12u1 -> 22.1.8
  local version=${1#*:}
  echo "${version%-*}"
}

# download PACKAGE VERSION SHA256 FILE: true if $work/FILE has that checksum.
download() {
  echo "trying $1 $2"
  (cd "$work" && private_apt apt-get source --download-only --tar-only \
    "$1=$2") >"$work/log" 2>&1 || {
    grep -m 3 '^E:' "$work/log" || tail -n 3 "$work/log"
    rm -f "$work/$4"
    return 1
  }
  echo "$3  $work/$4" | sha256sum --check --quiet || {
    echo "checksum of $4 is not that of the package index; not used"
    rm -f "$work/$4"
    return 1
  }
}

# try_offers WANTED PACKAGE...: downloads the first offer of upstream version
# WANTED, or, if WANTED is empty, of any; sets `tarball` and `provenance`.
try_offers() {
  local wanted=$1 package version sum file
  shift
  while read -r package version sum file; do
    [ -z "$wanted" ] || [ "$(upstream "$version")" = "$wanted" ] || continue
    if download "$package" "$version" "$sum" "$file"; then
      tarball=$work/$file
      provenance="$package $version, sha256 $sum"
      return 0
    fi
  done < <(offers "$@")
  return 1
}

# fetch_source WANTED PACKAGE...: the same from this machine's sources, then
# from later releases, and at last of any version.
fetch_source() {
  local wanted=$1
  shift
  rm -rf "$work"
  mkdir -p "$work/lists/partial" "$work/archives/partial"
  write_sources
  use_lists "$work/own.list"
  try_offers "$wanted" "$@" && return
  echo 'not to be had from the sources of this machine; asking later releases'
  use_lists "$work/own.list" "$work/later.list"
  try_offers "$wanted" "$@" && return
  if [ -n "$wanted" ]; then
    echo "version $wanted cannot be had; taking another"
    try_offers '' "$@" && return
  fi
  return 1
}
