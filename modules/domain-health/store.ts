import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables/index.ts'
import { announce } from '../../plugins/events/outbox/announce.ts'
import type { DomainRow } from '../domains/access/access.ts'
import type { Checked } from './checking/check.ts'
import { keyOf, type Unknown } from './checking/finding.ts'
import { nextNight } from './checking/night.ts'
import {
  deleteFindings,
  findingsOf,
  lockHealth,
  noteCheck,
  upsertFindings,
  type NewFinding,
  type StoredFinding,
} from './store-queries.ts'

const RECHECK_MS = 3_660_000
/** Findings in one event. */
const MAX_TOLD = 100

/**
 * Stores what a check found, and announces what is new or gone; each once, even if several check at the same time. A check that
 * began before the stored one is dropped.
 */
export function storeCheck(db: Kysely<Database>, domain: DomainRow, checked: Checked): Promise<void> {
  const { startedAt, findings, omitted, unknown, behind } = checked
  return db.transaction().execute(async (trx) => {
    const row = await lockHealth(trx, domain.id)
    if (!row || (row.checked_at !== null && row.checked_at >= startedAt)) return
    const before = await findingsOf(trx, domain.id)
    const now: NewFinding[] = findings.map(({ subject, ...found }) => ({
      ...found,
      key: keyOf({ subject, ...found }),
    }))
    const nowKeys = new Set(now.map(({ key }) => key))
    const gone = before.filter((stored) => !nowKeys.has(stored.key) && !isUnknown(stored, unknown))
    const beforeKeys = new Set(before.map(({ key }) => key))
    const added = now.filter(({ key }) => !beforeKeys.has(key))
    if (gone.length > 0)
      await deleteFindings(
        trx,
        domain.id,
        gone.map(({ key }) => key),
      )
    if (now.length > 0) await upsertFindings(trx, domain.id, now)
    await noteCheck(trx, domain.id, {
      checked_at: startedAt,
      due_at: nextCheck(domain.id, checked),
      not_checked: JSON.stringify(unknown),
      omitted: JSON.stringify(omitted),
      behind: JSON.stringify(behind),
    })
    const told = toldOf(added, gone, row.checked_at === null)
    if (told.length === 0) return
    const metadata = { domainId: domain.id, domainName: domain.name, records: told.slice(0, MAX_TOLD) }
    await announce(trx, 'domain.health_changed', {
      metadata: { ...metadata, more: Math.max(0, told.length - MAX_TOLD) },
      actorId: null,
    })
  })
}

/** Whether the check could not find out about it. */
const isUnknown = (stored: StoredFinding, unknown: readonly Unknown[]): boolean =>
  unknown.some(({ codes, subject }) => {
    if (!(codes as string[]).includes(stored.code)) return false
    return subject === null || keyOf({ ...stored, subject } as Parameters<typeof keyOf>[0]) === stored.key
  })

/** A name server that is behind is asked again after an hour, which decides. */
function nextCheck(domainId: string, { startedAt, behind, findings }: Checked): Date {
  const isOpen = Object.keys(behind).length > findings.filter(({ code }) => code === 'soa.differs').length
  return isOpen ? new Date(startedAt.getTime() + RECHECK_MS) : nextNight(domainId, startedAt)
}

/**
 * What is announced: errors and warnings, and of a first check only errors, so that a new installation is not flooded with
 * what has been so for years.
 */
function toldOf(added: readonly StoredFinding[], gone: readonly StoredFinding[], isFirst: boolean) {
  const worth = ({ severity }: StoredFinding) => severity === 'error' || (severity === 'warning' && !isFirst)
  const told =
    (state: 'new' | 'gone') =>
    ({ code, severity, name, type }: StoredFinding) => ({ name, type, code, severity, state })
  return [...added.filter(worth).map(told('new')), ...gone.filter(worth).map(told('gone'))]
}
