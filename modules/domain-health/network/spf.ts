import { isSpf } from '../../../dns/mail-policy/spf-merge.ts'
import { isLookup, MAX_LOOKUPS, parseTerms, type Term } from '../../../dns/mail-policy/spf-terms.ts'
import { RCODE } from '../../../dns/wire/message.ts'
import { typeCode } from '../../../dns/wire/type-codes.ts'
import { typeOf } from '../../../dns/types/index.ts'
import { txtToText } from '../../../dns/types/txt.ts'
import { toAsciiName } from '../../../dns/names/names.ts'
import { finding, type Found } from '../checking/finding.ts'
import type { StoredRecord } from '../stored/zone.ts'
import { isDefinite, orFailure, type Resolve } from './tools.ts'

const TXT = typeCode('TXT')

/** What is left of the lookups of a policy, as receivers count them. */
interface Count {
  lookups: number
  /** Names of policies that are being read; one that includes itself never ends. */
  reading: Set<string>
}

/**
 * SPF records whose lookups, with those of included records, are too many (RFC 7208 section 4.6.4). Counting ends with the
 * first lookup over the limit, so that no more questions are asked than a receiver would.
 */
export async function spfFindings(
  resolve: Resolve,
  records: readonly StoredRecord[],
  signal: AbortSignal,
): Promise<Found> {
  const found: Found = { findings: [], unknown: [] }
  for (const { name, value } of records) {
    const count: Count = { lookups: 0, reading: new Set() }
    const isKnown = await follow(resolve, txtToText(value), count, signal)
    const about = { code: 'mail.spf_lookups', name, type: 'TXT', subject: value } as const
    if (count.lookups > MAX_LOOKUPS) {
      const detail = `With included records, this SPF record needs more than ${MAX_LOOKUPS} DNS lookups.`
      found.findings.push(finding({ ...about, detail, params: { lookups: count.lookups } }))
    } else if (!isKnown) {
      const detail = `Not all records that the SPF record at ${name} includes could be read.`
      found.unknown.push({ codes: [about.code], subject: value, reason: 'no_answer', detail })
    }
  }
  return found
}

/** Counts the lookups of a policy and of those it includes. Returns whether all could be read. */
async function follow(resolve: Resolve, text: string, count: Count, signal: AbortSignal): Promise<boolean> {
  let isKnown = true
  for (const term of deciding(parseTerms(text))) {
    if (count.lookups > MAX_LOOKUPS) return isKnown
    if (!isLookup(term)) continue
    count.lookups++
    if (term.name !== 'include' && term.name !== 'redirect') continue
    const name = toAsciiName(term.argument ?? '')
    // With macros, the name depends on the message.
    if (!name.ok || count.reading.has(name.name)) continue
    if (count.lookups > MAX_LOOKUPS) return isKnown
    count.reading.add(name.name)
    const policy = await policyAt(resolve, name.name, signal)
    if (policy === undefined) isKnown = false
    else if (policy !== null && !(await follow(resolve, policy, count, signal))) isKnown = false
    count.reading.delete(name.name)
  }
  return isKnown
}

/** The terms that receivers evaluate at most: those before `all`, with which a `redirect` is ignored. */
function deciding(terms: Term[]): Term[] {
  const all = terms.findIndex(({ name }) => name === 'all')
  return all === -1 ? terms : terms.slice(0, all).filter(({ name }) => name !== 'redirect')
}

/** The policy at a name; null if there is none, undefined if it could not be read. */
async function policyAt(
  resolve: Resolve,
  name: string,
  signal: AbortSignal,
): Promise<string | null | undefined> {
  const answer = await orFailure(resolve({ name, type: 'TXT' }, signal))
  if (!isDefinite(answer)) return undefined
  if (answer.rcode === RCODE.NXDOMAIN) return null
  const texts = answer.answers
    .filter(({ type }) => type === TXT)
    .flatMap(({ data }) => typeOf('TXT').fromWire(data) ?? [])
    .map(txtToText)
  return texts.find(isSpf) ?? null
}
