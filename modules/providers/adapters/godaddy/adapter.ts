import { Type, type Static } from '@sinclair/typebox'
import type { ApiClient, Answer, Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import { byCursor, byNumber } from '../../client/paging.ts'
import { ProviderError, unlessMissing, type RRsetEdit, type Zone } from '../../contract.ts'
import { byRRset } from '../../shared/rrsets/by-rrset.ts'
import type { Account } from '../../shared/define-provider.ts'
import { isRefusal, notSent } from '../../shared/records/edited-records.ts'
import { DONE } from '../../shared/rrsets/edited-set.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import { nameServersOf } from '../../shared/zone-data.ts'
import type { Credentials } from './index.ts'
import { placeOf, RawRecord, spellOf, toSets, type RecordPlace } from './records.ts'
import { writeOf, type Write } from './writes.ts'

const DOMAINS_A_PAGE = 1000
const RECORDS_A_PAGE = 500
/** With more edits, all records are read. */
const MAX_SINGLE_READS = 3

const RawDomain = Type.Object({
  domain: Type.String(),
  nameServers: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
})

const Domains = Type.Array(RawDomain)
const Records = Type.Array(RawRecord)

/**
 * GoDaddy: its API version 1 (https://developer.godaddy.com/doc/endpoint/domains). Records have no ids. One call adds many
 * records, or replaces all of one type and name.
 */
export const open = byRRset({
  api(account: Account<Credentials>) {
    const { apiKey, apiSecret } = account.credentials
    const authenticate = () => ({ authorization: `sso-key ${apiKey}:${apiSecret}` })
    return clientOf(account, { secrets: [apiKey, apiSecret], authenticate, explain })
  },

  verify: (api) => domainPage(api, undefined, 1),

  listZones: (api) => byCursor((marker) => domainPage(api, marker)),

  async findZones(api, name) {
    const { body } = await api.read(domainPath(name), { schema: RawDomain })
    return [toZone(body)]
  },

  // A set may continue on the next page, so pages are read together.
  listSets: async (api, zone, only) => toSets(await readRecords(api, zone, only && placeOf(only)), zone),
  toSet: (set) => set,
  spell: spellOf,
  show: ({ data }) => data,

  async apply(api, zone, edits) {
    const progress: Progress = { isBegun: false, stop: null, failures: new Map() }
    // Edits of one place are planned in sequence, each from the result of the previous one.
    for (const round of roundsOf(edits)) await writeAll(api, zone, await plan(api, zone, round), progress)
    return edits.map((edit) => {
      const error = progress.failures.get(edit)
      return edit.changes.map(() => (error === undefined ? DONE : { ok: false, error }))
    })
  },
})

async function domainPage(api: ApiClient, marker: string | undefined, limit = DOMAINS_A_PAGE) {
  const query = { statuses: 'ACTIVE', limit, marker }
  const { body } = await api.read('/v1/domains', { query, schema: Domains })
  return { items: body.map(toZone), next: body.length < limit ? null : body.at(-1)?.domain }
}

/** All records of the zone, or of one place. */
async function readRecords(api: ApiClient, zone: Zone, place?: RecordPlace): Promise<RawRecord[]> {
  const path = place === undefined ? recordsPath(zone) : placePath(zone, place)
  const { maxZoneRecords: max } = api.context
  const read = async (page: number) => {
    // The offset counts pages.
    const query = { limit: RECORDS_A_PAGE, ...(page > 1 && { offset: page }) }
    const { body } = await api.read(path, { query, schema: Records, large: true })
    return { items: body }
  }
  const records: RawRecord[] = []
  for await (const page of byNumber(read, { size: RECORDS_A_PAGE, max })) records.push(...page)
  // If the offset counted records, pages would overlap.
  if (new Set(records.map((raw) => JSON.stringify(raw))).size < records.length) throw api.malformed()
  return records
}

async function plan(api: ApiClient, zone: Zone, edits: readonly RRsetEdit[]): Promise<Write[]> {
  const sets = edits.length > MAX_SINGLE_READS ? toSets(await readRecords(api, zone), zone) : null
  const writes: Write[] = []
  for (const edit of edits) {
    const place = placeOf(edit)
    const held =
      sets?.filter(({ values }) => isAt(place, values[0]?.rdata)) ??
      toSets(await readRecords(api, zone, place), zone)
    const write = writeOf(edit, held, zone)
    if (write !== null) writes.push(write)
  }
  return writes
}

/** Progress of a call of `apply`. */
interface Progress {
  isBegun: boolean
  /** Why sending stopped. */
  stop: ProviderError | null
  failures: Map<RRsetEdit, ProviderError>
}

/** Replacements first, to make room. Then all additions in one call, or each alone if GoDaddy refuses that. */
async function writeAll(
  api: ApiClient,
  zone: Zone,
  writes: readonly Write[],
  progress: Progress,
): Promise<void> {
  const added = writes.filter((write) => 'added' in write)
  const steps: Write[][] = writes.filter((write) => 'put' in write).map((write) => [write])
  if (added.length > 0) steps.push(added)
  for (const step of steps) {
    try {
      if (progress.stop !== null) throw notSent(progress.stop)
      await send(api, zone, step)
      progress.isBegun = true
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      if (isRefusal(error) && step.length > 1) {
        steps.push(...step.map((write) => [write]))
        continue
      }
      const hasChanges = step.some(({ edit }) => edit.changes.length > 0)
      if (!hasChanges || (!isRefusal(error) && !progress.isBegun)) throw error
      if (!isRefusal(error)) progress.stop ??= error
      for (const { edit } of step) progress.failures.set(edit, error)
    }
  }
}

async function send(api: ApiClient, zone: Zone, writes: readonly Write[]): Promise<void> {
  const added = writes.flatMap((write) => ('added' in write ? write.added : []))
  if (added.length > 0) await api.write(recordsPath(zone), { method: 'PATCH', json: added, as: 'empty' })
  for (const write of writes) {
    if (!('put' in write)) continue
    const path = placePath(zone, write.place)
    if (write.put.length > 0) await api.write(path, { method: 'PUT', json: write.put, as: 'empty' })
    else await unlessMissing(api.write(path, { method: 'DELETE', as: 'empty' }))
  }
}

/** In each round at most one edit of a place. */
function roundsOf(edits: readonly RRsetEdit[]): RRsetEdit[][] {
  const rounds: RRsetEdit[][] = []
  const seen = new Map<string, number>()
  for (const edit of edits) {
    const { type, name } = placeOf(edit)
    const at = seen.get(`${type} ${name}`) ?? 0
    seen.set(`${type} ${name}`, at + 1)
    rounds[at] = [...(rounds[at] ?? []), edit]
  }
  return rounds
}

/** The id of a zone is its name. */
const domainPath = (name: string): string => `/v1/domains/${encodeURIComponent(name)}`

const recordsPath = ({ id }: Zone): string => `${domainPath(id)}/records`

const placePath = (zone: Zone, { type, name }: RecordPlace): string =>
  `${recordsPath(zone)}/${type}/${encodeURIComponent(name)}`

const isAt = ({ type, name }: RecordPlace, raw: RawRecord | undefined): boolean =>
  raw?.type === type && raw.name.toLowerCase() === name

const OWN_SERVER = /\.domaincontrol\.com$/

/** The domain may be delegated to other name servers. */
function toZone({ domain, nameServers: servers }: Static<typeof RawDomain>): Zone {
  const { nameServers = [] } = nameServersOf(servers)
  const isHere = nameServers.every((server) => OWN_SERVER.test(server))
  return {
    id: domain,
    name: domain.toLowerCase(),
    ...(nameServers.length > 0 && { ...(isHere && { nameServers }), status: isHere ? 'active' : 'pending' }),
  }
}

/** GoDaddy's status tells the kind of a failure; it gives the reason in `message`, and details in `fields`. */
function explain({ status, headers, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body)) return undefined
  const { code, message, fields, retryAfterSec: wait } = body
  if (typeof code !== 'string' || typeof message !== 'string') return undefined
  if (status === 404) return { code, message: 'GoDaddy does not have this domain in this account' }
  if (status === 429 && typeof wait === 'number' && headers['retry-after'] === undefined)
    return { code, retryAfter: wait }
  const details = Array.isArray(fields) ? fields.filter(isObject).map(detailOf) : []
  const kind = code === 'DUPLICATE_RECORD' ? { kind: 'conflict' as const } : {}
  return { code, ...kind, reason: [message, ...details].join('; ') }
}

const detailOf = ({ path, message }: Record<string, unknown>): string =>
  [path, message].filter((text) => typeof text === 'string').join(' ')
