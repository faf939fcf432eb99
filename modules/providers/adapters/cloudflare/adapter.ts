import { Type } from '@sinclair/typebox'
import { absoluteName } from '../../../../dns/names/names.ts'
import { rrsetKey } from '../../../../dns/names/rrset.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { halfDone, ProviderError } from '../../contract.ts'
import type {
  ChangeOutcome,
  DnsAdapter,
  Member,
  NewZone,
  RRset,
  RRsetEdit,
  RRsetPage,
  Zone,
} from '../../contract.ts'
import type { AdapterContext } from '../../context.ts'
import {
  collectRecords,
  outcomesOf,
  planRecords,
  toPages,
  toRRset,
  type HeldRecord,
  type PlannedRecord,
} from '../../shared/edited-records.ts'
import type { ApiClient } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import { MAX_BATCH, type Credentials } from './account.ts'
import { isOutdated, Page, RawZone, Result, openApi } from './client.ts'
import { RawRecord, readRecord, writeChange, writeRecord } from './record-data.ts'

const ZONES_A_PAGE = 50
const RECORDS_A_PAGE = 1_000
/** With more edits all records are read: a page of them has more than an answer about one name. */
const MAX_SINGLE_READS = 5
const MAX_TRIES = 3

const EDIT_RIGHT = '#dns_records:edit'

interface Write {
  edit: RRsetEdit
  record: PlannedRecord
}

const Written = Type.Object({ id: Type.String() })
const Batch = Result(Type.Object({ posts: Type.Optional(Type.Union([Type.Array(Written), Type.Null()])) }))

/** Cloudflare: records with ids, changed by batches of which each is one transaction. */
export class CloudflareAdapter implements DnsAdapter {
  readonly #api: ApiClient
  readonly #accountId: string | undefined

  constructor(api: ApiClient, accountId: string | undefined) {
    this.#api = api
    this.#accountId = accountId
  }

  async verify(): Promise<void> {
    const { items } = await this.#zonePage(1)
    const rights = items.map(({ permissions }) => permissions ?? [EDIT_RIGHT])
    if (rights.length > 0 && !rights.some((all) => all.includes(EDIT_RIGHT)))
      throw new ProviderError(
        'forbidden',
        'This token may not edit DNS: it needs the right Zone → DNS → Edit',
      )
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    for await (const zones of byNumber((page) => this.#zonePage(page), { size: ZONES_A_PAGE, max }))
      yield zones.map(toZone)
  }

  async findZones(name: string): Promise<Zone[]> {
    const { items } = await this.#zonePage(1, name)
    return items.map(toZone).filter((zone) => zone.name === name)
  }

  async #zonePage(page: number, name?: string) {
    const query = { page, per_page: ZONES_A_PAGE, name, 'account.id': this.#accountId }
    const { body } = await this.#api.read('/zones', { query, schema: Page(RawZone) })
    return pageOf(body)
  }

  async createZone({ name }: NewZone): Promise<Zone> {
    const account = this.#accountId === undefined ? {} : { account: { id: this.#accountId } }
    const json = { name, type: 'full', ...account }
    const { body } = await this.#api.write('/zones', { json, schema: Result(RawZone) })
    return toZone(body.result)
  }

  async deleteZone(zone: Zone): Promise<void> {
    try {
      await this.#api.write(zonePath(zone), { method: 'DELETE' })
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'not_found') throw error
    }
  }

  /** A token that is none is told as one that lacks a right, but of zones. */
  async #whyForbidden(error: unknown): Promise<never> {
    if (error instanceof ProviderError && error.kind === 'forbidden') await this.#zonePage(1)
    throw error
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    yield* toPages(await this.#readZone(zone))
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    return toRRset(await this.#readSet(zone, { name, type }))
  }

  async #readSet(zone: Zone, { name, type }: Pick<RRsetEdit, 'name' | 'type'>): Promise<HeldRecord[]> {
    const query = { type, name: absoluteName(name, zone.name) }
    const { held } = await this.#readZone(zone, query)
    return held.filter((one) => one.name === name && one.type === type)
  }

  async #readZone(zone: Zone, query: { type?: string; name?: string } = {}) {
    const read = async (page: number) => {
      const { body } = await this.#api
        .read(`${zonePath(zone)}/dns_records`, {
          query: { page, per_page: RECORDS_A_PAGE, ...query },
          schema: Page(RawRecord),
          large: true,
        })
        .catch((error: unknown) => this.#whyForbidden(error))
      return pageOf(body)
    }
    const { maxZoneRecords: max } = this.#api.context
    return await collectRecords(byNumber(read, { size: RECORDS_A_PAGE, max }), (raw) => readRecord(raw, zone))
  }

  async apply(zone: Zone, edits: RRsetEdit[], tries = MAX_TRIES): Promise<ChangeOutcome[][]> {
    const sets = await this.#readSets(zone, edits)
    const plans = edits.map((edit, at) => planRecords(edit, sets[at] ?? [], ttlIn(edit)))
    const writes = edits.flatMap((edit, at) => (plans[at] ?? []).map((record) => ({ edit, record })))
    try {
      const done = await this.#write(zone, inOrder(writes))
      return edits.map((edit, at) => outcomesOf(edit, plans[at] ?? [], done))
    } catch (error) {
      if (tries <= 1 || !isOutdated(error) || error.outcome !== 'not_applied') throw error
      return await this.apply(zone, edits, tries - 1)
    }
  }

  /** The records of each edit's name and type. */
  async #readSets(zone: Zone, edits: RRsetEdit[]): Promise<HeldRecord[][]> {
    if (edits.length > MAX_SINGLE_READS) {
      const { held } = await this.#readZone(zone)
      const sets = Map.groupBy(held, rrsetKey)
      return edits.map((edit) => sets.get(rrsetKey(edit)) ?? [])
    }
    const sets: HeldRecord[][] = []
    for (const edit of edits) sets.push(await this.#readSet(zone, edit))
    return sets
  }

  /** Nearly always in one call; what is written by the first of several is not taken back when the next one fails. */
  async #write(zone: Zone, writes: Write[]): Promise<Map<PlannedRecord, ChangeOutcome>> {
    const done = new Map<PlannedRecord, ChangeOutcome>()
    for (let start = 0; start < writes.length; start += MAX_BATCH) {
      const part = writes.slice(start, start + MAX_BATCH)
      try {
        const ids = await this.#writeBatch(zone, part)
        part.forEach(({ record }, at) => done.set(record, { ok: true, providerId: ids[at] ?? null }))
      } catch (error) {
        throw start === 0 ? error : halfDone(error)
      }
    }
    return done
  }

