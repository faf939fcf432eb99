import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../db/connection/connect.ts'
import type { Actor } from '../../plugins/security/access/index.ts'
import type { AuditAction } from './actions.ts'
import { insertAuditRows } from './queries.ts'

export type { AuditAction } from './actions.ts'

export interface AuditEntry {
  action: AuditAction
  target: { type: string; id: string | null; name: string | null }
  /** Only what changed; never a secret. */
  before?: object | null
  after?: object | null
}

/** Writes an audit entry. Call it in the transaction of the change. */
export async function recordAudit(trx: Executor, actor: Actor, entry: AuditEntry): Promise<void> {
  await insertAuditRows(trx, [toRow(actor, entry)])
}

/** Writes entries of several changes. */
export async function recordAudits(trx: Executor, all: { actor: Actor; entry: AuditEntry }[]): Promise<void> {
  if (all.length > 0)
    await insertAuditRows(
      trx,
      all.map(({ actor, entry }) => toRow(actor, entry)),
    )
}

/** Origin and token of an actor, as columns. */
export const provenanceOf = ({ origin, token }: Actor) => ({
  origin,
  token_id: token?.id ?? null,
  token_name: token?.name ?? null,
  token_suffix: token?.suffix ?? null,
})

const toRow = (actor: Actor, entry: AuditEntry) => ({
  id: uuidv7(),
  actor_id: actor.userId,
  actor_name: actor.username,
  ...provenanceOf(actor),
  ip: actor.ip,
  request_id: actor.requestId,
  action: entry.action,
  target_type: entry.target.type,
  target_id: entry.target.id,
  target_name: entry.target.name,
  before: json(entry.before),
  after: json(entry.after),
})

/** Returns the differences between two states, for an audit entry. */
export function differences<T extends object>(
  before: T,
  after: T,
): { before: Partial<T>; after: Partial<T> } {
  const changed = (Object.keys(after) as (keyof T)[]).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
  const pick = (from: T) => Object.fromEntries(changed.map((key) => [key, from[key]])) as Partial<T>
  return { before: pick(before), after: pick(after) }
}

const json = (value: object | null | undefined) => (value ? JSON.stringify(value) : null)
