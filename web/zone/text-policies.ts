/** A policy in a TXT record, taken apart. */
export interface Policy {
  of: 'SPF' | 'DMARC' | 'DKIM'
  /** Each with the key of what it means, where that is known: `spf include`, `dmarc p=reject`. */
  parts: { text: string; term: string }[]
}

/** Of SPF: what stands before a value (RFC 7208 sections 5, 6); of `all` with what it says about the others. */
function spfTerm(part: string): string {
  const [, sign = '', name = ''] = /^([+?~-]?)([a-z0-9]+)/i.exec(part) ?? []
  const mechanism = name.toLowerCase()
  return mechanism === 'all' ? `spf ${sign === '+' ? '' : sign}all` : `spf ${mechanism}`
}

/** Of a list of tags (RFC 6376 section 3.2): the tag, of few-valued ones with the value. */
function tagTerm(of: string, part: string): string {
  const [tag = '', ...rest] = part.split('=')
  const name = tag.trim().toLowerCase()
  const value = rest.join('=').trim().toLowerCase()
  if (of === 'dmarc' && (name === 'p' || name === 'sp')) return `dmarc ${name}=${value}`
  return of === 'dkim' && name === 'p' && value === '' ? 'dkim p=' : `${of} ${name}`
}

/** The policy that a TXT at a name says; null: none that is known. A key of DKIM is known by its name, too. */
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
