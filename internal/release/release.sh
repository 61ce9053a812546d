#!/usr/bin/env bash
# Builds a release into a folder: release.sh FOLDER [VERSION]. For each system an archive with trcx, its man page and
# completions; the agent for Linux on amd64 and arm64; a bill of materials; and SHA256SUMS of all of them.
#
# The archive for Windows needs zip, and the agent for arm64 a cross compiler (Debian: gcc-aarch64-linux-gnu
# libc6-dev-arm64-cross). Where one of the compilers or a JDK's headers are missing, release.sh says which agent it
# leaves out, and fails with CI=true.
set -euo pipefail
folder=${1:?usage: release.sh FOLDER [VERSION]}
version=${2:-$(git describe --tags --always --dirty 2>/dev/null || echo unreleased)}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

commit=$(git rev-parse --short=12 HEAD 2>/dev/null || true)
link="-X main.linkedVersion=$version -X main.linkedCommit=$commit"

CGO_ENABLED=0 go build -tags urfave_cli_no_docs -ldflags="$link" -o "$work/trcx" ./cmd/trcx
mkdir "$work/common"
cp LICENSE README.md CHANGELOG.md "$work/common"
"$work/trcx" man >"$work/common/trcx.1"
for shell in bash zsh fish; do
	"$work/trcx" completion "$shell" >"$work/common/trcx.$shell"
done

# build_tool SYSTEM ARCHITECTURE
build_tool() {
	local name=trcx-$version-$1-$2 ending=
	[ "$1" = windows ] && ending=.exe
	cp -r "$work/common" "$work/$name"
	CGO_ENABLED=0 GOOS=$1 GOARCH=$2 go build -trimpath -tags urfave_cli_no_docs -ldflags="-s -w $link" -o "$work/$name/trcx$ending" ./cmd/trcx
	if [ "$1" = windows ]; then
		(cd "$work" && zip -qrX "$folder/$name.zip" "$name")
	else
		tar -C "$work" --owner=0 --group=0 --sort=name -czf "$folder/$name.tar.gz" "$name"
	fi
}

# build_agent ARCHITECTURE COMPILER
build_agent() {
	if CC=$2 GOOS=linux GOARCH=$1 agent/native/build.sh "$folder/libtrcxagent-$version-linux-$1.so"; then
		return
	fi
	echo "release.sh: the agent for linux-$1 is left out" >&2
	[ "${CI:-}" != true ]
}

build_tool linux amd64
build_tool linux arm64
build_tool darwin amd64
build_tool darwin arm64
build_tool windows amd64
build_agent amd64 "${CC_AMD64:-gcc}"
build_agent arm64 "${CC_ARM64:-aarch64-linux-gnu-gcc}"
go run ./internal/release/sbom "$work/trcx" >"$folder/trcx-$version.cdx.json"
(cd "$folder" && sha256sum -- *"$version"* >SHA256SUMS)
echo "$folder:"
ls -l "$folder"
