import { createHash } from 'node:crypto'
import { absoluteName, relativeName } from '../../../../dns/names/names.ts'
import { readSoa, writeSoa } from '../../../../dns/zone-file/soa.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { readName, writeName } from '../../../../dns/wire/wire-name.ts'
import type { AdapterContext } from '../../context.ts'
import { ProviderError, unlessMissing } from '../../contract.ts'
import type {
  ChangeOutcome,
  DnsAdapter,
  Dnssec,
  NewZone,
  RRset,
  RRsetEdit,
  RRsetPage,
  Soa,
  Unfinished,
  Zone,
} from '../../contract.ts'
import { absolute, allDone, editedSet, NO_SET } from '../../shared/edited-set.ts'
import type { ApiClient } from '../../client/client.ts'
import { byCursor } from '../../client/paging.ts'
import { hasInstead, plainValues, toPage, toRRset, type ListedSet } from '../../shared/listed-sets.ts'
import { readEach, whileOutdated } from '../../shared/outdated.ts'
import type { Credentials } from './account.ts'
import {
  isOutdated,
  openApi,
  RawChange,
  RawKeys,
  RawRRsets,
  RawZone,
  RawZones,
  type RawRRset,
} from './client.ts'
import { readKeyFile } from './service-account.ts'

const ITEMS_A_PAGE = 1_000
/** Sets in one change that empties a zone: 1,000, and 100,000 characters. */
const MAX_DELETED = 250

/** Makes no call. */
export function open(credentials: Credentials, context: AdapterContext): DnsAdapter {
  const key = readKeyFile(credentials.serviceAccount)
  const project = credentials.project || key.project_id
  if (project === undefined) throw new ProviderError('auth', 'The key names no project: say which one it is')
  return new GoogleAdapter(openApi(credentials, key, context), `/projects/${encodeURIComponent(project)}`)
}

interface Change {
  additions: RawRRset[]
  deletions: RawRRset[]
}

type SetKey = Pick<RRsetEdit, 'name'> & { type: string }

/** Google Cloud DNS: sets, replaced by changes of which each is done whole or not at all. */
class GoogleAdapter implements DnsAdapter {
  readonly #api: ApiClient
  /** The path of the project. */
  readonly #project: string

  constructor(api: ApiClient, project: string) {
    this.#api = api
    this.#project = project
  }

