#!/usr/bin/env bash
# Records Scenes.java anew: record.sh JDK17 JDK25, the homes of both. It needs the agent's library (make agent).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
agent=$here/../../../../bin/libtrcxagent.so
classes=$(mktemp -d)
cd "$here"
trap 'rm -rf "$classes"' EXIT
"$1/bin/javac" --release 17 -XDstringConcat=inline -d "$classes" "$here/Scenes.java"

# record JDK VERSION SCENE
record() {
	name=$3-jdk$2
	timeout 60 "$1/bin/java" "-agentpath:$agent=file=$name.trcxml" -cp "$classes" Scenes "$3" >"$name.truth.txt"
	sed -i -E '/<node /{s/(hostname=")[^"]*/\1localhost/;s/(ipaddress=")[^"]*/\1127.0.0.1/}' "$name.trcxml"
}

for scene in handoff notify interrupt deadlock; do
	record "$1" 17 "$scene"
	record "$2" 25 "$scene"
done
