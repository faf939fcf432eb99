import { warningsOf, type PolicyWarning } from './policy-warning.ts'
import { shown } from '../text/messages.ts'
import { parseTagList } from './tag-list.ts'

const warn = warningsOf('dmarc')
const POLICIES = ['none', 'quarantine', 'reject']

/** The values of RFC 9989 section 4.7; `pct`, `rf` and `ri`, since dropped, as in RFC 7489 section 6.3. */
const ALLOWED: Record<string, { check: (value: string) => boolean; say: string; section: string }> = {
  p: oneOf(POLICIES),
  sp: oneOf(POLICIES),
  np: oneOf(POLICIES),
  adkim: oneOf(['r', 's']),
  aspf: oneOf(['r', 's']),
  psd: oneOf(['y', 'n', 'u']),
  t: oneOf(['y', 'n']),
  fo: {
    check: (value) => value.split(':').every((option) => ['0', '1', 'd', 's'].includes(option.trim())),
    say: '0, 1, d or s, separated by colons',
    section: 'RFC 9989, 4.7',
  },
  pct: {
    check: (value) => /^[0-9]{1,3}$/.test(value) && Number(value) <= 100,
    say: 'a number from 0 to 100',
    section: 'RFC 7489, 6.3',
  },
  ri: { check: (value) => /^[0-9]{1,10}$/.test(value), say: 'a number of seconds', section: 'RFC 7489, 6.3' },
  rf: { check: (value) => value === 'afrf', say: 'afrf', section: 'RFC 7489, 6.3' },
}

function oneOf(values: string[]) {
  const say = values.join(', ')
  return { check: (value: string) => values.includes(value.toLowerCase()), say, section: 'RFC 9989, 4.7' }
}

/**
 * Warnings about a DMARC policy record (RFC 9989 section 4.7) or, with `report`, about a record that accepts
 * reports for another domain, which needs no policy (RFC 7489 section 7.1).
 */
export function checkDmarc(text: string, report: boolean): PolicyWarning[] {
  const { tags, malformed, repeated } = parseTagList(text)
  if ([...tags.keys()][0] !== 'v' || tags.get('v') !== 'DMARC1') {
    return [warn('dmarc_version', 'the text must begin with "v=DMARC1", or it is ignored (RFC 9989, 4.7).')]
  }
  const warnings = malformed.map((part) =>
    warn('dmarc_part', `${shown(part)} is not a "tag=value" (RFC 9989, 4.7).`, { part }),
  )
  for (const tag of repeated)
    warnings.push(warn('dmarc_repeated', `the tag ${shown(tag)} appears twice (RFC 9989, 4.7).`, { tag }))
  if (!report && !tags.has('p')) {
    warnings.push(
      warn(
        'dmarc_policy',
        'the policy is missing; add "p=none", "p=quarantine" or "p=reject" (RFC 9989, 4.7).',
      ),
    )
  }
  for (const [tag, value] of tags) warnings.push(...checkTag(tag, value))
  return warnings
}

function checkTag(tag: string, value: string): PolicyWarning[] {
  if (tag === 'v') return []
  if (tag === 'rua' || tag === 'ruf') return checkReportUris(tag, value)
  const rule = Object.hasOwn(ALLOWED, tag) ? ALLOWED[tag] : undefined
  if (rule === undefined)
    return [warn('dmarc_tag', `${shown(tag)} is not a DMARC tag and is ignored (RFC 9989, 4.7).`, { tag })]
  return rule.check(value)
    ? []
    : [warn('dmarc_value', `"${tag}" must be ${rule.say} (${rule.section}).`, { tag, value })]
}

/** A list of URIs; receivers only have to support mailto. A size limit ("!10m") is obsolete but harmless. */
function checkReportUris(tag: string, value: string): PolicyWarning[] {
  const isMail = (uri: string) => /^mailto:[^\s@]+@[^\s@]+$/i.test(uri.replace(/![0-9]+[kmgt]?$/i, ''))
  const wrong = value.split(',').filter((uri) => !isMail(uri.trim()))
  return wrong.map((uri) => {
    const sentence = `${shown(uri.trim())} in "${tag}" is not a URI like "mailto:dmarc@example.com" (RFC 9989, 4.7).`
    return warn('dmarc_uri', sentence, { tag, uri: uri.trim() })
  })
}
