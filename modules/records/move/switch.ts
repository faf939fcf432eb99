import type { Kysely } from 'kysely'
import type { Database } from '../../../db/tables/index.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { AppError, conflict } from '../../../plugins/http/errors.ts'
import { keepingResult } from '../../../plugins/http/idempotency/key.ts'
import { requireDomain, type GrantedDomain } from '../../domains/access/access.ts'
import { connectionOf, moveDomain, readDomain, zoneMissing, zoneOf } from '../../domains/service.ts'
import { openConnection, type ProviderConnection } from '../../providers/traffic/connection.ts'
import { ProviderError, type Zone } from '../../providers/contract.ts'
import { throwProviderFailure } from '../../providers/errors.ts'
import type { RecordContext } from '../context.ts'
import type { RecordContent } from '../plan/change.ts'
import type { Plan } from '../plan/plan.ts'
import { toPlan } from '../plan/plan-mapper.ts'
import type { Differences } from '../sync/sync-differences.ts'
import { readProvider, type ProviderRecords } from '../sync/sync-provider.ts'
import { endSync } from '../sync/sync-queries.ts'
import { chunks, storeDifferences } from '../sync/sync-store.ts'
import { storeUnmanaged } from '../sync/unmanaged-queries.ts'
import { READ_BUDGETS, withZoneMemory } from '../sync/zone-memory.ts'
import { isOfProvider } from './adapted.ts'
import { planCopy } from './copy-plan.ts'
import { SHOWN } from './copy.ts'
import { endRechecks, hasUnsettled, rehome } from './moving-queries.ts'
import { compareTo, heldHere, missingThere } from './switch-differences.ts'
import { holdingsOf, NOTHING, openTarget, usableConfig, type Destination, type Target } from './target.ts'

export interface SwitchInput extends Destination {
  /** Switches even if records are missing there, which are then deleted here. */
  force: boolean
}

/**
 * Switches a domain to another provider, whose zone must hold its records. The domain keeps its settings and history, the
 * records their ids, and nothing changes at any provider. Returns what to set at the registrar.
 */
export async function switchDomain(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { force, ...destination }: SwitchInput,
) {
  const domain = await requireDomain(context.db, caller, domainId, 'manage')
  const target = await openTarget(context, caller, domain, destination)
  return switchTo(context, caller, domain, target, { force })
}

/** Done in the transaction of a switch, before the domain moves. */
type Alongside = (
  trx: Kysely<Database>,
  switched: { domain: GrantedDomain; differences: Differences; nameServers: string[] },
) => Promise<void>

/** Switches a domain to a target that was opened for it. */
export async function switchTo(
  context: RecordContext,
  caller: Caller,
  domain: GrantedDomain,
  target: Target,
  { force, alongside }: { force: boolean; alongside?: Alongside },
) {
  const { zone } = target
  if (!zone) throw zoneMissing(target.host.provider, '/providerConfigId')
  const release = await holdDomain(context, domain)
  try {
    const patience = { budgets: READ_BUDGETS.request, waitMs: context.providerLimits.budgetMs / 2 }
    return await withZoneMemory(context, domain, patience, async (limits) => {
      const connection = openConnection(context, target.config, { limits })
      const there = await readThere(connection, zone)
      const [before, after] = await Promise.all([oldDs(context, domain), dsOf(connection, zone)])
      return keepingResult(context.db, caller, async (trx) => ({
        ...(await store(trx, caller, domain, { target, zone, there, force, alongside })),
        nameServers: nameServersOf(target, zone, there),
        dsToRemove: before && before.filter((ds) => !after?.includes(ds)),
        dsToSet: after,
      }))
    }).catch(throwProviderFailure)
  } finally {
    await release()
  }
}

/** Takes the leases of the domain, so that no sync or copy runs meanwhile. */
async function holdDomain({ leases }: RecordContext, { id, name }: GrantedDomain) {
  if (!(await leases.take('sync', id)))
    throw conflict(`A sync of ${name} is in progress; try again later`, { reason: 'sync_under_way' })
  if (await leases.take('copy', id)) {
    return async () => {
      await leases.end('copy', id)
      await leases.end('sync', id)
    }
  }
  await leases.end('sync', id)
  throw conflict(`A copy of ${name} is in progress; try again later`, { reason: 'copy_under_way' })
}

