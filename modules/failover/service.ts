import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../db/connection/connect.ts'
import { parseOwner } from '../../dns/names/names.ts'
import { conflict, forbidden, invalid, notFound } from '../../plugins/http/errors.ts'
import { keepingResult } from '../../plugins/http/idempotency/key.ts'
import type { Caller, Principal } from '../../plugins/security/access/index.ts'
import { recordAudit, type AuditAction } from '../audit/service.ts'
import { mayChange, recordScopeOf, requireDomain } from '../domains/access/access.ts'
import { changesIntent, previewChanges, refusalError } from '../records/service.ts'
import type { FailoverContext } from './context.ts'
import { readSettings } from './input.ts'
import { mayWrite, toMonitor } from './mapper.ts'
import {
  countForLimits,
  countLiving,
  countMonitors,
  deleteMonitor,
  findMonitor,
  insertMonitor,
  listMonitors,
  listServed,
  listVerdicts,
  updateMonitor,
  type MonitorFilter,
  type SeenMonitor,
  type Settings,
} from './queries.ts'
import type { RecordType } from '../../schemas/records/record-type.ts'
import type { CreateBody, EditBody } from './schemas.ts'
import { findServed } from './deciding/state-queries.ts'
import { servedAmong } from './served.ts'
import { LIVING_SECONDS } from './times.ts'

/** What is read and set up needs of the app. */
export type SettingsContext = FailoverContext

const MAX_OF_DOMAIN = 20
const MAX_OF_AUTHOR = 100
const HISTORY = 60
const HISTORY_IN_LISTS = 20

/** The monitors whose name and type the caller sees. */
export async function listVisibleMonitors(context: SettingsContext, caller: Caller, filter: MonitorFilter) {
  const { db } = context
  if (filter.domainId !== undefined) await requireDomain(db, caller, filter.domainId, 'read')
  const [rows, total] = await Promise.all([
    listMonitors(db, caller, filter),
    countMonitors(db, caller, filter),
  ])
  const { page, limit } = filter
  return { monitors: await answersOf(context, db, caller, rows, HISTORY_IN_LISTS), total, page, limit }
}

export async function readMonitor(context: SettingsContext, db: Executor, principal: Principal, id: string) {
  const row = await requireMonitor(db, principal, id)
  const [answer] = await answersOf(context, db, principal, [row], HISTORY)
  return answer as NonNullable<typeof answer>
}

async function answersOf(
  { times }: Pick<FailoverContext, 'times'>,
  db: Executor,
  principal: Principal,
  rows: readonly SeenMonitor[],
  history: number,
) {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const verdicts = Map.groupBy(await listVerdicts(db, ids, LIVING_SECONDS), ({ monitor_id: of }) => of)
  const served = Map.groupBy(await listServed(db, ids), ({ monitor_id: of }) => of)
  const living = await countLiving(db, LIVING_SECONDS)
  return rows.map((row) => {
    const found = { verdicts: verdicts.get(row.id) ?? [], served: served.get(row.id) ?? [], living }
    return toMonitor(row, found, principal, { ...times, history })
  })
}

/** Sets up a monitor for an RRset that the caller may write, and that is one of the alternatives now. */
export async function createMonitor(
  context: SettingsContext,
  caller: Caller,
  domainId: string,
  body: CreateBody,
) {
  const { db, probe } = context
  const domain = await requireDomain(db, caller, domainId, 'write')
  const owner = parseOwner(body.name, domain.name)
  if (!owner.ok) throw invalid({ path: '/name', code: owner.code, message: owner.reason })
  const rrset = { name: owner.name, type: body.recordType }
  requireChangeable(mayChange(recordScopeOf(domain, caller), rrset), rrset, domain.name)
  const settings = readSettings(probe, { domainName: domain.name, ...rrset }, body)
  const active = await requireUsable(context, caller, domainId, rrset, settings)
  return keepingResult(db, caller, async (trx) => {
    // Locks the domain, so that monitors set up at the same time are counted.
    await requireDomain(trx, caller, domainId, 'write', { lock: true })
    await requireRoom(trx, domainId, caller)
    const id = uuidv7()
    const isNew = await insertMonitor(trx, {
      id,
      domain_id: domainId,
      ...rrset,
      author_id: caller.userId,
      author_name: caller.username,
      active,
      ...settings,
    })
    if (!isNew)
      throw conflict(`There is a failover monitor for ${rrset.name} ${rrset.type} already`, {
        reason: 'failover_exists',
        params: { name: rrset.name, recordType: rrset.type },
      })
    await noteAudit(trx, caller, 'failover.created', { id, ...rrset, domain }, told(settings))
    return readMonitor(context, trx, caller, id)
  })
}

async function requireRoom(trx: Executor, domainId: string, { userId }: Caller): Promise<void> {
  const { ofDomain, ofAuthor } = await countForLimits(trx, domainId, userId)
  if (ofDomain < MAX_OF_DOMAIN && ofAuthor < MAX_OF_AUTHOR) return
  const maximum = ofDomain < MAX_OF_DOMAIN ? MAX_OF_AUTHOR : MAX_OF_DOMAIN
  throw conflict(`At most ${MAX_OF_DOMAIN} failover monitors in a domain and ${MAX_OF_AUTHOR} of a user`, {
    reason: 'too_many_monitors',
    params: { maximum },
  })
}

