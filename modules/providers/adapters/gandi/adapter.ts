import { Type } from '@sinclair/typebox'
import type { RecordType } from '../../../../dns/types/index.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { AdapterContext } from '../../context.ts'
import { ProviderError, unlessMissing } from '../../contract.ts'
import type { ChangeOutcome, DnsAdapter, NewZone, RRset, RRsetEdit, RRsetPage, Zone } from '../../contract.ts'
import { allDone, editedSet, NO_SET, relativeTo } from '../../shared/edited-set.ts'
import { ApiFailure, type Answer, type ApiClient } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import { plainValues, toPage, toRRset, type ListedSet } from '../../shared/listed-sets.ts'
import type { Credentials } from './account.ts'
import { NO_SUCH_SET, openApi, RawDomain, RawRRset } from './client.ts'

const PAGE_SIZE = 100

const Domains = Type.Array(RawDomain)
const RRsets = Type.Array(RawRRset)

/** Gandi LiveDNS: RRsets, of which each is written whole. */
export class GandiAdapter implements DnsAdapter {
  readonly #api: ApiClient

  constructor(api: ApiClient) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#domainPage(1)
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    for await (const domains of byNumber((page) => this.#domainPage(page), { size: PAGE_SIZE, max }))
      yield domains.map(toZone)
  }

  async #domainPage(page: number) {
    const query = { page, per_page: PAGE_SIZE }
    const answer = await this.#api.read('/domains', { query, schema: Domains })
    return { items: answer.body, total: totalOf(answer) }
  }

  async findZones(name: string): Promise<Zone[]> {
    const found = await unlessMissing(this.#api.read(domainPath(name), { schema: RawDomain }))
    return found === null ? [] : [toZone(found.body)]
  }

  async createZone({ name, soa }: NewZone): Promise<Zone> {
    await this.#api.write('/domains', { json: { fqdn: name, zone: { ttl: soa.ttl } } })
    return toZone({ fqdn: name })
  }

  async deleteZone(): Promise<void> {
    throw new ProviderError('rejected', 'Gandi keeps the zone of a domain as long as it is registered there')
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    const { maxZoneRecords: max } = this.#api.context
    const read = async (page: number) => {
      const query = { page, per_page: PAGE_SIZE }
      const answer = await this.#api.read(recordsPath(zone), { query, schema: RRsets, large: true })
      return { items: answer.body, total: totalOf(answer) }
    }
    for await (const raw of byNumber(read, { size: PAGE_SIZE, max })) {
      const sets = raw.flatMap((one) => toSet(one, zone) ?? [])
      yield toPage(sets, relativeTo(zone.name))
    }
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    const set = await this.#readSet(zone, { name, type })
    return set && toRRset(set, relativeTo(zone.name))
  }

  async #readSet(zone: Zone, set: Pick<RRsetEdit, 'name' | 'type'>): Promise<ListedSet | null> {
    try {
      const { body } = await this.#api.read(setPath(zone, set), { schema: RawRRset })
      return toSet(body, zone)
    } catch (error) {
      if (error instanceof ApiFailure && error.code === NO_SUCH_SET) return null
      throw error
    }
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    for (const edit of edits) {
      const wanted = editedSet(edit, (await this.#readSet(zone, edit)) ?? NO_SET, relativeTo(zone.name))
      if (wanted === null) continue
      const { ttl, values } = wanted
      if (values.length === 0) {
        await unlessMissing(this.#api.write(setPath(zone, edit), { method: 'DELETE', as: 'none' }))
        continue
      }
      // Without its TTL the set would get Gandi's.
      const json = { rrset_ttl: ttl, rrset_values: values.map(({ rdata }) => rdata) }
      await this.#api.write(setPath(zone, edit), { method: 'PUT', json })
    }
    return allDone(edits)
  }
}

const totalOf = ({ headers }: Answer): number | undefined => {
  const total = headers['total-count']
  return total === undefined || !/^\d+$/.test(total) ? undefined : Number(total)
}

/** An id of a zone is its name. */
const domainPath = (name: string): string => `/domains/${encodeURIComponent(name)}`

const recordsPath = ({ id }: Zone): string => `${domainPath(id)}/records`

const setPath = (zone: Zone, { name, type }: Pick<RRsetEdit, 'name' | 'type'>): string =>
  `${recordsPath(zone)}/${encodeURIComponent(name)}/${type}`

const toZone = ({ fqdn }: RawDomain): Zone => ({ id: fqdn, name: fqdn.toLowerCase() })

function toSet(raw: RawRRset, zone: Zone): ListedSet | null {
  const name = readOwner(raw.rrset_name, zone.name)
  if (name === null) return null
  return { name, type: raw.rrset_type, ttl: raw.rrset_ttl, values: plainValues(raw.rrset_values) }
}

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new GandiAdapter(openApi(credentials, context))
