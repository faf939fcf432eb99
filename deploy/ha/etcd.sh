#!/bin/sh
# One member of etcd: ./etcd.sh NAME ADDRESS
# The three members agree on which PostgreSQL is the primary; two of them are enough. Nothing here is encrypted or needs a
# password: on several machines, keep ports 2379 and 2380 inside a private network, or add --client-cert-auth and
# --peer-client-cert-auth with certificates (https://etcd.io/docs/v3.4/op-guide/security/).
set -eu
name=$1 address=$2

# The options initial-* count for the first start only. A member that lost its data is removed and added again with
# `etcdctl member`, and started with --initial-cluster-state existing.
#
# A member waits longer for its leader than by default (1 s), so that a busy machine is not taken for a dead one. With
# --pre-vote, a member that was cut off doesn't end the term of the leader when it comes back. Patroni needs --enable-v2:
# patroni.yml says why.
exec etcd --name "$name" --data-dir "data/etcd-$name" \
  --listen-client-urls "http://$address:2379" --advertise-client-urls "http://$address:2379" \
  --listen-peer-urls "http://$address:2380" --initial-advertise-peer-urls "http://$address:2380" \
  --initial-cluster one=http://127.0.0.11:2380,two=http://127.0.0.12:2380,three=http://127.0.0.13:2380 \
  --initial-cluster-token zonekeeper --initial-cluster-state new \
  --enable-v2 --pre-vote --heartbeat-interval 250 --election-timeout 2500 --auto-compaction-retention 1 \
  --logger zap --log-level warn
