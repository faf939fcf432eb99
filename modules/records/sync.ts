import { sql, type Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../db/connect.ts'
import type { Database } from '../../db/tables.ts'
import { SYSTEM, type Actor, type Caller } from '../../plugins/access/index.ts'
import { AppError, conflict } from '../../plugins/errors.ts'
import { recordAudit } from '../audit/service.ts'
import { requireDomain, type DomainRow } from '../domains/access.ts'
import { connectionOf, zoneOf } from '../domains/service.ts'
import type { ProviderConnection } from '../providers/connection.ts'
import { ProviderError, type Member } from '../providers/contract.ts'
import { providerFailure } from '../providers/errors.ts'
import type { RecordContext } from './apply.ts'
import { contentOf, type RecordContent, type RecordState } from './change.ts'
import { lockDomain } from './journal.ts'
import { toState } from './mapper.ts'
import { toContent } from './plan-mapper.ts'
import { databaseTime, namesTouchedSince, recordsAfter } from './queries.ts'
import {
  endSync,
  insertSynced,
  recordSyncItems,
  removeSynced,
  takeSyncLease,
  updateSynced,
} from './sync-queries.ts'

/** What a sync found and did. */
export interface SyncReport {
  /** Records at the provider that were compared. */
  synced: number
  created: number
  updated: number
  deleted: number
  unchanged: number
  /** Records at the provider of types that are not managed here. */
  skipped: number
  dryRun: boolean
  difference: SyncDifference
}

/** A report as clients see it. */
export const toSyncAnswer = ({ difference: { created, updated, deleted }, ...counts }: SyncReport) => ({
  ...counts,
  difference: {
    created: created.map(toContent),
    updated: updated.map(({ before, after }) => ({ before: toContent(before), after: toContent(after) })),
    deleted: deleted.map(toContent),
  },
})

/** The first of the differences, by kind. */
export interface SyncDifference {
  created: RecordContent[]
  updated: { before: RecordContent; after: RecordContent }[]
  deleted: RecordContent[]
}

/** Rows that one statement writes or reads. */
const CHUNK = 1_000

/** Differences that an answer shows; the counts are of all. */
const SHOWN = 100

/** A sync that would delete more than that part of a domain of that size needs to be confirmed. */
const GUARD = { records: 10, part: 0.3 }

/** Longer than reading the largest zone may take. */
const LEASE_SECONDS = 120

/**
 * Makes the records here what the provider holds. `dryRun` only answers the difference. A provider that
 * fails, or answers less than everything, ends it with an error; one that suddenly holds much less than
 * before must be believed explicitly, with `force`.
 */
export async function syncDomain(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { dryRun, force }: { dryRun: boolean; force: boolean },
): Promise<SyncReport> {
  const need = dryRun ? 'readAll' : 'writeAll'
  const domain = await requireDomain(context.db, caller, domainId, need)
  // Who loses their rights while the provider is being read stores nothing.
  const hold = (trx: Executor) => requireDomain(trx, caller, domainId, need, { lock: true })
  return runSync(context, caller, domain, { dryRun, force, hold })
}

interface SyncRun {
  dryRun: boolean
  force: boolean
  /** Holds the domain's row to the end of the transaction, or rejects. */
  hold: (trx: Executor) => Promise<unknown>
}

/** The same for the service itself, which has all rights. */
export const syncAsService = (context: RecordContext, domain: DomainRow): Promise<SyncReport> =>
  runSync(context, SYSTEM, domain, {
    dryRun: false,
    force: false,
    hold: (trx) => lockDomain(trx, domain.id),
  })

async function runSync(
  context: RecordContext,
  actor: Actor,
  domain: DomainRow,
  { dryRun, force, hold }: SyncRun,
): Promise<SyncReport> {
  const { db } = context
  const connection = await connectionOf(context, domain)
  if (!(await takeSyncLease(db, domain.id, LEASE_SECONDS))) {
    throw conflict(`A sync of ${domain.name} is under way already`)
  }
  // What is remembered of it: an error of the provider, null for a success, undefined for nothing.
  let result: string | null | undefined
  try {
    const since = await databaseTime(db)
    const there = await readProvider(connection, domain)
    const report = await db
      .transaction()
      .setIsolationLevel('read committed')
      .execute((trx) =>
        compareAndStore(trx, actor, { domain, connection, there, since, dryRun, force, hold }),
      )
    if (!dryRun) result = null
    return report
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (!dryRun) result = error.message
    // Once: an automatic sync would say the same again and again.
    if (!dryRun && domain.last_sync_error !== error.message) {
      context.events.emit('domain.sync_failed', {
        metadata: { domainId: domain.id, domainName: domain.name, error: error.message },
        actorId: actor.userId,
      })
    }
    throw providerFailure(error)
  } finally {
    await endSync(db, domain.id, result)
  }
}

/** What the provider holds, by identity; bounded by what its adapter takes as an answer. */
interface ProviderRecords {
  records: Map<string, Found>
  total: number
  skipped: number
}

interface Found {
  content: RecordContent
  providerId: string | null
}

async function readProvider(connection: ProviderConnection, domain: DomainRow): Promise<ProviderRecords> {
  return connection.call(async (adapter) => {
    const found: ProviderRecords = { records: new Map(), total: 0, skipped: 0 }
    for await (const page of adapter.listRRsets(zoneOf(domain))) {
      found.skipped += page.skipped
      for (const { name, type, ttl, members } of page.rrsets) {
        for (const member of members) {
          found.total++
          const content = { name, type, ttl, ...memberContent(type, member) }
          const providerId = member.providerId ?? null
          found.records.set(providerId === null ? contentKey(content) : idKey(providerId), {
            content,
            providerId,
          })
        }
      }
    }
    refuseCrowdedCname(found)
    return found
  })
}

/** Such a zone can't be served, and can't be stored. */
function refuseCrowdedCname({ records }: ProviderRecords): void {
  const byName = Map.groupBy(records.values(), ({ content }) => content.name)
  for (const [name, found] of byName) {
    if (found.length === 1 || !found.some(({ content }) => content.type === 'CNAME')) continue
    throw new ProviderError(
      'rejected',
      `The provider holds a CNAME beside other records at ${name}, which no zone may have (RFC 2181, 10.1)`,
    )
  }
}

const memberContent = (type: RecordContent['type'], { value, proxied }: Member) => ({
  value,
  // The canonical value of both begins with it.
  priority: type === 'MX' || type === 'SRV' ? Number.parseInt(value, 10) : null,
  proxied: proxied ?? false,
})

const idKey = (providerId: string) => `id ${providerId}`
const contentKey = ({ name, type, value }: RecordContent) => `${type} ${name} ${value}`

interface SyncWork extends SyncRun {
  domain: DomainRow
  connection: ProviderConnection
  there: ProviderRecords
  since: Date
}

/** Rows to write, gathered while the records here are read once, in chunks. */
interface Differences {
  created: Found[]
  updated: { id: string; before: RecordContent; found: Found }[]
  deleted: RecordState[]
  unchanged: number
}

async function compareAndStore(trx: Kysely<Database>, actor: Actor, work: SyncWork): Promise<SyncReport> {
  const { domain, connection, there, dryRun, force, hold } = work
  // Held so that no change of this domain is opened or settled between the comparison and the writing.
  await hold(trx)
  const local = connection.provider.capabilities.truth === 'local'
  const differences = local ? await nothingToCompare(trx, domain.id) : await compare(trx, work)
  const report = toReport(differences, there, dryRun)
  if (local) report.synced = report.unchanged
  if (dryRun) return report

  const known = differences.unchanged + differences.updated.length + differences.deleted.length
  if (!force && known >= GUARD.records && differences.deleted.length > known * GUARD.part) {
    throw new AppError(
      409,
      'confirmation_required',
      `This would delete ${differences.deleted.length} of ${known} records of ${domain.name}, which the provider does not hold any more; "force=true" does it`,
      { extra: { ...toSyncAnswer(report), dryRun: true } },
    )
  }
  await store(trx, actor, domain, differences, report)
  return report
}

async function nothingToCompare(trx: Executor, domainId: string): Promise<Differences> {
  const { rows } = await sql<{ count: number }>`
    select record_count as count from domains where id = ${domainId}
  `.execute(trx)
  return { created: [], updated: [], deleted: [], unchanged: rows[0]?.count ?? 0 }
}

async function compare(trx: Executor, { domain, there, since }: SyncWork): Promise<Differences> {
  const differences: Differences = { created: [], updated: [], deleted: [], unchanged: 0 }
  // What changed while the provider was being read is newer than its answer, which does not count for it.
  const touched = await namesTouchedSince(trx, domain.id, since)
  const left = new Map(there.records)
  let after: string | null = null
  for (;;) {
    const rows = await recordsAfter(trx, domain.id, after, CHUNK)
    for (const record of rows.map(toState)) {
      const found = takeFound(left, record)
      if (touched.has(record.name) || (found && touched.has(found.content.name))) differences.unchanged++
      else if (!found) differences.deleted.push(record)
      else if (isSame(record, found)) differences.unchanged++
      else differences.updated.push({ id: record.id, before: contentOf(record), found })
    }
    after = rows.at(-1)?.id ?? null
    if (rows.length < CHUNK) break
  }
  differences.created = [...left.values()].filter(({ content }) => !touched.has(content.name))
  return differences
}

/** By the provider's id where it has stable ones, else by name, type and value. */
function takeFound(left: Map<string, Found>, record: RecordState): Found | undefined {
  const keys = [...(record.providerId === null ? [] : [idKey(record.providerId)]), contentKey(record)]
  for (const key of keys) {
    const found = left.get(key)
    if (found) {
      left.delete(key)
      return found
    }
  }
  return undefined
}

const isSame = (record: RecordState, { content, providerId }: Found) =>
  record.status === 'active' &&
  record.ttl === content.ttl &&
  record.proxied === content.proxied &&
  record.providerId === providerId &&
  contentKey(record) === contentKey(content)

async function store(
  trx: Executor,
  actor: Actor,
  domain: DomainRow,
  { created, updated, deleted }: Differences,
  report: SyncReport,
): Promise<void> {
  if (created.length + updated.length + deleted.length === 0) return
  const changeId = uuidv7()
  const added = created.map((found) => ({ id: uuidv7(), ...found }))
  // What goes makes room for what comes.
  for (const chunk of chunks(deleted))
    await removeSynced(
      trx,
      chunk.map(({ id }) => id),
    )
  for (const chunk of chunks(updated))
    await updateSynced(
      trx,
      chunk.map(({ id, found }) => ({ id, ...found })),
    )
  for (const chunk of chunks(added)) await insertSynced(trx, domain.id, chunk)
  await recordSyncItems(trx, { id: changeId, domainId: domain.id, actor }, [
    ...deleted.map((record) => ({ action: 'delete', id: record.id, before: contentOf(record), after: null })),
    ...updated.map(({ id, before, found }) => ({ action: 'update', id, before, after: found.content })),
    ...added.map(({ id, content }) => ({ action: 'create', id, before: null, after: content })),
  ])
  await recordAudit(trx, actor, {
    action: 'domain.synced',
    target: { type: 'domain', id: domain.id, name: domain.name },
    after: { changeId, created: report.created, updated: report.updated, deleted: report.deleted },
  })
}

function toReport(
  { created, updated, deleted, unchanged }: Differences,
  there: ProviderRecords,
  dryRun: boolean,
) {
  const report: SyncReport = {
    synced: there.total,
    created: created.length,
    updated: updated.length,
    deleted: deleted.length,
    unchanged,
    skipped: there.skipped,
    dryRun,
    difference: {
      created: created.slice(0, SHOWN).map(({ content }) => content),
      updated: updated.slice(0, SHOWN).map(({ before, found }) => ({ before, after: found.content })),
      deleted: deleted.slice(0, SHOWN).map(contentOf),
    },
  }
  return report
}

function* chunks<T>(list: T[]): Generator<T[]> {
  for (let i = 0; i < list.length; i += CHUNK) yield list.slice(i, i + CHUNK)
}
