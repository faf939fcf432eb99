#!/usr/bin/env sh
# DNS API of acme.sh for Zonekeeper, version 1.0.0.
# shellcheck disable=SC2034
dns_zonekeeper_info='Zonekeeper
 Manages domains over many DNS providers, self-hosted
Docs: integrations/acme.sh/README.md of Zonekeeper
Options:
 ZONEKEEPER_URL Address of the service, such as https://dns.example.net
 ZONEKEEPER_TOKEN Personal token with the permission acme:challenge
'

# The token can be limited to certain domains, names and addresses. The service adds one value to a name, or
# removes one, so the values of a domain and its wildcard, or of several machines, don't replace each other.

# Usage: dns_zonekeeper_add _acme-challenge.www.example.com "XKrxpRBosdIKFzxW_CT3KLZNf6q0HG9i01zxXp5CPBs"
dns_zonekeeper_add() {
  _zonekeeper_settings || return 1
  _zonekeeper_call present "$1" "$2" || return 1
  # Only settings that work are kept for renewals.
  _saveaccountconf_mutable ZONEKEEPER_URL "$ZONEKEEPER_URL"
  _saveaccountconf_mutable ZONEKEEPER_TOKEN "$ZONEKEEPER_TOKEN"
  _info "Zonekeeper: added the TXT value at $1"
}

# Usage: dns_zonekeeper_rm _acme-challenge.www.example.com "XKrxpRBosdIKFzxW_CT3KLZNf6q0HG9i01zxXp5CPBs"
dns_zonekeeper_rm() {
  _zonekeeper_settings || return 1
  _zonekeeper_call cleanup "$1" "$2" || return 1
  _info "Zonekeeper: removed the TXT value at $1"
}

# The environment comes first, then what was kept.
_zonekeeper_settings() {
  ZONEKEEPER_URL="${ZONEKEEPER_URL:-$(_readaccountconf_mutable ZONEKEEPER_URL)}"
  ZONEKEEPER_TOKEN="${ZONEKEEPER_TOKEN:-$(_readaccountconf_mutable ZONEKEEPER_TOKEN)}"
  if [ -z "$ZONEKEEPER_URL" ] || [ -z "$ZONEKEEPER_TOKEN" ]; then
    _err "Set ZONEKEEPER_URL and ZONEKEEPER_TOKEN (a token with the permission acme:challenge)."
    return 1
  fi
  ZONEKEEPER_URL="${ZONEKEEPER_URL%/}"
  case "$ZONEKEEPER_URL" in
  http://* | https://*) ;;
  *)
    _err "ZONEKEEPER_URL must begin with https:// (or http:// in a trusted network)."
    return 1
    ;;
  esac
}

# Usage: _zonekeeper_call present|cleanup name value
# The service answers when the DNS provider has the change. Names and values have no characters JSON would escape.
_zonekeeper_call() {
  _zonekeeper_url="$ZONEKEEPER_URL/api/v1/acme/$1"
  _zonekeeper_body="{\"fqdn\":\"$2\",\"value\":\"$3\"}"
  _debug "Zonekeeper: $1" "$2"
  _secure_debug2 "token" "$ZONEKEEPER_TOKEN"

  export _H1="Authorization: Bearer $ZONEKEEPER_TOKEN"
  _zonekeeper_answer="$(_post "$_zonekeeper_body" "$_zonekeeper_url" "" "POST" "application/json")"
  _zonekeeper_code="$?"
  # Later requests of the same run, to others, must not carry the token.
  export _H1=""

  _debug2 "answer" "$_zonekeeper_answer"
  if [ "$_zonekeeper_code" != "0" ]; then
    _err "Zonekeeper: no answer from $ZONEKEEPER_URL ($_zonekeeper_code)"
    return 1
  fi
  # Success repeats the value; an error is a problem document (RFC 9457).
  case "$_zonekeeper_answer" in
  *"\"value\":\"$3\""*) return 0 ;;
  esac
  _zonekeeper_detail="$(printf "%s" "$_zonekeeper_answer" | sed -n 's/.*"detail":"\([^"]*\)".*/\1/p')"
  _err "Zonekeeper: $1 of $2 refused: ${_zonekeeper_detail:-the answer is not from Zonekeeper; check ZONEKEEPER_URL}"
  return 1
}
