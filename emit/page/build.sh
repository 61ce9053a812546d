#!/bin/sh
# Makes emit/page/assets of emit/page/web. It needs Go, and no Node. With -check it changes nothing, and fails if the assets are not what the sources give.
set -eu
cd "$(dirname "$0")/browser"
exec go run ./build "$@"
