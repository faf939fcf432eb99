#!/bin/sh
# One instance of Zonekeeper: ./zonekeeper.sh ADDRESS CHECKOUT
# All instances have the same settings, zonekeeper.env, and the same secrets.
set -eu
export HOST="$1"
exec node --env-file=zonekeeper.env "$2/server.js"
