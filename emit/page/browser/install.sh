#!/bin/sh
# Installs what the tests of this folder need: Chromium, as Debian packages it.
set -eu

for browser in chromium chromium-browser google-chrome; do
    if command -v "$browser" >/dev/null; then
        exit 0
    fi
done
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "install.sh: there is no Chromium, and installing it needs apt-get and the rights of root; install chromium in another way" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
# Several packages of tests may find at once that something is missing; one installs, and the others wait for it.
exec 9>/tmp/trcx-install.lock
flock 9
apt-get update -q
if ! apt-cache show chromium >/dev/null 2>&1; then
    echo "install.sh: apt-get has no package named chromium; install it in another way" >&2
    exit 1
fi
# The fonts let names in other scripts, and emoji, be seen.
apt-get install -q -y --no-install-recommends chromium fonts-noto-core fonts-noto-color-emoji
