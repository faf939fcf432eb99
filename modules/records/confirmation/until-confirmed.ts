import type { Executor } from '../../../db/connection/connect.ts'
import type { Later } from '../../../schemas/records/later.ts'
import { findConfirmation, startClocks } from './queries.ts'

/** Until when a change must be confirmed; nothing if it need not be. Null while its outcome is not known. */
export async function untilConfirmed(
  db: Executor,
  changeId: string | null,
  { confirmWithin }: Pick<Later, 'confirmWithin'>,
): Promise<{ confirmBy?: string | null }> {
  if (confirmWithin === undefined || changeId === null) return {}
  await startClocks(db, changeId)
  const confirmation = await findConfirmation(db, changeId)
  return { confirmBy: confirmation?.confirm_by?.toISOString() ?? null }
}