  async verify(): Promise<void> {
    await this.#zonePage({ maxResults: 1 })
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    const read = (pageToken?: string) => this.#zonePage({ maxResults: ITEMS_A_PAGE, pageToken })
    for await (const zones of byCursor(read, { max })) yield zones.map((zone) => this.#toZone(zone))
  }

  async findZones(name: string): Promise<Zone[]> {
    const { items } = await this.#zonePage({ dnsName: writeName(name) })
    return items.map((zone) => this.#toZone(zone)).filter((zone) => zone.name === name)
  }

  async #zonePage(query: { maxResults?: number; pageToken?: string | undefined; dnsName?: string }) {
    const { body } = await this.#api.read(`${this.#project}/managedZones`, { query, schema: RawZones })
    return { items: body.managedZones ?? [], next: body.nextPageToken }
  }

  async createZone({ name }: NewZone): Promise<Zone> {
    // Google makes any number of zones of one name.
    if ((await this.findZones(name)).length > 0)
      throw new ProviderError('conflict', 'Google Cloud DNS has a zone of this name already')
    const json = { name: slugOf(name), dnsName: writeName(name), description: `The zone ${name}` }
    const { body } = await this.#api.write(`${this.#project}/managedZones`, { json, schema: RawZone })
    return this.#toZone(body)
  }

  async deleteZone(zone: Zone): Promise<void> {
    await unlessMissing(this.#empty(zone))
    await unlessMissing(this.#api.write(this.#pathOf(zone), { method: 'DELETE', as: 'none' }))
  }

  /** Takes away all that Google deletes no zone with. */
  async #empty(zone: Zone): Promise<void> {
    const others: RawRRset[] = []
    for await (const page of this.#readPages(zone)) others.push(...page.filter((raw) => !isOfZone(raw, zone)))
    for (let start = 0; start < others.length; start += MAX_DELETED)
      await this.#change(zone, { additions: [], deletions: others.slice(start, start + MAX_DELETED) })
  }

  async readDnssec(zone: Zone): Promise<Dnssec> {
    if (!(await this.#isSigned(zone))) return { signed: false, ds: [] }
    const { body } = await this.#api.read(`${this.#pathOf(zone)}/dnsKeys`, { schema: RawKeys })
    const keys = (body.dnsKeys ?? []).filter(({ type, isActive }) => type === 'keySigning' && isActive)
    const ds = keys.flatMap(({ keyTag, algorithm, digests = [] }) =>
      digests.map(({ type, digest }) => `${keyTag} ${ALGORITHMS[algorithm]} ${DIGESTS[type]} ${digest}`),
    )
    return { signed: true, ds: ds.flatMap((rdata) => typeOf('DS').read(rdata) ?? []) }
  }

  async writeDnssec(zone: Zone, signed: boolean): Promise<void> {
    if ((await this.#isSigned(zone)) === signed) return
    const json = { dnssecConfig: { state: signed ? 'on' : 'off' } }
    await this.#api.write(this.#pathOf(zone), { method: 'PATCH', json })
  }

  async #isSigned(zone: Zone): Promise<boolean> {
    const { body } = await this.#api.read(this.#pathOf(zone), { schema: RawZone })
    return (body.dnssecConfig?.state ?? 'off') !== 'off'
  }

  async readSoa(zone: Zone): Promise<Soa> {
    const raw = await this.#readSoa(zone)
    const soa = readSoa(raw.rrdatas?.[0] ?? '')
    if (soa === null) throw this.#api.malformed()
    return { ...soa, ttl: raw.ttl }
  }

  async #readSoa(zone: Zone): Promise<RawRRset> {
    const raw = await this.#readSet(zone, { name: '@', type: 'SOA' })
    if (raw === null) throw this.#api.malformed()
    return raw
  }

  async writeSoa(zone: Zone, { ttl, ...soa }: Soa): Promise<void> {
    const rdata = writeSoa({ ...soa, serial: (soa.serial + 1) % 2 ** 32 })
    await whileOutdated(async () => {
      const before = await this.#readSoa(zone)
      const after = { ...ownPart(before), ttl, rrdatas: [rdata] }
      await this.#change(zone, { additions: [after], deletions: [before] })
    }, isOutdated)
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    for await (const page of this.#readPages(zone))
      yield toPage(
        page.flatMap((raw) => toListed(raw, zone) ?? []),
        absolute,
      )
  }

  async *#readPages(zone: Zone): AsyncGenerator<RawRRset[]> {
    const { maxZoneRecords: max } = this.#api.context
    const read = (pageToken?: string) => this.#setPage(zone, { maxResults: ITEMS_A_PAGE, pageToken })
    yield* byCursor(read, { max })
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    const raw = await this.#readSet(zone, { name, type })
    const listed = raw && toListed(raw, zone)
    return listed && toRRset(listed, absolute)
  }

  async #readSet(zone: Zone, { name, type }: SetKey): Promise<RawRRset | null> {
    const { items } = await this.#setPage(zone, { name: writeName(absoluteName(name, zone.name)), type })
    return items.find((raw) => raw.type === type && ownerOf(raw, zone) === name) ?? null
  }

  async #setPage(zone: Zone, query: Record<string, string | number | undefined>) {
    const path = `${this.#pathOf(zone)}/rrsets`
    const { body } = await this.#api.read(path, { query, large: true, schema: RawRRsets })
    return { items: body.rrsets ?? [], next: body.nextPageToken }
  }

  apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][] | Unfinished> {
    return whileOutdated(async () => {
      const held = await readEach(edits, {
        pages: Math.ceil((zone.size ?? 0) / ITEMS_A_PAGE),
        one: (edit) => this.#readSet(zone, edit),
        all: () => this.#readPages(zone),
        keyOf: (raw) => toListed(raw, zone),
      })
      const change = changeOf(zone, edits, held)
      const isNothing = change.additions.length + change.deletions.length === 0
      const id = isNothing ? null : await this.#change(zone, change)
      return id === null ? allDone(edits) : { outcomes: allDone(edits), change: id }
    }, isOutdated)
  }

  /** Answers the id of the change where it is not in force yet. What goes is named exactly as it was read. */
  async #change(zone: Zone, { additions, deletions }: Change): Promise<string | null> {
    const json = { additions: additions.map(ownPart), deletions: deletions.map(ownPart) }
    const { body } = await this.#api.write(`${this.#pathOf(zone)}/changes`, { json, schema: RawChange })
    return body.status === 'done' ? null : body.id
  }

  async isFinished(zone: Zone, change: string): Promise<boolean> {
    const path = `${this.#pathOf(zone)}/changes/${encodeURIComponent(change)}`
    const { body } = await this.#api.read(path, { schema: RawChange })
    return body.status === 'done'
  }

  #pathOf({ id }: Zone): string {
    return `${this.#project}/managedZones/${encodeURIComponent(id)}`
  }

