import type { Executor } from '../../../db/connection/connect.ts'
import { memberKey } from '../../../dns/names/rrset.ts'
import { isEqual } from '../history/states.ts'
import { recordsOfNames } from '../list/queries.ts'
import { itemsSince, type ItemSince } from './queries.ts'

/** The applied items of a change, by what became of their records. */
export interface Since {
  /** As the change left them. */
  open: ItemSince[]
  /** Changed since by others. */
  changed: ItemSince[]
}

/** What is left to revert of a change, and what others have changed since. */
export async function sinceChange(db: Executor, domainId: string, changeId: string): Promise<Since> {
  const items = await itemsSince(db, changeId)
  const names = [...new Set(items.flatMap(({ before }) => before?.name ?? []))]
  const here = new Set((await recordsOfNames(db, domainId, names)).map(memberKey))
  // A deleted record that was restored is another one.
  const isBack = ({ before, current }: ItemSince) =>
    isEqual(current, before) || (current === null && before !== null && here.has(memberKey(before)))
  const rest = items.filter((item) => !isBack(item))
  const [open, changed] = [rest.filter(isUntouched), rest.filter((item) => !isUntouched(item))]
  return { open, changed }
}

const isUntouched = ({ current, after }: ItemSince) => isEqual(current, after)

/** How events and the history name a record that was left alone. */
export function toLeft({ after, before }: ItemSince) {
  const { name, type, value } = (after ?? before) as NonNullable<ItemSince['before']>
  return { name, type, value }
}
