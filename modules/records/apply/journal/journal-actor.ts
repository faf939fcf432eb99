import type { Selectable } from 'kysely'
import type { ChangesTable } from '../../../../db/tables/index.ts'
import type { Actor } from '../../../../plugins/security/access/index.ts'
import { toProvenance } from '../../../../schemas/origin.ts'

/** What a change in the journal says about who made it. */
export type ChangeAuthor = Pick<
  Selectable<ChangesTable>,
  'actor_id' | 'actor_name' | 'origin' | 'token_id' | 'token_name' | 'token_suffix'
>

/** The columns of a statement that answers it. */
export const AUTHOR_COLUMNS = [
  'changes.actor_id',
  'changes.actor_name',
  'changes.origin',
  'changes.token_id',
  'changes.token_name',
  'changes.token_suffix',
] as const

/** Who made a change, for what is written about it later. */
export function actorOf(change: ChangeAuthor): Actor {
  const { origin, token } = toProvenance(change)
  return {
    userId: change.actor_id,
    username: change.actor_name,
    // Changes from before the origin was kept, which an older version of the service left pending.
    origin: origin ?? 'api',
    token,
    ip: null,
    requestId: null,
  }
}
