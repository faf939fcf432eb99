import type { Caller } from '../../../plugins/security/access/index.ts'
import { AppError, forbidden, invalid } from '../../../plugins/http/errors.ts'
import { takeSlices } from '../../../plugins/http/event-loop.ts'
import { absoluteName } from '../../../dns/names/names.ts'
import { readType } from '../../../dns/types/index.ts'
import { isSufficient, recordScopeOf } from '../../domains/access/access.ts'
import { holdersByName, mayHold, ranked, type HoldersByName } from '../../domains/access/holder.ts'
import { editValues, type RecordContext, type ValueEdit } from '../../records/service.ts'
import {
  adjusted,
  placeOf,
  proxiedOf,
  toEndpoints,
  ttlOf,
  valueOf,
  type Host,
  type EndpointPlace,
} from './endpoints.ts'
import { servedRecords, visibleDomains, type ServedRecord } from './queries.ts'
import type { Changes, Endpoint } from './schemas.ts'

/** Limits for one token; external-dns reads everything in every round. */
const MAX_DOMAINS = 5_000
const MAX_RECORDS = 100_000

/** Domains changed concurrently. */
const PARALLEL = 4

const narrower = (what: string) =>
  new AppError(
    403,
    'forbidden',
    `This token covers more than ${what}; restrict it to the domains of external-dns`,
  )

/**
 * Returns the names where the caller may write, as a filter of external-dns. Rejects with 403 if there are none, because an
 * empty filter would mean all names.
 */
export async function domainFilter(context: RecordContext, caller: Caller): Promise<{ include: string[] }> {
  const hosts = await hostsOf(context, caller)
  const include = hosts.flatMap((domain) => {
    if (!isSufficient(domain, caller, 'write')) return []
    const { changeable, token } = recordScopeOf(domain, caller)
    const patterns = token.namePatterns ?? changeable?.map(({ pattern }) => pattern) ?? ['*']
    return patterns.map((pattern) => {
      if (pattern === '*' || pattern === '@') return domain.name
      return pattern.startsWith('*.') ? `${pattern.slice(1)}.${domain.name}` : `${pattern}.${domain.name}`
    })
  })
  if (include.length === 0) throw forbidden('This token may not write records in any domain')
  return { include: [...new Set(include)] }
}

/** Returns all RRsets that the caller sees in domains where they may write. */
export async function readEndpoints(context: RecordContext, caller: Caller): Promise<Endpoint[]> {
  const hosts = await hostsOf(context, caller)
  const writable = hosts.filter((domain) => isSufficient(domain, caller, 'write'))
  const domains = new Map(writable.map((domain) => [domain.id, domain]))
  const records = await servedRecords(context.db, caller, [...domains.keys()], MAX_RECORDS + 1)
  if (records.length > MAX_RECORDS) throw narrower(`${MAX_RECORDS} records`)
  return toEndpoints(await withoutShadowed(records, domains, caller), domains)
}

/** Removes records of names whose changes would go to another domain. */
async function withoutShadowed(
  records: ServedRecord[],
  domains: ReadonlyMap<string, Host>,
  caller: Caller,
): Promise<ServedRecord[]> {
  const byName = holdersByName([...domains.values()])
  const slice = takeSlices()
  const served: ServedRecord[] = []
  let last = { key: '', isMeant: false }
  for (const record of records) {
    const { name: zone = '' } = domains.get(record.domain_id) ?? {}
    const key = `${record.domain_id} ${record.name}`
    if (last.key !== key) {
      const meant = ranked(byName, caller, absoluteName(record.name, zone)).filter((held) =>
        mayHold(held, caller),
      )
      last = { key, isMeant: meant.length === 0 || meant[0]?.domain.id === record.domain_id }
    }
    if (last.isMeant) served.push(record)
    await slice()
  }
  return served
}

/** Returns the endpoints as they would be read once stored. */
export async function adjustEndpoints(
  context: RecordContext,
  caller: Caller,
  endpoints: Endpoint[],
): Promise<Endpoint[]> {
  const hosts = holdersByName(await hostsOf(context, caller))
  const slice = takeSlices()
  const done: Endpoint[] = []
  for (const endpoint of endpoints) {
    const { place } = placed(endpoint, hosts, caller)
    done.push(adjusted(endpoint, place))
    await slice()
  }
  return done
}

