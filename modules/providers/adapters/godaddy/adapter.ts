import { Type } from '@sinclair/typebox'
import type { RecordType } from '../../../../dns/types/index.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { AdapterContext } from '../../context.ts'
import { ProviderError, unlessMissing } from '../../contract.ts'
import type { ChangeOutcome, DnsAdapter, RRset, RRsetEdit, RRsetPage, Zone } from '../../contract.ts'
import { isRefusal, notSent } from '../../shared/edited-records.ts'
import type { ApiClient } from '../../client/client.ts'
import { byCursor, byNumber } from '../../client/paging.ts'
import { toPage, toRRset } from '../../shared/listed-sets.ts'
import type { Credentials } from './account.ts'
import { openApi, RawDomain, RawRecord } from './client.ts'
import { placeOf, spellOf, toSets, type Place } from './records.ts'
import { writeOf, type Write } from './writes.ts'

const DOMAINS_A_PAGE = 1000
const RECORDS_A_PAGE = 500
/** With more edits all records are read. */
const MAX_SINGLE_READS = 3

const Domains = Type.Array(RawDomain)
const Records = Type.Array(RawRecord)

/** GoDaddy: records without ids, added by a call for many, or all of one type and name put in place. */
export class GoDaddyAdapter implements DnsAdapter {
  readonly #api: ApiClient

  constructor(api: ApiClient) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#domainPage(undefined, 1)
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    for await (const domains of byCursor((marker) => this.#domainPage(marker), { max }))
      yield domains.map(toZone)
  }

  async #domainPage(marker: string | undefined, limit = DOMAINS_A_PAGE) {
    const query = { statuses: 'ACTIVE', limit, marker }
    const { body } = await this.#api.read('/v1/domains', { query, schema: Domains })
    return { items: body, next: body.length < limit ? null : body.at(-1)?.domain }
  }

  async findZones(name: string): Promise<Zone[]> {
    const found = await unlessMissing(this.#api.read(domainPath(name), { schema: RawDomain }))
    return found === null ? [] : [toZone(found.body)]
  }

  async createZone(): Promise<Zone> {
    throw new ProviderError('rejected', 'A domain has its zone at GoDaddy as soon as it is registered there')
  }

  async deleteZone(): Promise<void> {
    throw new ProviderError(
      'rejected',
      'GoDaddy keeps the zone of a domain as long as it is registered there',
    )
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    // A set may begin on one page and go on on the next one.
    const records = await this.#readRecords(zone)
    yield toPage(toSets(records, zone), spellOf(zone), ({ data }) => data)
  }

  /** All of the zone, or of one type and name. */
  async #readRecords(zone: Zone, place?: Place): Promise<RawRecord[]> {
    const path = place === undefined ? recordsPath(zone) : placePath(zone, place)
    const { maxZoneRecords: max } = this.#api.context
    const read = async (page: number) => {
      // The offset counts pages.
      const query = { limit: RECORDS_A_PAGE, ...(page > 1 && { offset: page }) }
      const { body } = await this.#api.read(path, { query, schema: Records, large: true })
      return { items: body }
    }
    const records: RawRecord[] = []
    for await (const page of byNumber(read, { size: RECORDS_A_PAGE, max })) records.push(...page)
    // Were it to count records, pages would overlap.
    if (new Set(records.map((raw) => JSON.stringify(raw))).size < records.length) throw this.#api.malformed()
    return records
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    const sets = toSets(await this.#readRecords(zone, placeOf({ name, type })), zone)
    const set = sets.find((one) => one.name === name && one.type === type)
    return set === undefined ? null : toRRset(set, spellOf(zone))
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    const progress: Progress = { isBegun: false, stop: null, failures: new Map() }
    // Those of one place come one after the other: each is planned by what the one before it left there.
    for (const round of roundsOf(edits)) await this.#write(zone, await this.#plan(zone, round), progress)
    return edits.map((edit) => {
      const error = progress.failures.get(edit)
      return edit.changes.map(() =>
        error === undefined ? { ok: true, providerId: null } : { ok: false, error },
      )
    })
  }

  async #plan(zone: Zone, edits: readonly RRsetEdit[]): Promise<Write[]> {
    const sets = edits.length > MAX_SINGLE_READS ? toSets(await this.#readRecords(zone), zone) : null
    const writes: Write[] = []
    for (const edit of edits) {
      const place = placeOf(edit)
      const there =
        sets?.filter(({ values }) => isAt(place, values[0]?.rdata)) ??
        toSets(await this.#readRecords(zone, place), zone)
      const write = writeOf(edit, there, zone)
      if (write !== null) writes.push(write)
    }
    return writes
  }

  /** Last all that is only added, in one call, when there is room for it; each by itself where that is refused. */
  async #write(zone: Zone, writes: readonly Write[], progress: Progress): Promise<void> {
    const added = writes.filter((write) => 'added' in write)
    const steps: Write[][] = writes.filter((write) => 'put' in write).map((write) => [write])
    if (added.length > 0) steps.push(added)
    for (const step of steps) {
      try {
        if (progress.stop !== null) throw notSent(progress.stop)
        await this.#send(zone, step)
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

  async #send(zone: Zone, writes: readonly Write[]): Promise<void> {
    const added = writes.flatMap((write) => ('added' in write ? write.added : []))
    if (added.length > 0)
      await this.#api.write(recordsPath(zone), { method: 'PATCH', json: added, as: 'empty' })
    for (const write of writes) {
      if (!('put' in write)) continue
      const path = placePath(zone, write.place)
      if (write.put.length > 0) await this.#api.write(path, { method: 'PUT', json: write.put, as: 'empty' })
      else await unlessMissing(this.#api.write(path, { method: 'DELETE', as: 'empty' }))
    }
  }
}

/** How far a call of `apply` has come. */
interface Progress {
  isBegun: boolean
  /** Why nothing more is sent. */
  stop: ProviderError | null
  failures: Map<RRsetEdit, ProviderError>
}

/** In each at most one edit of a place. */
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

/** An id of a zone is its name. */
const domainPath = (name: string): string => `/v1/domains/${encodeURIComponent(name)}`

const recordsPath = ({ id }: Zone): string => `${domainPath(id)}/records`

const placePath = (zone: Zone, { type, name }: Place): string =>
  `${recordsPath(zone)}/${type}/${encodeURIComponent(name)}`

const isAt = ({ type, name }: Place, raw: RawRecord | undefined): boolean =>
  raw?.type === type && raw.name.toLowerCase() === name

const OWN_SERVER = /\.domaincontrol\.com$/

/** It may be delegated to others. */
function toZone({ domain, nameServers }: RawDomain): Zone {
  const servers = (nameServers ?? []).flatMap((server) => readName(server) ?? [])
  const isHere = servers.length > 0 && servers.every((server) => OWN_SERVER.test(server))
  return {
    id: domain,
    name: domain.toLowerCase(),
    ...(isHere && { nameServers: servers }),
    ...(servers.length > 0 && { status: isHere ? 'active' : 'pending' }),
  }
}

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new GoDaddyAdapter(openApi(credentials, context))
