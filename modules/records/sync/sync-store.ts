import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Actor } from '../../../plugins/security/access/index.ts'
import { contentOf } from '../plan/change.ts'
import type { Differences } from './sync-differences.ts'
import type { Found } from './sync-provider.ts'
import { insertSynced, recordSyncItems, removeSynced, updateSynced } from './sync-queries.ts'

/** Most rows of one statement. */
const CHUNK = 1_000

/** Stores differences as records here and as a change in the history. Returns the id of the change. */
export async function storeDifferences(
  trx: Executor,
  change: { domainId: string; actor: Actor; source: 'sync' | 'switch'; changedOutside?: boolean },
  { created, updated, deleted }: Differences,
): Promise<string> {
  const id = uuidv7()
  const added = created.map((found) => ({ id: uuidv7(), ...found }))
  await storeRecords(trx, change.domainId, { added, updated, deleted })
  await recordSyncItems(trx, { id, ...change }, [
    ...deleted.map((record) => ({ action: 'delete', id: record.id, before: contentOf(record), after: null })),
    ...updated.map((one) => ({ action: 'update', id: one.id, before: one.before, after: one.found.content })),
    ...added.map((one) => ({ action: 'create', id: one.id, before: null, after: one.content })),
  ])
  return id
}

/** Records to add, with their ids, to update and to delete. */
export interface RecordWrites {
  added: ({ id: string } & Found)[]
  updated: { id: string; found: Found }[]
  deleted: { id: string }[]
}

/** Writes records without history. */
export async function storeRecords(
  trx: Executor,
  domainId: string,
  { added, updated, deleted }: RecordWrites,
): Promise<void> {
  // Deletes first: new records may take the place of old ones.
  for (const chunk of chunks(deleted))
    await removeSynced(
      trx,
      chunk.map((record) => record.id),
    )
  const isOn = ({ found }: { found: Found }) => found.content.enabled
  const [on, off] = [updated.filter(isOn), updated.filter((one) => !isOn(one))]
  for (const chunk of [...chunks(off), ...chunks(on)])
    await updateSynced(
      trx,
      chunk.map((one) => ({ id: one.id, ...one.found })),
    )
  for (const chunk of chunks(added)) await insertSynced(trx, domainId, chunk)
}

export function* chunks<T>(list: T[]): Generator<T[]> {
  for (let i = 0; i < list.length; i += CHUNK) yield list.slice(i, i + CHUNK)
}
