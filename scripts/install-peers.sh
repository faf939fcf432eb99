#!/usr/bin/env bash
# Installs the real servers that `npm run test:peers` runs against (Debian, Ubuntu; needs root).
# The tests start them on free loopback ports; this script starts no service.
set -euo pipefail

packages=(
  pdns-server pdns-backend-sqlite3 sqlite3 # the DNS server, and what makes its database
  pdns-backend-pgsql                       # its database in benchmarks
  bind9-dnsutils bind9-utils               # dig, and what loads a zone as BIND does
  bind9 knot                               # name servers that take dynamic updates
  nsd                                      # a secondary of these
  knot-dnsutils python3-certbot-dns-rfc2136 # what sends dynamic updates to us, besides nsupdate
  kea-dhcp-ddns-server                     # the same for the leases of DHCP servers
  python3-dnspython                        # another reading of all record types
  caddy                                    # the reverse proxy before our own server
  pgbouncer                                # a pooler before PostgreSQL
  ddclient libio-socket-ssl-perl inadyn    # what keeps the address of a home in its name
  pebble lego certbot                      # an ACME server for tests, and clients of such
  python3-pip python3-setuptools python3-wheel dash # what builds and installs a plugin of certbot; the shell of acme.sh
  dehydrated lexicon                       # clients of the API of PowerDNS
  postgresql                               # a server that is not ours, with pg_dump and pg_restore
  pgbackrest                               # takes it back to a point in time
  patroni python3-etcd etcd-server etcd-client haproxy iproute2 # a database that fails over, and its proxy
  chromium fonts-noto-cjk                 # a browser that makes and uses passkeys, and shows the console; what Chinese is written with
  zsh fish                                 # shells that complete our commands, besides bash
  prometheus systemd                       # what judges the files in deploy/
  openssl                                  # makes a self-signed certificate
)

missing=()
for package in "${packages[@]}"; do
  # db:Status-Abbrev is "ii " for a package that is installed and configured.
  [[ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || true)" == ii* ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  echo 'The test servers are already installed.'
  exit 0
fi
if ((EUID != 0)); then
  echo "Run as root: $0 (to install ${missing[*]})" >&2
  exit 1
fi

# Debian starts a service when it is installed, unless this policy returns 101 ("forbidden").
policy=/usr/sbin/policy-rc.d
verdict=0
if [[ -x "$policy" ]]; then "$policy" pdns start >/dev/null 2>&1 || verdict=$?; fi
if ((verdict != 101)); then
  saved=''
  if [[ -e "$policy" ]]; then
    saved="$(mktemp "$policy.XXXXXX")"
    mv "$policy" "$saved"
  fi
  restore() {
    if [[ -n "$saved" ]]; then mv "$saved" "$policy"; else rm -f "$policy"; fi
  }
  trap restore EXIT
  trap 'exit 130' INT TERM
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}"
echo "Installed: ${missing[*]}"
