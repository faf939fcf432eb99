import { parse as parseSuffix } from 'tldts'
import { isIpAddress } from '../addresses/ip.ts'
import { shown } from '../text/messages.ts'
import { isNumeric, type NameResult, refuseName as refuse, toAsciiName } from './names.ts'

/**
 * The name of a domain that can be managed here: registrable or delegable, so `example.com`,
 * `sub.example.com`, `corp.internal`, `2.0.192.in-addr.arpa` and `0/25.2.0.192.in-addr.arpa`, but not `com`
 * or `co.uk` (the ICANN section of the public suffix list).
 */
export function parseDomainName(input: string): NameResult {
  const text = input.trim()
  if (isIpAddress(text)) return refuse('name_is_address', `${shown(text)} is an IP address, not a domain`)
  const result = toAsciiName(text)
  if (!result.ok) return result
  const { name } = result
  if (name.includes('_'))
    return refuse(
      'name_underscore',
      `${shown(text)} has an underscore, which is not allowed in a domain name`,
    )
  const labels = name.split('.')
  if (labels.length < 2) {
    return refuse(
      'name_not_full',
      `${shown(text)} has only one label; enter the full name, for example "example.com"`,
    )
  }
  if (isNumeric(labels.at(-1))) {
    return refuse('name_numeric', `${shown(text)} is not a domain name: the last label must not be a number`)
  }
  if (isPublicSuffix(name))
    return refuse(
      'name_public_suffix',
      `${shown(text)} is a public suffix; enter a domain registered under it`,
    )
  return result
}

const SUFFIXES = { allowPrivateDomains: false, extractHostname: false, detectIp: false }

function isPublicSuffix(name: string): boolean {
  const found = parseSuffix(name, SUFFIXES)
  return found.isIcann === true && found.publicSuffix === name
}

/** The registered domain of a canonical name: one label below the public suffix. */
export const registrableDomain = (name: string): string => parseSuffix(name, SUFFIXES).domain ?? name
