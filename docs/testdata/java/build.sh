#!/usr/bin/env bash
# Builds what the examples and scripts record: docs/testdata/java/build.sh FOLDER puts there libtrcxagent.so, the programs of this folder as app.jar, server.jar and
# probe.jar, and jdk, a link to the JDK. That is the one of $JAVA_HOME, or else the newest under /usr/lib/jvm, from 17 to 25. What is missing is installed where that
# is possible. Exit status 3: it is not; the last line says what to install. TRCX_AGENT names a library that is to be used instead of a new one.
set -euo pipefail
folder=$(cd "${1:?usage: docs/testdata/java/build.sh FOLDER}" && pwd)
sources=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$sources/../../.." && pwd)

# feature prints the number of the JDK's version, or nothing if trcx does not record it.
feature() {
	local version
	version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null) || return 0
	if [ -x "$1/bin/javac" ] && [ "${version:-0}" -ge 17 ] && [ "$version" -le 25 ]; then
		echo "$version"
	fi
}

find_jdk() {
	if [ -n "$(feature "${JAVA_HOME:-}")" ]; then
		echo "$JAVA_HOME"
		return
	fi
	for jdk in /usr/lib/jvm/*; do
		echo "$(feature "$jdk") $jdk"
	done | grep '^[0-9]' | sort -n | tail -n 1 | cut -d ' ' -f 2
}

complete() {
	[ -n "$(find_jdk)" ] && { [ -n "${TRCX_AGENT:-}" ] || command -v "${CC:-gcc}" >/dev/null; }
}

if ! complete && ! "$root/agent/jvmtest/install.sh" >&2 && ! complete; then
	echo "build.sh: gcc or a JDK from 17 to 25 is missing; agent/jvmtest/install.sh installs both" >&2
	exit 3
fi
jdk=$(find_jdk)
ln -sfn "$jdk" "$folder/jdk"

build_agent() {
	if [ -n "${TRCX_AGENT:-}" ]; then
		cp "$TRCX_AGENT" "$folder/libtrcxagent.so"
	else
		JAVA_HOME=$jdk "$root/agent/native/build.sh" "$folder/libtrcxagent.so"
	fi
}

build_programs() {
	"$jdk/bin/javac" --release 17 -d "$folder/classes" "$sources"/*.java
	cd "$folder/classes"
	for class in App Server Probe; do
		"$jdk/bin/jar" --create --file "$folder/${class,,}.jar" --main-class $class $class*.class
	done
}

build_programs &
build_agent
wait $!
