import type { MemberChange, RRsetEdit } from '../contract.ts'
import { UnknownSiblings } from '../provider-error.ts'

/** What an edit requires of the values that it does not change. */
export type SiblingRules = Pick<RRsetEdit, 'changes'> &
  Partial<Pick<RRsetEdit, 'name' | 'type' | 'known' | 'exact' | 'found'>>

/**
 * Reports values of a set that the service does not know. `held`: as read before the write; null for an unreadable value.
 * Throws `UnknownSiblings` where the edit allows none, so call it before anything is written.
 */
export function noteSiblings(edit: SiblingRules, held: readonly (string | null)[]): void {
  const { known, changes, exact = false, found, name = '@', type = 'A' } = edit
  if (known === undefined) return
  const expected = new Set([...known, ...changes.flatMap(valuesOf)])
  const readable = new Set(held.filter((value) => value !== null))
  const unknown = [...readable].filter((value) => !expected.has(value))
  found?.(unknown)
  const unreadable = held.length - held.filter((value) => value !== null).length
  if (exact && unknown.length + unreadable > 0) throw new UnknownSiblings({ name, type }, unknown, unreadable)
}

const valuesOf = (change: MemberChange): string[] =>
  change.action === 'replace' ? [change.from.value, change.to.value] : [change.member.value]
