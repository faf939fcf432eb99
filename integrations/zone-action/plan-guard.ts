import type { Plan } from '../../clients/typescript/index.ts'
import type { ZonePlan } from './command-line.ts'

/** Number of changes of a plan. */
export const changesOf = ({ creates, updates, deletes }: Plan): number =>
  creates.length + updates.length + deletes.length

/** Counts the records a plan deletes without another at the same name and type in their place. */
export function lossesOf({ creates, deletes }: Plan): number {
  const keyOf = (content: { name: string; recordType: string } | null) =>
    `${content?.name} ${content?.recordType}`
  const gained = Map.groupBy(creates, ({ after }) => keyOf(after))
  const lost = Map.groupBy(deletes, ({ before }) => keyOf(before))
  return [...lost].reduce(
    (sum, [key, records]) => sum + Math.max(0, records.length - (gained.get(key)?.length ?? 0)),
    0,
  )
}

/** Returns why a plan must not be applied; null if it may be. */
export function refusalOf({ plan, failure }: ZonePlan, maxDeletions: number): string | null {
  if (plan === null) return failure
  if (plan.conflicts.length > 0) return 'The plan has conflicts.'
  if (changesOf(plan) === 0) return null
  const losses = lossesOf(plan)
  if (losses > maxDeletions)
    return `It deletes ${losses} records; max-deletions is ${maxDeletions}. Raise it for this run if that is intended.`
  return plan.planId ? null : 'The file has no records, which would empty the domain.'
}
