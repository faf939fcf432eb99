import { relativeName } from '../../../dns/names/names.ts'
import { rrsetKey } from '../../../dns/names/rrset.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { AppError } from '../../../plugins/http/errors.ts'
import {
  mayChange,
  recordScopeOf,
  requireDomain,
  seesRecord,
  type GrantedDomain,
} from '../../domains/access/access.ts'
import { findHolders, holderOf, holdersByName, zoneNamesOf } from '../../domains/access/holder.ts'
import { nearestTtl } from '../../domains/service.ts'
import { UnknownSiblings } from '../../providers/contract.ts'
import {
  adoptSets,
  applyChanges,
  findHidden,
  recordsOfNames,
  type Applied,
  type RequestedChange,
  type RecordContext,
  type RecordRow,
  type SetKey,
} from '../../records/service.ts'
import type { Addresses, AddressType } from './addresses.ts'
import type { HostResult } from './answers.ts'
import type { Host } from './hosts.ts'
import { deletesFor, requestsFor, wantedOf } from './rrset.ts'

/** TTL of new records in seconds; short, because the addresses change. */
const TTL = 60

const TYPES: readonly AddressType[] = ['A', 'AAAA']

/** Sets the addresses of the hosts and returns a result for each, in order. All hosts of a domain are one change. */
export async function updateHosts(
  context: RecordContext,
  caller: Caller,
  hosts: readonly Host[],
  addresses: Addresses,
): Promise<HostResult[]> {
  const found = await findHolders(context.db, caller, [
    ...new Set(hosts.flatMap(({ name }) => zoneNamesOf(name))),
  ])
  const domains = holdersByName(found.filter(({ reached }) => reached))
  const results = new Map<string, HostResult>()
  const byDomain = Map.groupBy(new Map(hosts.map((host) => [host.name, host])).values(), ({ name }) => {
    try {
      return holderOf(domains, caller, name, TYPES)?.domain.id ?? null
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      results.set(name, { code: 'dnserr', detail: error.message })
      return null
    }
  })
  await Promise.all(
    [...byDomain].map(async ([domainId, its]) => {
      if (domainId === null) return
      for (const [host, result] of await updateDomain(context, caller, domainId, its, addresses)) {
        results.set(host.name, result)
      }
    }),
  )
  return hosts.map(({ name }) => results.get(name) ?? { code: 'nohost' })
}

