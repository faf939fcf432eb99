#!/bin/sh
# Patroni and the PostgreSQL it runs: ./patroni.sh NAME ADDRESS
# What all machines have in common is in patroni.yml; passwords are in the environment, from secrets/patroni.env.
set -eu
set -a
. secrets/patroni.env
PATRONI_NAME=$1
PATRONI_RESTAPI_LISTEN=$2:8008
PATRONI_RESTAPI_CONNECT_ADDRESS=$2:8008
PATRONI_POSTGRESQL_LISTEN=$2:5432
PATRONI_POSTGRESQL_CONNECT_ADDRESS=$2:5432
PATRONI_POSTGRESQL_DATA_DIR=data/postgres-$1
PATRONI_POSTGRESQL_PGPASS=data/pgpass-$1
set +a
exec patroni patroni.yml
