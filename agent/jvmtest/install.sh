#!/bin/sh
# Installs what the tests of this folder need: a C compiler, JDK 17, and the newest JDK up to 25 that there is.
set -eu

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "install.sh: this needs apt-get and the rights of root; install gcc, JDK 17 and JDK 25 in another way" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
# Several packages of tests may find at once that something is missing; one installs, and the others wait for it.
exec 9>/tmp/trcx-install.lock
flock 9
apt-get update -q
apt-get install -q -y --no-install-recommends gcc libc6-dev make

# A JDK that is there already, from whatever source, is not installed again.
present() {
    grep -qs "^JAVA_VERSION=\"$1[.\"]" /usr/lib/jvm/*/release
}
available() {
    apt-cache show "$1" >/dev/null 2>&1
}
present 17 || apt-get install -q -y --no-install-recommends openjdk-17-jdk-headless
for version in 25 24 23 22 21; do
    if present "$version"; then
        break
    fi
    if available "openjdk-$version-jdk-headless"; then
        apt-get install -q -y --no-install-recommends "openjdk-$version-jdk-headless"
        break
    fi
done