/** Updates hosts that are all in one domain. */
async function updateDomain(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  hosts: readonly Host[],
  addresses: Addresses,
): Promise<readonly (readonly [Host, HostResult])[]> {
  try {
    const domain = await requireDomain(context.db, caller, domainId, 'read')
    const hidden = await hiddenOf(context, domain, hosts)
    const plan = plannerOf(context, caller, domain, addresses, hidden)
    const names = hosts.map((host) => plan.ownerOf(host))
    const rows = await recordsOfNames(context.db, domainId, names)
    // Most calls change nothing, and needn't wait for the write lock.
    let planned = hosts.map((host) => plan.take(host, rows))
    if (planned.every(({ requests }) => requests.length === 0) && rows.every(isSettled)) {
      return planned.map(({ host, result }) => [host, result])
    }
    const decided = {
      kind: 'decided',
      source: 'ddns',
      names,
      decide: (current: readonly RecordRow[]) => {
        planned = hosts.map((host) => plan.take(host, current))
        return planned.flatMap(({ requests }) => requests)
      },
    } as const
    const good = new Set<string>()
    for (let tries = 1; ; tries++) {
      const sets = planned.flatMap((one) => (one.requests.length > 0 ? one.sets : []))
      await adoptSets(context, domain, sets)
      const applied = await applyChanges(context, caller, domainId, { ...decided, exact: sets })
      const results = resultsOf(planned, applied)
      for (const [{ name }, { code }] of results) if (code === 'good') good.add(name)
      // An address was added between read and write; it is known now and will be deleted.
      if (applied.failure instanceof UnknownSiblings && tries < MAX_TRIES) continue
      return results.map(([host, result]) => [host, goodBefore(host, result)])

      function goodBefore({ name }: Host, result: HostResult): HostResult {
        return result.code === 'nochg' && good.has(name) ? { ...result, code: 'good' } : result
      }
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // Permissions that were revoked meanwhile, or a dependency that is unavailable.
    const code = error.status === 403 || error.status === 404 ? 'nohost' : '911'
    if (code === '911') context.log.warn({ reason: error.message, domainId }, 'dynamic DNS update failed')
    return hosts.map((host) => [host, { code }])
  }
}

/** Retries after others changed the same addresses at the provider. */
const MAX_TRIES = 3

const isSettled = ({ status, deleting }: RecordRow) => status === 'active' && !deleting

/** The changes of a host, and its result if nothing changes. */
interface Planned {
  host: Host
  requests: RequestedChange[]
  result: HostResult
  /** RRsets that are replaced as a whole. */
  sets: SetKey[]
}

const ownerIn = ({ name: zone }: GrantedDomain, { name }: Host) => relativeName(name, zone) as string

/** Returns addresses that a delegation or a DNAME would hide. */
const hiddenOf = ({ db }: RecordContext, domain: GrantedDomain, hosts: readonly Host[]) =>
  findHidden(
    db,
    domain.id,
    hosts.flatMap((host) => TYPES.map((type) => ({ name: ownerIn(domain, host), type, value: '' }))),
  )

function plannerOf(
  context: RecordContext,
  caller: Caller,
  domain: GrantedDomain,
  addresses: Addresses,
  hidden: ReadonlyMap<string, unknown>,
) {
  const scope = recordScopeOf(domain, caller)
  const ttl = ttlOfNew(context, domain)
  const ownerOf = (host: Host) => ownerIn(domain, host)

  function take(host: Host, rows: readonly RecordRow[]): Planned {
    const name = ownerOf(host)
    const own = rows.filter((row) => row.name === name && !row.deleting && seesRecord(scope, row))
    const ended = (code: HostResult['code']): Planned => ({ host, requests: [], result: { code }, sets: [] })
    if (addresses.offline) return takeOffline(host, name, own, rows)
    const all: string[] = []
    const requests: RequestedChange[] = []
    const sets: SetKey[] = []
    for (const type of TYPES) {
      const current = own.filter((row) => row.type === type)
      const wanted = wantedOf(host, type, addresses, current)
      if (wanted.length > 0 && !mayChange(scope, { name, type })) return ended('nohost')
      if (wanted.length > 0 && hidden.has(rrsetKey({ name, type }))) return ended('dnserr')
      const its = requestsFor(current, { name: host.name, type }, wanted, ttl)
      if (its === null) return ended('dnserr')
      all.push(...wanted)
      requests.push(...its)
      if (wanted.length > 0) sets.push({ name, type })
    }
    return { host, requests, result: { code: 'nochg', addresses: all }, sets }
  }

  /** All addresses of the host, or none: with one left, it would not be offline. */
  function takeOffline(
    host: Host,
    name: string,
    own: readonly RecordRow[],
    rows: readonly RecordRow[],
  ): Planned {
    const ended = (code: HostResult['code']): Planned => ({ host, requests: [], result: { code }, sets: [] })
    const served = rows.filter((row) => row.name === name && row.enabled && !row.deleting)
    const allowed = TYPES.filter((type) => mayChange(scope, { name, type }))
    const isLeft = (type: AddressType) => !allowed.includes(type) && served.some((row) => row.type === type)
    if (allowed.length === 0 || TYPES.some(isLeft)) return ended('nohost')
    // Its addresses are those of another name.
    if (served.some(({ type }) => type === 'CNAME')) return ended('dnserr')
    const current = own.filter(({ type, enabled }) => enabled && TYPES.some((one) => one === type))
    const requests = deletesFor(current)
    if (requests === null) return ended('dnserr')
    return { host, requests, result: { code: 'nochg' }, sets: allowed.map((type) => ({ name, type })) }
  }
  return { ownerOf, take }
}

/** The TTL, if the provider has limits; otherwise the domain's default applies. */
function ttlOfNew(
  { providerRegistry }: RecordContext,
  { provider_id: id }: GrantedDomain,
): number | undefined {
  const { capabilities } = providerRegistry.byId(id) ?? {}
  if (!capabilities || capabilities.ttlOf === 'zone' || capabilities.ttlByPlan) return undefined
  return nearestTtl(TTL, capabilities)
}

function resultsOf(planned: readonly Planned[], applied: Applied): (readonly [Host, HostResult])[] {
  let next = 0
  return planned.map(({ host, requests, result }) => {
    const first = next
    next += requests.length
    const code = requests.length > 0 ? codeOf(applied, first, next) : result.code
    return [host, code === 'good' ? { ...result, code } : code === result.code ? result : { code }] as const
  })
}

/** Returns the result code of the requests in a range. */
function codeOf({ plan, outcomes }: Applied, from: number, to: number): HostResult['code'] {
  const isOwn = ({ index }: { index: number | null }) => index !== null && index >= from && index < to
  const kinds = plan.refusals.filter(isOwn).map(({ kind }) => kind)
  if (kinds.length > 0) return kinds.includes('forbidden') ? 'nohost' : 'dnserr'
  const done = plan.steps.flatMap((step, i) => (isOwn(step) ? [outcomes[i]?.outcome] : []))
  if (done.some((outcome) => outcome !== 'applied')) return '911'
  return done.length > 0 ? 'good' : 'nochg'
}
