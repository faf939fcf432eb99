import type { Selectable } from 'kysely'
import type { ChangesTable } from '../../../../db/tables/index.ts'
import type { Actor } from '../../../../plugins/security/access/index.ts'
import { toProvenance } from '../../../../schemas/records/origin.ts'

/** Who made a change, as columns of the journal. */
export type ChangeAuthor = Pick<
  Selectable<ChangesTable>,
  'actor_id' | 'actor_name' | 'origin' | 'token_id' | 'token_name' | 'token_suffix'
>

/** These columns, for a statement. */
export const AUTHOR_COLUMNS = [
  'changes.actor_id',
  'changes.actor_name',
  'changes.origin',
  'changes.token_id',
  'changes.token_name',
  'changes.token_suffix',
] as const

/** Returns who made a change, for later audit entries and events. */
export function actorOf(change: ChangeAuthor): Actor {
  const { origin, token } = toProvenance(change)
  return {
    userId: change.actor_id,
    username: change.actor_name,
    // Old versions of the service did not store the origin.
    origin: origin ?? 'api',
    token,
    ip: null,
    requestId: null,
  }
}