/** Returns the place of an endpoint, or why it has none. */
function placed(endpoint: Endpoint, hosts: HoldersByName<Host>, caller: Caller) {
  try {
    const place = placeOf(endpoint, hosts, caller)
    return { place, why: 'not in a domain that this token covers' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { place: null, why: error.message }
  }
}

/** An endpoint before and after; at least one of them. */
type EndpointChange = { before: Endpoint; after: null } | { before: Endpoint | null; after: Endpoint }

interface EndpointFailure {
  domain: string | null
  names: string[]
  code: string
  detail: string
}

/**
 * Applies the changes, one change per domain. A name is written together with its ownership TXT record or not at all; a
 * failed name does not stop the others. Rejects with `changes_failed`, which lists the rest. Repeating the request is safe.
 */
export async function writeEndpoints(
  context: RecordContext,
  caller: Caller,
  changes: Changes,
): Promise<void> {
  const hosts = holdersByName(await hostsOf(context, caller))
  const { edits, failures } = await editsOf(changes, hosts, caller)
  const domains = [...edits]
  for (let from = 0; from < domains.length; from += PARALLEL) {
    const done = await Promise.all(
      domains.slice(from, from + PARALLEL).map(([domain, its]) => applyTo(context, caller, domain, its)),
    )
    failures.push(...done.flat())
  }
  if (failures.length > 0) throw changesFailed(failures)
}

async function applyTo(
  context: RecordContext,
  caller: Caller,
  { id, name: domain }: { id: string; name: string },
  edits: ValueEdit[],
): Promise<EndpointFailure[]> {
  try {
    const refused = await editValues(context, caller, id, edits)
    return refused.map(({ group, code, detail }) => ({ domain, names: [group], code, detail }))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const names = [...new Set(edits.map(({ group }) => group))].slice(0, 20)
    return [{ domain, names, code: error.code, detail: error.message }]
  }
}

/** Groups the changes by domain, and collects the impossible ones. */
async function editsOf(changes: Changes, hosts: HoldersByName<Host>, caller: Caller) {
  const edits = new Map<Host, ValueEdit[]>()
  const failures: EndpointFailure[] = []
  const slice = takeSlices()
  for (const change of endpointChangesIn(changes)) {
    const endpoint = change.after ?? change.before
    const { place, why } = placed(endpoint, hosts, caller)
    const edit = place && editOf(place, change)
    if (place === null) failures.push(fault(endpoint, null, why))
    else if (typeof edit === 'string') failures.push(fault(endpoint, place.domain.name, edit))
    else {
      const ofDomain = edits.get(place.domain) ?? []
      edits.set(place.domain, ofDomain)
      ofDomain.push(edit as ValueEdit)
    }
    await slice()
  }
  return { edits, failures }
}

const fault = ({ dnsName, recordType }: Endpoint, domain: string | null, why: string): EndpointFailure => ({
  domain,
  names: [dnsName],
  code: 'invalid',
  detail: `${recordType} ${dnsName}: ${why}`,
})

/** Pairs each endpoint before with the one after. */
function endpointChangesIn(changes: Changes): EndpointChange[] {
  const olds = changes.updateOld ?? changes.UpdateOld ?? []
  const news = changes.updateNew ?? changes.UpdateNew ?? []
  if (olds.length !== news.length)
    throw invalid({ path: '/updateNew', code: 'pairs', message: 'must have as many entries as updateOld' })
  return [
    ...(changes.delete ?? changes.Delete ?? []).map((before) => ({ before, after: null })),
    ...news.map((after, at) => ({ before: olds[at] as Endpoint, after })),
    ...(changes.create ?? changes.Create ?? []).map((after) => ({ before: null, after })),
  ]
}

/** Returns the edit of an endpoint change, or why it is not possible. */
function editOf(place: EndpointPlace, { before, after }: EndpointChange): ValueEdit | string {
  const endpoint = after ?? before
  const type = readType(endpoint.recordType)
  if (type === null) return 'not a record type'
  const add = (after?.targets ?? []).map((target) => ({ target, value: valueOf(type, target) }))
  const wrong = add.find(({ value }) => value === null)
  if (wrong) return `${wrong.target.slice(0, 100)} is not a valid ${type} value`
  const ttl = after ? ttlOf(after.recordTTL, place) : undefined
  const proxied = after ? proxiedOf(after, place) : undefined
  return {
    // An ownership TXT record names the endpoint it belongs to.
    group: endpoint.labels?.['ownedRecord'] ?? endpoint.dnsName,
    name: place.name,
    type,
    add: add.map(({ value }) => value as string),
    // An unreadable old value was never stored.
    remove: (before?.targets ?? []).flatMap((target) => valueOf(type, target) ?? []),
    ...(ttl !== undefined && proxied !== true && { ttl }),
    ...(proxied !== undefined && { proxied }),
  }
}

function changesFailed(failures: EndpointFailure[]): AppError {
  const detail = failures.map(({ names, detail }) => `${names.slice(0, 3).join(', ')}: ${detail}`)
  return new AppError(500, 'changes_failed', detail.slice(0, 5).join('; '), {
    extra: { failures: failures.slice(0, 100) },
  })
}

async function hostsOf({ db, providerRegistry }: RecordContext, caller: Caller): Promise<readonly Host[]> {
  const domains = await visibleDomains(db, caller, MAX_DOMAINS + 1)
  if (domains.length > MAX_DOMAINS) throw narrower(`${MAX_DOMAINS} domains`)
  return domains.map((domain) => ({
    ...domain,
    capabilities: providerRegistry.byKey(domain.provider).capabilities,
  }))
}
