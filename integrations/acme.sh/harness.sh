# What acme.sh gives a DNS API, from its guide for authors of such: the functions the plugin uses, and nothing else, so
# that a function it doesn't offer fails here. Calls the plugin as acme.sh does: harness.sh PLUGIN add|rm NAME VALUE …
# ACCOUNT_CONF is the file in which settings are kept.
set -u
PLUGIN=$1
shift
: "${ACCOUNT_CONF:?}" "${_H1:=}"

_info() { printf '%s\n' "$*"; }
_err() {
  printf '%s\n' "$*" >&2
  return 1
}
_debug() { [ "${DEBUG:-0}" = 0 ] || printf '%s\n' "$*" >&2; }
_debug2() { [ "${DEBUG:-0}" -lt 2 ] || printf '%s\n' "$*" >&2; }
# With what is secret hidden.
_secure_debug2() { [ "${DEBUG:-0}" -lt 2 ] || printf '%s [hidden]\n' "$1" >&2; }

_saveaccountconf_mutable() {
  grep -v "^$1=" "$ACCOUNT_CONF" >"$ACCOUNT_CONF.new" 2>/dev/null || true
  printf '%s=%s\n' "$1" "$2" >>"$ACCOUNT_CONF.new"
  mv "$ACCOUNT_CONF.new" "$ACCOUNT_CONF"
}
_readaccountconf_mutable() { sed -n "s/^$1=//p" "$ACCOUNT_CONF" 2>/dev/null; }

# _post body url [needbase64] [POST|PUT|DELETE] [content type]: the code is that of the transport, not of HTTP.
_post() {
  printf '%s' "$1" | curl --silent --show-error --user-agent acme.sh --request "${4:-POST}" \
    ${_H1:+--header "$_H1"} ${5:+--header "Content-Type: $5"} --data-binary @- "$2"
}

. "$PLUGIN"

while [ $# -gt 0 ]; do
  # In a process of its own for each value, as renewals have. The header with the token must not be left behind.
  ("dns_zonekeeper_$1" "$2" "$3" && [ -z "$_H1" ]) || exit 1
  shift 3
done
