#!/usr/bin/env bash
# Runs the test as it is and broken in each way, and keeps what each saves in saved/. Needs PyTorch.
set -euo pipefail
cd "$(dirname "$0")"
here=$PWD
mkdir -p saved
for patch in "" broken/*.patch; do
	work=$(mktemp -d)
	cp ./*.py "$work"
	name=right
	if [ -n "$patch" ]; then
		name=$(basename "$patch" .patch)
		patch -s -d "$work" attention.py <"$patch"
	fi
	(cd "$work" && "${PYTHON:-python3}" test_attention.py "$here/saved/$name.npz")
	rm -r "$work"
done
