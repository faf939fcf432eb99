/** Something worth saying about a value while it is typed; the words are the view's. */
export type Hint =
  | { kind: 'private' | 'documentation' | 'apex-alias' | 'null-mx' | 'spf-open' }
  | { kind: 'spf-lookups'; count: number }
  | { kind: 'parts'; of: 'SPF' | 'DMARC' | 'DKIM'; parts: string[] }

/** RFC 1918, RFC 6598, loopback, link-local; ULA and link-local of IPv6. */
const PRIVATE =
  /^(10\.|127\.|169\.254\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)|^(f[cd]|fe[89ab])[0-9a-f]{0,2}:|^::1$/i
/** RFC 5737, RFC 3849. */
const DOCUMENTATION = /^(192\.0\.2\.|198\.51\.100\.|203\.0\.113\.)|^2001:0?db8:/i
/** Terms of SPF that cost a look-up; at most ten are followed (RFC 7208 section 4.6.4). */
const LOOKUP = /^[+?~-]?(include:|a([:/]|$)|mx([:/]|$)|ptr([:/]|$)|exists:)|^redirect=/i
const MAX_LOOKUPS = 10

function textHints(value: string): Hint[] {
  if (/^v=spf1(\s|$)/i.test(value)) {
    const parts = value.trim().split(/\s+/).slice(1)
    const count = parts.filter((part) => LOOKUP.test(part)).length
    return [
      { kind: 'parts', of: 'SPF', parts },
      ...(count > MAX_LOOKUPS ? [{ kind: 'spf-lookups', count } as const] : []),
      ...(parts.some((part) => /^\+?all$/i.test(part)) ? [{ kind: 'spf-open' } as const] : []),
    ]
  }
  const [of] = /^v=(DMARC|DKIM)1\b/i.exec(value)?.slice(1) ?? []
  if (of === undefined) return []
  const parts = value.split(';').flatMap((part) => part.trim() || [])
  return [{ kind: 'parts', of: of.toUpperCase() as 'DMARC' | 'DKIM', parts: parts.slice(1) }]
}

/** What is worth saying of a record as it is typed. */
export function hintsOf({
  name,
  recordType,
  value,
}: {
  name: string
  recordType: string
  value: string
}): Hint[] {
  switch (recordType) {
    case 'A':
    case 'AAAA':
      if (PRIVATE.test(value)) return [{ kind: 'private' }]
      return DOCUMENTATION.test(value) ? [{ kind: 'documentation' }] : []
    case 'CNAME':
      return name === '@' ? [{ kind: 'apex-alias' }] : []
    case 'MX':
      return /^\d+\s+\.$/.test(value.trim()) ? [{ kind: 'null-mx' }] : []
    case 'TXT':
      return textHints(value)
    default:
      return []
  }
}
