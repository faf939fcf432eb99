import type { MemberChange, RRsetEdit } from '../contract.ts'
import { UnknownSiblings } from '../provider-error.ts'

/** What an edit says about the values that it does not change. */
export type SiblingRules = Pick<RRsetEdit, 'changes'> &
  Partial<Pick<RRsetEdit, 'name' | 'type' | 'known' | 'exact' | 'found'>>

/**
 * Reports the values of a set, as read before the write, that the service does not know. `null`: a value that can't be
 * read. Throws `UnknownSiblings` where the edit says that there must be none; nothing may have been written before.
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