  /** Answers the id of each record. */
  async #writeBatch(zone: Zone, writes: Write[]): Promise<(string | null)[]> {
    const of = (write: PlannedRecord['write']) => writes.filter(({ record }) => record.write === write)
    const json = {
      deletes: of('delete').map(({ record: { held } }) => ({ id: held?.id })),
      patches: of('update').flatMap(({ record: { held, member, ttl } }) =>
        held === null ? [] : [{ id: held.id, ...writeChange(held, member, ttl) }],
      ),
      posts: of('create').map(({ edit: { name, type }, record: { member, ttl } }) =>
        writeRecord(type, absoluteName(name, zone.name), member, ttl),
      ),
    }
    const { body } = await this.#api.write(`${zonePath(zone)}/dns_records/batch`, { json, schema: Batch })
    const made = (body.result.posts ?? []).map(({ id }) => id)
    return writes.map(({ record }) => record.held?.id ?? made.shift() ?? null)
  }
}

/** As Cloudflare does them, so that what goes makes room for what comes; and a DS after the NS that it is about. */
function inOrder(writes: Write[]): Write[] {
  const rank = ({ edit: { type }, record: { write } }: Write) =>
    write === null ? 0 : ORDER.indexOf(write) + (type === 'DS' ? 0.5 : 0)
  return writes.filter(({ record }) => record.write !== null).sort((a, b) => rank(a) - rank(b))
}

const ORDER: PlannedRecord['write'][] = ['delete', 'update', 'create']

/** That of a proxied record is always automatic. */
const ttlIn =
  ({ ttl }: RRsetEdit) =>
  (member: Member): number | null =>
    member.proxied === true ? null : ttl

const zonePath = ({ id }: Zone): string => `/zones/${encodeURIComponent(id)}`

function pageOf<T>({ result, result_info: info }: { result: T[]; result_info: PageInfo }) {
  return { items: result, pages: info.total_pages, total: info.total_count }
}

interface PageInfo {
  total_pages?: number
  total_count?: number
}

const toZone = ({ id, name, status, paused, type, name_servers: servers }: RawZone): Zone => ({
  id,
  name: name.toLowerCase(),
  ...(servers?.length && { nameServers: servers.map((server) => server.toLowerCase()) }),
  ...(status !== undefined && {
    status: paused === true ? 'paused' : status === 'active' ? 'active' : 'pending',
  }),
  ...(type !== undefined && { kind: type === 'secondary' ? 'secondary' : 'primary' }),
})

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new CloudflareAdapter(openApi(credentials, context), credentials.accountId)