/** Reads the target zone; null if the provider stores no records itself. */
const readThere = async (connection: ProviderConnection, zone: Zone): Promise<ProviderRecords | null> =>
  connection.provider.capabilities.truth === 'local' ? null : readProvider(connection, zone)

interface Switch {
  target: Target
  zone: Zone
  there: ProviderRecords | null
  force: boolean
  alongside: Alongside | undefined
}

/** Stores the switch. The transaction locks the domain, so that no change of its records is opened meanwhile. */
async function store(
  trx: Kysely<Database>,
  caller: Caller,
  { id: domainId, provider_config_id, zone_id }: GrantedDomain,
  { target, zone, there, force, alongside }: Switch,
) {
  const domain = await requireDomain(trx, caller, domainId, 'manage', { lock: true })
  await usableConfig(trx, caller, target.config.id)
  if (domain.provider_config_id !== provider_config_id || domain.zone_id !== zone_id)
    throw conflict(`${domain.name} was switched to another provider in the meantime`, {
      reason: 'switched_meanwhile',
    })
  if (await hasUnsettled(trx, domainId))
    throw conflict(`Changes of ${domain.name} are still pending; try again later`, {
      reason: 'changes_unsettled',
    })
  const here = await holdingsOf(trx, caller, domain, target.host.from)
  const plan = await planCopy(here, target.host, there ?? NOTHING, 'merge')
  const found = there ?? heldHere(plan, here.records.filter(isOfProvider))
  const missing = missingThere(there ? plan : { ...plan, steps: [] }, here)
  if (!force && missing.length > 0) throw notAllThere(plan, missing, target)
  const { differences, same } = compareTo(here.records, found)
  const change = { domainId, actor: caller, source: 'switch' as const }
  const changeId = await storeDifferences(trx, change, differences)
  for (const chunk of chunks(same)) await rehome(trx, chunk)
  await storeUnmanaged(trx, domainId, found.unmanaged)
  await endRechecks(trx, domainId)
  await endSync(trx, domainId, null)
  await alongside?.(trx, { domain, differences, nameServers: apexNameServers(here.records) })
  await moveDomain(trx, caller, domain, target.host.from, {
    provider: target.host.provider,
    config: target.config,
    zone,
  })
  const { created, updated, deleted } = differences
  return {
    domain: await readDomain({ db: trx }, caller, domainId),
    changeId,
    created: created.length,
    updated: updated.length,
    deleted: deleted.length,
  }
}

function notAllThere(plan: Plan, missing: Plan['refusals'], { host: { provider } }: Target) {
  const [first] = missing
  const detail = `The zone at ${provider.name} differs from the domain in ${missing.length} records, for example: ${first?.detail}; copy the records first, or set "force": true to switch anyway`
  const { conflicts } = toPlan({ ...plan, refusals: missing.slice(0, SHOWN) }, null)
  return new AppError(409, 'confirmation_required', detail, { extra: { conflicts } })
}

/** The name servers at the apex. */
export const apexNameServers = (
  records: readonly Pick<RecordContent, 'name' | 'type' | 'value'>[],
): string[] =>
  records.flatMap(({ name, type, value }) => (name === '@' && type === 'NS' ? [value] : [])).sort()

/** Returns the name servers that the provider gives, else those at the apex; canonical. */
function nameServersOf({ config }: Target, zone: Zone, there: ProviderRecords | null): string[] {
  if (zone.nameServers && zone.nameServers.length > 0) return zone.nameServers
  if (!there) return config.name_servers
  return apexNameServers([...there.records.values()].map(({ content }) => content))
}

/** Returns the DS records of the current provider; null also if it does not answer. */
async function oldDs(context: RecordContext, domain: GrantedDomain): Promise<string[] | null> {
  const { providerLimits } = context
  const patience = { ...providerLimits, budgetMs: providerLimits.budgetMs / 4 }
  const connection = await connectionOf(context, domain, { limits: patience })
  return dsOf(connection, zoneOf(domain)).catch((error: unknown) => {
    if (error instanceof ProviderError) return null
    throw error
  })
}

/** Returns the DS records for the parent zone, canonical; null if the provider does not show them. */
const dsOf = (connection: ProviderConnection, zone: Zone): Promise<string[] | null> =>
  connection.call(async (adapter) => (await adapter.readDnssec?.(zone))?.ds ?? null)