/**
 * Changes settings. New alternatives or another check make the caller the author, with whose rights it switches from then on,
 * and need a new approval.
 */
export async function editMonitor(context: SettingsContext, caller: Caller, id: string, body: EditBody) {
  const { db, probe } = context
  const before = await requireWritable(db, caller, id)
  requireRevision(before, body.revision)
  const rrset = { name: before.name, type: before.type }
  const settings = readSettings(probe, { domainName: before.domain_name, ...rrset }, body, before)
  const isRestart = JSON.stringify(checkedOf(settings)) !== JSON.stringify(checkedOf(before))
  const active = isRestart ? await requireUsable(context, caller, before.domain_id, rrset, settings) : null
  return keepingResult(db, caller, async (trx) => {
    const row = await requireWritable(trx, caller, id, { lock: true })
    requireRevision(row, before.revision)
    requireIdle(row)
    const restart =
      active === null ? null : { author_id: caller.userId, author_name: caller.username, active }
    await updateMonitor(trx, id, settings, restart)
    await noteAudit(trx, caller, 'failover.updated', auditedOf(row), told(settings))
    return readMonitor(context, trx, caller, id)
  })
}

/** What a review is about, and what instances remember between checks. */
const checkedOf = ({ alternatives, probe, interval_seconds, failures, successes }: Settings) => [
  alternatives.map(({ name, values, targets }) => [name, values, targets]),
  Object.entries(probe).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  interval_seconds,
  failures,
  successes,
]

const told = ({ alternatives, probe, ...plain }: Settings) => ({
  alternatives: alternatives.map(({ name, values }) => `${name}: ${values.join(', ')}`),
  check: probe.kind,
  intervalSeconds: plain.interval_seconds,
  back: plain.back,
})

/** Removes a monitor. The RRset stays as it is. */
export const removeMonitor = (context: SettingsContext, caller: Caller, id: string) =>
  keepingResult(context.db, caller, async (trx) => {
    const row = await requireWritable(trx, caller, id, { lock: true })
    await deleteMonitor(trx, id)
    await noteAudit(trx, caller, 'failover.deleted', auditedOf(row))
  })

/**
 * Returns which alternative is served now. Rejects if none is, or if the caller or the DNS provider could not write one of
 * them: better now than in an outage.
 */
async function requireUsable(
  context: SettingsContext,
  caller: Caller,
  domainId: string,
  { name, type }: { name: string; type: RecordType },
  { alternatives }: Settings,
): Promise<number> {
  const active = servedAmong(await findServed(context.db, { domain_id: domainId, name, type }), alternatives)
  if (active === null)
    throw conflict(`The records of ${name} ${type} match no alternative; one of them must be served`, {
      reason: 'failover_values',
      params: { name, recordType: type },
    })
  for (const [at, { values }] of alternatives.entries()) {
    if (at === active) continue
    const change = { action: 'set', recordType: type, name, values } as const
    const intent = await changesIntent(context, caller, domainId, [change])
    const { refusals } = await previewChanges(context, caller, domainId, intent, { asksProvider: false })
    const [refusal] = refusals
    if (refusal) throw refusalError(refusal)
  }
  return active
}

/** Rejects with 404 if the caller doesn't see the name and type of the monitor. */
export async function requireMonitor(
  db: Executor,
  principal: Principal,
  id: string,
  options: { lock?: boolean } = {},
): Promise<SeenMonitor> {
  const row = await findMonitor(db, principal, id, options)
  if (!row) throw notFound('failover monitor', id)
  return row
}

/** The same; 403 if the caller may not write them. */
export async function requireWritable(
  db: Executor,
  principal: Principal,
  id: string,
  options: { lock?: boolean } = {},
): Promise<SeenMonitor> {
  const row = await requireMonitor(db, principal, id, options)
  requireChangeable(mayWrite(row, principal), row, row.domain_name)
  return row
}

function requireChangeable(
  may: boolean,
  { name, type }: { name: string; type: string },
  domain: string,
): void {
  if (!may) throw forbidden(`Your permission on ${domain} does not allow changing ${name} ${type}`)
}

/** Rejects with 409 while a switch is not finished. */
export function requireIdle({ settled }: Pick<SeenMonitor, 'settled'>): void {
  if (!settled) throw conflict('A switch is in progress; try again', { reason: 'failover_busy' })
}

/** Rejects with 409 if the monitor was changed since the caller read it. */
export function requireRevision(row: Pick<SeenMonitor, 'revision'>, revision: number | undefined): void {
  if (revision === undefined || row.revision === revision) return
  throw conflict(`This failover monitor has been changed; it is now at revision ${row.revision}`, {
    reason: 'monitor_changed',
    params: { revision: row.revision },
  })
}

export const auditedOf = (row: SeenMonitor) => ({
  id: row.id,
  name: row.name,
  type: row.type,
  domain: { id: row.domain_id, name: row.domain_name },
})

/** Writes an audit entry about a monitor. */
export const noteAudit = (
  trx: Executor,
  caller: Caller,
  action: AuditAction,
  of: { id: string; name: string; type: string; domain: { id: string; name: string } },
  more: object = {},
) =>
  recordAudit(trx, caller, {
    action,
    target: { type: 'domain', id: of.domain.id, name: of.domain.name },
    after: { monitorId: of.id, name: of.name, recordType: of.type, ...more },
  })
