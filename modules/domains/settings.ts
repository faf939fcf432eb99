import type { Updateable } from 'kysely'
import type { DomainsTable } from '../../db/tables/index.ts'
import type { DomainRow } from './access/access.ts'
import { autoCheckColumns, expiryColumns } from './expiry/dates.ts'

/** What may be set of a domain; what is missing stays. */
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
}

/** What may be set of many domains at once; of tags first the whole list, then what is taken off and added. */
export interface BulkSettings extends Pick<
  DomainSettings,
  'groupName' | 'tags' | 'expiryRemindDays' | 'autoCheckExpiry'
> {
  addTags?: string[]
  removeTags?: string[]
}

/** The columns of what changes. */
export function changedColumns(row: DomainRow, input: DomainSettings): Updateable<DomainsTable> {
  const remindDays = input.expiryRemindDays ?? row.expiry_remind_days
  const dated = input.expiresAt !== undefined || input.expiryRemindDays !== undefined
  const expiresAt = input.expiresAt === undefined ? row.expires_at : dateOf(input.expiresAt)
  // Sending the date back that was looked up does not make it a manual one.
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
    ...(turned && autoCheckColumns(!row.auto_check_expiry)),
    ...(input.expiryRemindDays !== undefined && { expiry_remind_days: descending(remindDays) }),
    ...(dated && expiryColumns(expiresAt, source, remindDays)),
  }
}

/** The columns of automatic syncs; the first comes soon, so that who turned them on sees what they do. */
export const automaticSync = (minutes: number | null) => ({
  sync_interval: minutes,
  sync_due_at: minutes === null ? null : new Date(),
})

/** Time for who registers a domain to read it, before an automatic sync does. */
const FIRST_SYNC_MS = 60_000

/** The same of a new domain: it is due once also without automatic syncs, unless its records are only kept here. */
export const firstSync = (minutes: number | null, truth: 'provider' | 'local') => ({
  sync_interval: minutes,
  sync_due_at: truth === 'provider' || minutes !== null ? new Date(Date.now() + FIRST_SYNC_MS) : null,
})

export const dateOf = (text: string | null) => (text === null ? null : new Date(text))
export const distinct = (values: string[]) => [...new Set(values.map((value) => value.trim()))]
export const descending = (values: number[]) => [...values].sort((a, b) => b - a)
