/** A parsed policy of a TXT record. */
export interface Policy {
  of: 'SPF' | 'DMARC' | 'DKIM'
  /** Parts with the key of their meaning: `spf include`, `dmarc p=reject`. */
  parts: { text: string; term: string }[]
}

/** SPF mechanism without its value (RFC 7208 sections 5, 6); for `all` with its qualifier. */
function spfTerm(part: string): string {
  const [, sign = '', name = ''] = /^([+?~-]?)([a-z0-9]+)/i.exec(part) ?? []
  const mechanism = name.toLowerCase()
  return mechanism === 'all' ? `spf ${sign === '+' ? '' : sign}all` : `spf ${mechanism}`
}

/** Tag of a list (RFC 6376 section 3.2), with its value if few values exist. */
function tagTerm(of: string, part: string): string {
  const [tag = '', ...rest] = part.split('=')
  const name = tag.trim().toLowerCase()
  const value = rest.join('=').trim().toLowerCase()
  if (of === 'dmarc' && (name === 'p' || name === 'sp')) return `dmarc ${name}=${value}`
  return of === 'dkim' && name === 'p' && value === '' ? 'dkim p=' : `${of} ${name}`
}

/** The policy in a TXT record; null if it has none. DKIM keys are recognized by name too. */
export function policyOf({ name, value }: { name: string; value: string }): Policy | null {
  const text = value.trim()
  if (/^v=spf1(\s|$)/i.test(text)) {
    const parts = text.split(/\s+/).slice(1)
    return { of: 'SPF', parts: parts.map((part) => ({ text: part, term: spfTerm(part) })) }
  }
  const [, version] = /^v=(DMARC1|DKIM1)\b/i.exec(text) ?? []
  const isKey = version === undefined && /(^|\.)_domainkey(\.|$)/i.test(name) && /(^|;)\s*p=/i.test(text)
  if (version === undefined && !isKey) return null
  const of = isKey || /^dkim/i.test(version ?? '') ? 'DKIM' : 'DMARC'
  const tags = text.split(';').flatMap((part) => part.trim() || [])
  return {
    of,
    parts: tags
      .filter((part) => !/^v\s*=/i.test(part))
      .map((part) => ({ text: part, term: tagTerm(of.toLowerCase(), part) })),
  }
}
