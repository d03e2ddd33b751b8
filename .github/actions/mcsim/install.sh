#!/usr/bin/env bash
# Builds mcsim from the action's own revision, or installs the release MCSIM_VERSION from the
# address MCSIM_RELEASES. It compares the checksum of the release with MCSIM_SHA256, or, if that is
# empty, with the release's own SHA256SUMS. Writes program=PATH to GITHUB_OUTPUT.
set -euo pipefail

version=${MCSIM_VERSION:-}
root=$(cd "$(dirname "$0")/../../.." && pwd)
to=${RUNNER_TEMP:?}/mcsim-program
mkdir -p "$to"

fail() {
	echo "::error::$1"
	exit 2
}

if [ -z "$version" ]; then
	(cd "$root" && go build -buildvcs=auto -o "$to/" ./cmd/mcsim)
	program=$to/mcsim
	if [ -f "$program.exe" ]; then program=$program.exe; fi
	echo "program=$program" >>"$GITHUB_OUTPUT"
	exit 0
fi

# The version becomes part of an address. It is used nowhere, not even in an error message, before
# it is known to be a version.
version=${version#v}
case $version in
"" | *[!0-9A-Za-z.+-]*) fail "The version must be the version of a release, such as 1.2.0." ;;
esac

case ${RUNNER_OS:?}-${RUNNER_ARCH:?} in
Linux-X64) system=linux-amd64 ending=tar.gz ;;
Linux-ARM64) system=linux-arm64 ending=tar.gz ;;
macOS-X64) system=darwin-amd64 ending=tar.gz ;;
macOS-ARM64) system=darwin-arm64 ending=tar.gz ;;
Windows-X64) system=windows-amd64 ending=zip ;;
Windows-ARM64) system=windows-arm64 ending=zip ;;
*) fail "There is no release for $RUNNER_OS on $RUNNER_ARCH." ;;
esac

checksum=${MCSIM_SHA256:-}
case $checksum in *[!0-9a-f]*) fail "The checksum must be a SHA-256: 64 of the characters 0 to 9 and a to f." ;; esac
case ${#checksum} in 0 | 64) ;; *) fail "The checksum must be a SHA-256: 64 of the characters 0 to 9 and a to f." ;; esac

name=mcsim-$version-$system
files=("$name.$ending")
if [ -z "$checksum" ]; then files+=(SHA256SUMS); fi
for file in "${files[@]}"; do
	curl --fail --silent --show-error --location --retry 3 -o "$to/$file" "${MCSIM_RELEASES:?}/v$version/$file" ||
		fail "The release $version has no $file."
done
cd "$to"
sum() { if type -P sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }
said="the input checksum"
if [ -n "$checksum" ]; then
	echo "$checksum  $name.$ending" >expected
else
	said="the release's SHA256SUMS"
	awk -v name="$name.$ending" '$2 == name' SHA256SUMS >expected
	[ -s expected ] || fail "SHA256SUMS of the release $version does not name $name.$ending."
fi
sum --check --status expected || fail "The checksum of $name.$ending differs from $said."
if [ "$ending" = zip ]; then unzip -q -o "$name.zip"; else tar xzf "$name.tar.gz"; fi
program=$to/$name/mcsim
if [ -f "$program.exe" ]; then program=$program.exe; fi
echo "program=$program" >>"$GITHUB_OUTPUT"
