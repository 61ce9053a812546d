#!/usr/bin/env bash
# Builds the agent's library: agent/native/build.sh OUTPUT.so
# It needs Go, a C compiler and the headers of a JDK, 17 or later, which are searched in $JAVA_HOME and under /usr/lib/jvm. Exit status 3: one of them is
# missing, which a message names.
set -euo pipefail
output=${1:?usage: agent/native/build.sh OUTPUT.so}
root=$(cd "$(dirname "$0")/../.." && pwd)
case $output in /*) ;; *) output=$PWD/$output ;; esac

missing() {
	echo "build.sh: $1" >&2
	exit 3
}

headers() {
	for jdk in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
		if [ -f "$jdk/include/jvmti.h" ] && [ -d "$jdk/include/linux" ]; then
			echo "$jdk/include"
			return
		fi
	done
}

command -v "${CC:-gcc}" >/dev/null || missing "there is no C compiler; install gcc and libc6-dev"
include=$(headers)
[ -n "$include" ] || missing "there is no JDK with jvmti.h in \$JAVA_HOME or under /usr/lib/jvm; install one, such as openjdk-17-jdk-headless"

cd "$root"
CGO_ENABLED=1 CGO_CFLAGS="-O2 -I$include -I$include/linux ${CGO_CFLAGS:-}" \
	go build -tags agent -buildmode=c-shared -trimpath -ldflags='-s -w' -o "$output" ./agent/native
rm -f "${output%.so}.h" # Go's header; C does not call Go
