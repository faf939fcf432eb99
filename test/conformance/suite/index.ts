import type { Test } from 'tap'
import { whyNot, type Case } from './case.ts'
import { faultCases } from './faults.ts'
import { heldCases } from './held.ts'
import { skip, start, type Subject } from './subject.ts'
import { recordCases } from './records.ts'
import { siblingCases } from './siblings.ts'
import { writerCases } from './writers.ts'
import { writeCases } from './writes.ts'
import { zoneCases } from './zones.ts'

/** Those that make sense without records at the provider, and all others. */
const WITHOUT_RECORDS: readonly Case[] = zoneCases
const OF_RECORDS: readonly Case[] = [
  ...recordCases,
  ...writeCases,
  ...writerCases,
  ...siblingCases,
  ...heldCases,
  ...faultCases,
]
export const CASES: readonly Case[] = [...WITHOUT_RECORDS, ...OF_RECORDS]

/**
 * What every adapter must do, whatever provider is behind it. `makeSubject` gives each case a zone of its own. What the
 * provider, or the subject, can't is skipped with the reason.
 */
export function conformance(t: Test, name: string, makeSubject: () => Promise<Subject>): Promise<unknown> {
  return t.test(name, async (t) => {
    const probe = await makeSubject()
    await probe.close()
    const hasRecords = probe.provider.capabilities.truth === 'provider'
    for (const each of hasRecords ? CASES : WITHOUT_RECORDS) {
      await t.test(each.name, async (t) => {
        const obstacle = whyNot(each, probe)
        if (obstacle !== null) return skip(t, obstacle)
        await each.run(t, await start(t, makeSubject))
      })
    }
    if (!hasRecords)
      skip(t, `${OF_RECORDS.length} cases of records: the provider keeps no records of its own`)
  })
}
