import { shown } from './messages.ts'
import { parseTagList } from './tag-list.ts'

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Warnings about a DKIM key record (RFC 6376 section 3.6.1). */
export function checkDkim(text: string): string[] {
  const { tags, malformed, repeated } = parseTagList(text)
  const warnings = malformed.map((part) => `DKIM: ${shown(part)} is not a "tag=value" (RFC 6376, 3.2).`)
  for (const tag of repeated) warnings.push(`DKIM: the tag ${shown(tag)} comes twice (RFC 6376, 3.2).`)
  const version = tags.get('v')
  if (version !== undefined && (version !== 'DKIM1' || [...tags.keys()][0] !== 'v')) {
    warnings.push('DKIM: the version, if given, comes first and is "v=DKIM1" (RFC 6376, 3.6.1).')
  }
  const type = tags.get('k')
  if (type !== undefined && type !== 'rsa' && type !== 'ed25519') {
    warnings.push(
      `DKIM: ${shown(type)} is not a key type; use rsa or ed25519 (RFC 6376, 3.6.1; RFC 8463, 4.2).`,
    )
  }
  return [...warnings, ...checkKey(tags.get('p'))]
}

function checkKey(key: string | undefined): string[] {
  if (key === undefined) return ['DKIM: the public key "p=" is missing (RFC 6376, 3.6.1).']
  if (key === '') return ['DKIM: an empty "p=" says that the key is revoked (RFC 6376, 3.6.1).']
  // White space inside base64 is allowed (3.2), and what is left of lines that were joined.
  if (BASE64.test(key.replace(/\s+/g, ''))) return []
  return ['DKIM: the public key "p=" is not base64 (RFC 6376, 3.6.1).']
}
