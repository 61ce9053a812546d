#!/bin/sh
# libreoffice.sh checks that a spreadsheet opens the tables and shows each cell as it is written. It installs LibreOffice Calc if there is none, which
# takes Debian or Ubuntu, and to be root.
set -e
cd "$(dirname "$0")"
if ! command -v soffice > /dev/null; then
	apt-get update
	DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libreoffice-calc
fi
exec go test . -run '^TestSpreadsheet$' -count 1 -v
