import type { Test } from 'tap'
import type { RRset } from '../../../modules/providers/contract.ts'
import { checkCapabilities } from '../../../modules/records/plan/provider-rules.ts'
import { ABILITIES, type AbilityName } from '../../../scripts/provider-abilities.ts'
import { add, type Subject, type Session } from './subject.ts'

/** Something that every adapter must do of whose provider can. */
export interface Case {
  name: string
  /** What the provider must be able to do. */
  needs?: readonly AbilityName[]
  /** The records that it is about: the provider must have their types, and not refuse them beforehand. */
  records?: readonly RRset[]
  /** Why it can't be tried with this subject; null where it can. */
  obstacle?: (subject: Subject) => string | null
  run: (t: Test, session: Session) => Promise<void>
}

/** Why the case can't be tried with the subject; null where it can. */
export function whyNot({ needs = [], records = [], obstacle }: Case, subject: Subject): string | null {
  const lacking = needs.map((need) => ABILITIES[need]).find(({ has }) => !has(subject.provider.capabilities))
  if (lacking !== undefined) return `the provider ${lacking.lack}`
  for (const record of records) {
    const refusal = whyRefused(record, subject)
    if (refusal !== null) return refusal
  }
  return obstacle?.(subject) ?? null
}

const CONTENT = { priority: null, proxied: false, enabled: true, comment: '', routing: null, extra: null }

/** Why the provider won't hold these records, as is known before they are sent; null where it isn't known to refuse. */
export function whyRefused(
  { name, type, ttl, members }: RRset,
  { provider, zoneName }: Subject,
): string | null {
  const { name: providerName, capabilities } = provider
  for (const { value } of members) {
    const [error] = checkCapabilities({ ...CONTENT, name, type, ttl, value }, { providerName, capabilities })
    if (error !== undefined)
      return `the provider refuses ${name} ${type}: ${error.path.slice(1)} ${error.message}`
  }
  const edits = [{ name, type, ttl, changes: members.map((member) => ({ ...add(member.value), member })) }]
  const [refusal] = provider.audit?.(zoneName, edits) ?? []
  return refusal ? `the provider refuses ${name} ${type}: ${refusal.field} ${refusal.message}` : null
}
