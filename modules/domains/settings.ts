import type { Updateable } from 'kysely'
import type { DomainsTable } from '../../db/tables/index.ts'
import type { DriftPolicy } from '../../schemas/records/drift.ts'
import type { ReviewExemption, ReviewPolicy } from '../../schemas/records/review.ts'
import type { Verify } from '../../schemas/records/verify.ts'
import type { DomainRow } from './access/access.ts'
import { autoCheckColumns, expiryColumns } from './expiry/dates.ts'

/** Settings of a domain; omitted fields stay unchanged. */
export interface DomainSettings {
  expiresAt?: string | null
  groupName?: string
  tags?: string[]
  notes?: string
  expiryRemindDays?: number[]
  autoCheckExpiry?: boolean
  defaultTtl?: number
  /** Minutes; null: none. */
  syncInterval?: number | null
  reviewPolicy?: ReviewPolicy
  /** Protocols whose changes need no review. */
  reviewExempt?: ReviewExemption[]
  verify?: Verify
  driftPolicy?: DriftPolicy
}

/** Settings for many domains; `tags` is applied first, then `removeTags`, then `addTags`. */
export interface BulkSettings extends Pick<
  DomainSettings,
  'groupName' | 'tags' | 'expiryRemindDays' | 'autoCheckExpiry'
> {
  addTags?: string[]
  removeTags?: string[]
}

/** Columns of changed settings. */
export function changedColumns(row: DomainRow, input: DomainSettings): Updateable<DomainsTable> {
  const remindDays = input.expiryRemindDays ?? row.expiry_remind_days
  const dated = input.expiresAt !== undefined || input.expiryRemindDays !== undefined
  const expiresAt = input.expiresAt === undefined ? row.expires_at : dateOf(input.expiresAt)
  // A looked-up date sent back unchanged doesn't become manual.
  const source = expiresAt?.getTime() === row.expires_at?.getTime() ? row.expiry_source : 'manual'
  const turned = input.autoCheckExpiry !== undefined && input.autoCheckExpiry !== row.auto_check_expiry
  return {
    ...(input.groupName !== undefined && { group_name: input.groupName }),
    ...(input.tags !== undefined && { tags: distinct(input.tags) }),
    ...(input.notes !== undefined && { notes: input.notes }),
    ...(input.defaultTtl !== undefined && { default_ttl: input.defaultTtl }),
    ...(input.syncInterval !== undefined &&
      input.syncInterval !== row.sync_interval &&
      automaticSync(input.syncInterval)),
    ...(input.reviewPolicy !== undefined && { review_policy: input.reviewPolicy }),
    ...(input.reviewExempt !== undefined && { review_exempt: input.reviewExempt }),
    ...(input.verify !== undefined && { verify: input.verify }),
    ...(input.driftPolicy !== undefined && { drift_policy: input.driftPolicy }),
    ...(turned && autoCheckColumns(!row.auto_check_expiry)),
    ...(input.expiryRemindDays !== undefined && { expiry_remind_days: descending(remindDays) }),
    ...(dated && expiryColumns(expiresAt, source, remindDays)),
  }
}

/** Columns of automatic syncs; the first is due immediately, so users see its result. */
export const automaticSync = (minutes: number | null) => ({
  sync_interval: minutes,
  sync_due_at: minutes === null ? null : new Date(),
})

/** Time for the registering client to sync before an automatic sync. */
const FIRST_SYNC_MS = 60_000

/** Sync columns of a new domain: due once even without automatic syncs, unless its records are only local. */
export const firstSync = (minutes: number | null, truth: 'provider' | 'local') => ({
  sync_interval: minutes,
  sync_due_at: truth === 'provider' || minutes !== null ? new Date(Date.now() + FIRST_SYNC_MS) : null,
})

export const dateOf = (text: string | null) => (text === null ? null : new Date(text))
export const distinct = (values: string[]) => [...new Set(values.map((value) => value.trim()))]
export const descending = (values: number[]) => [...values].sort((a, b) => b - a)
