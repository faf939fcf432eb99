import { warningsOf, type PolicyWarning } from './policy-warning.ts'
import { shown } from '../text/messages.ts'
import { parseTagList } from './tag-list.ts'

const warn = warningsOf('dkim')
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Warnings about a DKIM key record (RFC 6376 section 3.6.1). */
export function checkDkim(text: string): PolicyWarning[] {
  const { tags, malformed, repeated } = parseTagList(text)
  const warnings = malformed.map((part) =>
    warn('dkim_part', `${shown(part)} is not a "tag=value" (RFC 6376, 3.2).`, { part }),
  )
  for (const tag of repeated)
    warnings.push(warn('dkim_repeated', `the tag ${shown(tag)} appears twice (RFC 6376, 3.2).`, { tag }))
  const version = tags.get('v')
  if (version !== undefined && (version !== 'DKIM1' || [...tags.keys()][0] !== 'v')) {
    warnings.push(
      warn('dkim_version', 'the version, if present, must come first and be "v=DKIM1" (RFC 6376, 3.6.1).'),
    )
  }
  const type = tags.get('k')
  if (type !== undefined && type !== 'rsa' && type !== 'ed25519') {
    const sentence = `${shown(type)} is not a valid key type; use rsa or ed25519 (RFC 6376, 3.6.1; RFC 8463, 4.2).`
    warnings.push(warn('dkim_key_type', sentence, { type }))
  }
  return [...warnings, ...checkKey(tags.get('p'))]
}

function checkKey(key: string | undefined): PolicyWarning[] {
  if (key === undefined) return [warn('dkim_no_key', 'the public key "p=" is missing (RFC 6376, 3.6.1).')]
  if (key === '')
    return [warn('dkim_revoked', 'an empty "p=" means that the key is revoked (RFC 6376, 3.6.1).')]
  // White space inside base64 is allowed (3.2), as is what remains of joined lines.
  if (BASE64.test(key.replace(/\s+/g, ''))) return []
  return [warn('dkim_key', 'the public key "p=" is not valid base64 (RFC 6376, 3.6.1).')]
}
