import { readType, typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { relativeName } from '../../../../dns/names.ts'
import { rrsetKey } from '../../../../dns/rrset.ts'
import { readName } from '../../../../dns/wire-name.ts'
import { ProviderError } from '../../contract.ts'
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
import { editedSet } from '../../edited-set.ts'
import type { ApiClient } from '../../http-client/client.ts'
import { byCursor, linkOf } from '../../http-client/paging.ts'
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
    try {
      const { body } = await this.#api.read(domainPath(name), { schema: RawDomain })
      return [toZone(body)]
    } catch (error) {
      if (isMissing(error)) return []
      throw error
    }
  }

  async createZone({ name }: NewZone): Promise<Zone> {
    try {
      const { body } = await this.#api.write('/domains/', { json: { name }, schema: RawDomain })
      return toZone(body)
    } catch (error) {
      // It says "unavailable" of names of others, too.
      if (!(error instanceof ProviderError) || error.kind !== 'rejected') throw error
      if ((await this.findZones(name)).length === 0) throw error
      throw new ProviderError('conflict', 'deSEC has this domain already', { cause: error })
    }
  }

  async deleteZone(zone: Zone): Promise<void> {
    try {
      await this.#api.write(domainPath(zone.id), { method: 'DELETE', as: 'none' })
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }

  // deSEC signs every zone.
  async readDnssec(zone: Zone): Promise<Dnssec> {
    const { body } = await this.#api.read(domainPath(zone.id), { schema: RawSignedDomain })
    const ds = body.keys.flatMap(({ ds: all = [] }) => all.flatMap((rdata) => typeOf('DS').read(rdata) ?? []))
    return { signed: true, ds }
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    for await (const raw of this.#readPages(zone)) yield toPage(raw, zone)
  }

  async *#readPages(zone: Zone): AsyncGenerator<RawRRset[]> {
    const { maxZoneRecords } = this.#api.context
    const read = async (cursor = '') => {
      const { body, headers } = await this.#api.read(rrsetsPath(zone), {
        query: { cursor },
        schema: RawRRsets,
        large: true,
      })
      return { items: body, next: nextOf(headers) }
    }
    yield* byCursor(read, { max: maxZoneRecords })
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    const raw = await this.#readSet(zone, { name, type })
    return raw && toRRset(raw, zone)
  }

  async #readSet(zone: Zone, { name, type }: Pick<RRsetEdit, 'name' | 'type'>): Promise<RawRRset | null> {
    const query = { subname: subnameOf(name), type }
    const { body } = await this.#api.read(rrsetsPath(zone), { query, schema: RawRRsets })
    return body.find((raw) => raw.type === type && nameOf(raw, zone) === name) ?? null
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    const held = await this.#readSets(zone, edits)
    const json = edits.flatMap((edit, at) => {
      const { ttl = 0, records = [] } = held[at] ?? {}
      const wanted = editedSet(edit, { ttl, values: records.map((rdata) => ({ rdata })) })
      if (wanted === null) return []
      const rdata = wanted.values.map((value) => value.rdata)
      return [{ subname: subnameOf(edit.name), type: edit.type, ttl: wanted.ttl, records: rdata }]
    })
    if (json.length > 0) await this.#api.write(rrsetsPath(zone), { method: 'PATCH', json })
    return edits.map(({ changes }) => changes.map(() => ({ ok: true, providerId: null })))
  }

  async #readSets(zone: Zone, edits: RRsetEdit[]): Promise<(RawRRset | null)[]> {
    const sets: (RawRRset | null)[] = []
    if (edits.length <= MAX_SINGLE_READS) {
      for (const edit of edits) sets.push(await this.#readSet(zone, edit))
      return sets
    }
    const all = new Map<string, RawRRset>()
    for await (const page of this.#readPages(zone)) {
      for (const raw of page) {
        const name = nameOf(raw, zone)
        if (name !== null) all.set(rrsetKey({ name, type: raw.type }), raw)
      }
    }
    return edits.map((edit) => all.get(rrsetKey(edit)) ?? null)
  }
}

const isMissing = (error: unknown) => error instanceof ProviderError && error.kind === 'not_found'

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

function nameOf({ subname }: RawRRset, zone: Zone): string | null {
  const absolute = readName(subname === '' ? zone.name : `${subname}.${zone.name}`)
  return absolute === null ? null : relativeName(absolute, zone.name)
}

function toPage(raw: RawRRset[], zone: Zone): RRsetPage {
  return {
    rrsets: raw.flatMap((one) => toRRset(one, zone) ?? []),
    unmanaged: raw.flatMap((one) => {
      const name = nameOf(one, zone)
      const type = readType(one.type)
      if (name === null || one.type === 'SOA') return []
      return one.records
        .filter((rdata) => type === null || typeOf(type).read(rdata) === null)
        .map((value) => ({ name, type: one.type, ttl: one.ttl, value }))
    }),
  }
}

function toRRset(raw: RawRRset, zone: Zone): RRset | null {
  const [name, type] = [nameOf(raw, zone), readType(raw.type)]
  if (name === null || type === null) return null
  const values = new Set(raw.records.flatMap((rdata) => typeOf(type).read(rdata) ?? []))
  return values.size === 0
    ? null
    : { name, type, ttl: raw.ttl, members: Array.from(values, (value) => ({ value })) }
}

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new DesecAdapter(openApi(credentials, context))
