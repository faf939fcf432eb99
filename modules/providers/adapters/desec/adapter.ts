import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { rrsetKey } from '../../../../dns/names/rrset.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import { unlessMissing, unlessThere } from '../../contract.ts'
import type {
  ChangeOutcome,
  DnsAdapter,
  Dnssec,
  NewZone,
  RRset,
  RRsetEdit,
  RRsetPage,
  Zone,
} from '../../contract.ts'
import type { AdapterContext } from '../../context.ts'
import { absolute, allDone, editedSet, NO_SET } from '../../shared/edited-set.ts'
import type { ApiClient } from '../../client/client.ts'
import { byCursor, linkOf } from '../../client/paging.ts'
import { plainValues, toPage, toRRset, type ListedSet } from '../../shared/listed-sets.ts'
import type { Credentials } from './account.ts'
import { RawDomain, RawDomains, RawRRsets, RawSignedDomain, type RawRRset, openApi } from './client.ts'

/** With more edits all RRsets are read: a page of them has 500. */
const MAX_SINGLE_READS = 3

/** Each account gets these two. */
const NAME_SERVERS = ['ns1.desec.io', 'ns2.desec.org']

/** deSEC: RRsets, of which one call replaces any number in one transaction. */
export class DesecAdapter implements DnsAdapter {
  readonly #api: ApiClient

  constructor(api: ApiClient) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#api.read('/domains/', { query: { cursor: '' }, schema: RawDomains })
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    const read = async (cursor = '') => {
      const { body, headers } = await this.#api.read('/domains/', { query: { cursor }, schema: RawDomains })
      return { items: body, next: nextOf(headers) }
    }
    for await (const domains of byCursor(read, { max })) yield domains.map(toZone)
  }

  async findZones(name: string): Promise<Zone[]> {
    const found = await unlessMissing(this.#api.read(domainPath(name), { schema: RawDomain }))
    return found === null ? [] : [toZone(found.body)]
  }

  // It says "unavailable" of names of others, too.
  async createZone({ name }: NewZone): Promise<Zone> {
    const made = this.#api.write('/domains/', { json: { name }, schema: RawDomain })
    const { body } = await unlessThere(made, () => this.findZones(name))
    return toZone(body)
  }

  async deleteZone(zone: Zone): Promise<void> {
    await unlessMissing(this.#api.write(domainPath(zone.id), { method: 'DELETE', as: 'none' }))
  }

  // deSEC signs every zone.
  async readDnssec(zone: Zone): Promise<Dnssec> {
    const { body } = await this.#api.read(domainPath(zone.id), { schema: RawSignedDomain })
    const ds = body.keys.flatMap(({ ds: all = [] }) => all.flatMap((rdata) => typeOf('DS').read(rdata) ?? []))
    return { signed: true, ds }
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    for await (const sets of this.#readPages(zone)) yield toPage(sets, absolute)
  }

  async *#readPages(zone: Zone): AsyncGenerator<ListedSet[]> {
    const { maxZoneRecords } = this.#api.context
    const read = async (cursor = '') => {
      const { body, headers } = await this.#api.read(rrsetsPath(zone), {
        query: { cursor },
        schema: RawRRsets,
        large: true,
      })
      return { items: toSets(body, zone), next: nextOf(headers) }
    }
    yield* byCursor(read, { max: maxZoneRecords })
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    const set = await this.#readSet(zone, { name, type })
    return set && toRRset(set, absolute)
  }

  async #readSet(zone: Zone, { name, type }: Pick<RRsetEdit, 'name' | 'type'>): Promise<ListedSet | null> {
    const query = { subname: subnameOf(name), type }
    const { body } = await this.#api.read(rrsetsPath(zone), { query, schema: RawRRsets })
    return toSets(body, zone).find((set) => set.type === type && set.name === name) ?? null
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    const held = await this.#readSets(zone, edits)
    const json = edits.flatMap((edit, at) => {
      const wanted = editedSet(edit, held[at] ?? NO_SET, absolute)
      if (wanted === null) return []
      const records = wanted.values.map(({ rdata }) => rdata)
      return [{ subname: subnameOf(edit.name), type: edit.type, ttl: wanted.ttl, records }]
    })
    if (json.length > 0) await this.#api.write(rrsetsPath(zone), { method: 'PATCH', json })
    return allDone(edits)
  }

  async #readSets(zone: Zone, edits: RRsetEdit[]): Promise<(ListedSet | null)[]> {
    const sets: (ListedSet | null)[] = []
    if (edits.length <= MAX_SINGLE_READS) {
      for (const edit of edits) sets.push(await this.#readSet(zone, edit))
      return sets
    }
    const all = new Map<string, ListedSet>()
    for await (const page of this.#readPages(zone)) for (const set of page) all.set(rrsetKey(set), set)
    return edits.map((edit) => all.get(rrsetKey(edit)) ?? null)
  }
}

/** An id of a zone is its name. */
const domainPath = (name: string): string => `/domains/${encodeURIComponent(name)}/`

const rrsetsPath = ({ id }: Zone): string => `${domainPath(id)}rrsets/`

/** The cursor of the next page; its address may be another than ours, before a proxy. */
function nextOf(headers: Record<string, string>): string | null {
  const next = linkOf(headers['link'], 'next')
  return next === null ? null : (URL.parse(next)?.searchParams.get('cursor') ?? null)
}

const subnameOf = (name: string): string => (name === '@' ? '' : name)

const toZone = ({ name }: { name: string }): Zone => ({
  id: name,
  name: name.toLowerCase(),
  nameServers: NAME_SERVERS,
})

const toSets = (raw: RawRRset[], zone: Zone): ListedSet[] =>
  raw.flatMap(({ subname, type, ttl, records }) => {
    const name = readOwner(subname, zone.name)
    return name === null ? [] : [{ name, type, ttl, values: plainValues(records) }]
  })

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new DesecAdapter(openApi(credentials, context))