  #toZone({ name: id, dnsName, nameServers = [], visibility }: RawZone): Zone {
    const name = readName(dnsName)
    if (name === null) throw this.#api.malformed()
    // Those of a private zone are not asked by anybody.
    const servers = visibility === 'private' ? [] : nameServers.flatMap((server) => readName(server) ?? [])
    return { id, name, kind: 'primary', ...(servers.length > 0 && { nameServers: servers }) }
  }
}

const ALGORITHMS: Record<string, number> = {
  rsasha1: 5,
  rsasha256: 8,
  rsasha512: 10,
  ecdsap256sha256: 13,
  ecdsap384sha384: 14,
}

const DIGESTS: Record<string, number> = { sha1: 1, sha256: 2, sha384: 4 }

/** The id of a zone that is made: letters, digits and hyphens, and not what people would call another one. */
function slugOf(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `zone-${name.replace(/[^a-z0-9]+/g, '-').slice(0, 48)}-${hash}`
}

/** What every zone has, until it is gone itself. */
const isOfZone = (raw: RawRRset, zone: Zone): boolean =>
  ownerOf(raw, zone) === '@' && ['NS', 'SOA'].includes(raw.type)

function ownerOf({ name }: RawRRset, zone: Zone): string | null {
  const absolute = readName(name)
  return absolute === null ? null : relativeName(absolute, zone.name)
}

/** Null for what is of another zone. */
function toListed(raw: RawRRset, zone: Zone): ListedSet | null {
  const name = ownerOf(raw, zone)
  if (name === null) return null
  const { type, ttl, rrdatas = [], routingPolicy: policy } = raw
  // What kind of object each part is says nothing.
  const shown = JSON.stringify(policy, (key, value: unknown) => (key === 'kind' ? undefined : value))
  const instead = policy && { instead: `routing policy ${shown}` }
  return { name, type, ttl, values: policy ? [] : plainValues(rrdatas), ...instead }
}

/** Without what Google adds of itself. */
const ownPart = ({ name, type, ttl, rrdatas = [], routingPolicy }: RawRRset): RawRRset => ({
  name,
  type,
  ttl,
  ...(rrdatas.length > 0 && { rrdatas }),
  ...(routingPolicy && { routingPolicy }),
})

function changeOf(zone: Zone, edits: readonly RRsetEdit[], held: readonly (RawRRset | null)[]): Change {
  const change: Change = { additions: [], deletions: [] }
  edits.forEach((edit, at) => {
    const raw = held[at] ?? null
    const listed = raw && toListed(raw, zone)
    const wanted = editedSet(edit, listed ?? NO_SET, absolute)
    if (wanted === null) return
    if (listed?.instead !== undefined) throw hasInstead('Google Cloud DNS', listed)
    if (raw !== null) change.deletions.push(raw)
    const rrdatas = wanted.values.map(({ rdata }) => rdata)
    const { name, type } = raw ?? { name: writeName(absoluteName(edit.name, zone.name)), type: edit.type }
    if (rrdatas.length > 0) change.additions.push({ name, type, ttl: wanted.ttl ?? 0, rrdatas })
  })
  return change
}
