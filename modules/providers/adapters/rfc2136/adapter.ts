import { CLASS, RCODE, TYPE, type ResourceRecord } from '../../../../dns/wire/message.ts'
import { relativeName } from '../../../../dns/names/names.ts'
import { readWireSoa, writeWireSoa } from '../../../../dns/zone-file/soa.ts'
import { typeCode } from '../../../../dns/wire/type-codes.ts'
import type { TsigAlgorithm } from '../../../../dns/wire/tsig.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import { takeSlices } from '../../../../plugins/http/event-loop.ts'
import { halfDone, ProviderError } from '../../contract.ts'
import type { ChangeOutcome, DnsAdapter, RRset, RRsetEdit, RRsetPage, Soa, Zone } from '../../contract.ts'
import type { AdapterContext } from '../../context.ts'
import type { Credentials } from './account.ts'
import { Client, type Update } from './client.ts'
import { keysFor } from './coexistence.ts'
import { malformed } from './failures.ts'
import { askRRsets, heldOf, readZone, toPage, toRRset, type Held } from './zone-content.ts'
import { asHeld, planUpdate } from './zone-update.ts'

/** The zones to choose from, because the server can't list them. */
export interface ZoneList {
  names: string[]
  /** A catalog zone (RFC 9432), whose members are added. */
  catalog: string | null
}

const PAGE_SIZE = 500
// Attempts while others change the same records.
const MAX_TRIES = 5

/** DNS servers through dynamic updates (RFC 2136) and zone transfers (RFC 5936). */
export class Rfc2136Adapter implements DnsAdapter {
  readonly #client: Client
  readonly #zones: ZoneList

  constructor(client: Client, zones: ZoneList) {
    this.#client = client
    this.#zones = zones
  }

  async verify(): Promise<void> {
    const { names, catalog } = this.#zones
    if (catalog !== null) await this.#begin(catalog)
    const [name] = names
    if (name !== undefined) {
      await this.#begin(name)
      await this.#client.update(name, NOTHING)
    } else if (catalog === null) {
      throw new ProviderError(
        'rejected',
        'Enter at least one zone or a catalog zone; the connection is tested with it',
      )
    }
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { names, catalog } = this.#zones
    const all = new Set([...names, ...(catalog === null ? [] : await this.#members(catalog))])
    for (let rest = [...all]; rest.length > 0; rest = rest.slice(PAGE_SIZE)) {
      yield await this.#served(rest.slice(0, PAGE_SIZE))
    }
  }

  /** Returns the names that are zones of the server. */
  async #served(names: string[]): Promise<Zone[]> {
    const questions = names.map((name) => ({ name, type: TYPE.SOA, class: CLASS.IN }))
    const answers = await this.#client.query(questions)
    const zones: Zone[] = []
    for (const [index, name] of names.entries()) {
      const { rcode, answers: found = [] } = answers[index] ?? {}
      const isThere = found.some((record) => record.type === TYPE.SOA && record.name === name)
      // Only a transfer tells a missing zone from one that the key may not read.
      if (rcode === RCODE.REFUSED) zones.push(...(await this.findZones(name)))
      else if (isThere) zones.push({ id: name, name })
    }
    return zones
  }

  /** RFC 9432 section 4.1. */
  #members(catalog: string): Promise<string[]> {
    return this.#client.transfer(catalog, async (chunks) => {
      const members: string[] = []
      for await (const records of chunks) {
        for (const { name, type, data } of records) {
          const isMember = type === typeCode('PTR') && relativeName(name, `zones.${catalog}`) !== null
          const member = isMember ? typeOf('PTR').fromWire(data) : null
          if (member !== null) members.push(member)
        }
      }
      return members
    })
  }

  async findZones(name: string): Promise<Zone[]> {
    try {
      await this.#begin(name)
      return [{ id: name, name }]
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'not_found') return []
      throw error
    }
  }

  /** Begins a transfer, to check that the zone exists and the key may transfer it. */
  #begin(zone: string): Promise<void> {
    return this.#client.transfer(zone, async (chunks) => {
      for await (const _ of chunks) return
    })
  }

  async createZone(): Promise<Zone> {
    throw new ProviderError('rejected', 'Create zones in the configuration of the server')
  }

  async deleteZone(): Promise<void> {
    throw new ProviderError('rejected', 'Delete zones in the configuration of the server')
  }

  async readSoa(zone: Zone): Promise<Soa> {
    const { ttl, data } = await this.#soa(zone)
    const soa = readWireSoa(data)
    if (soa === null) throw malformed()
    return { ...soa, ttl }
  }

  async #soa({ name }: Zone): Promise<ResourceRecord> {
    const [answer] = await this.#client.query([{ name, type: TYPE.SOA, class: CLASS.IN }])
    const record = answer?.answers.find((each) => each.type === TYPE.SOA && each.name === name)
    if (record !== undefined) return record
    throw new ProviderError('not_found', 'The server does not have this zone')
  }

  async writeSoa(zone: Zone, soa: Soa): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const before = await this.#soa(zone)
      // Servers ignore an update whose serial is not higher than the current one.
      const serial = ((readWireSoa(before.data)?.serial ?? soa.serial) + 1) % 2 ** 32
      const after = { ...before, ttl: soa.ttl, data: writeWireSoa({ ...soa, serial }) }
      const prerequisites = [{ ...before, ttl: 0 }]
      if (await this.#client.update(zone.name, { prerequisites, updates: [after] })) return
      await this.#client.pause(tries)
    }
    throw overtaken()
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    const held = await readZone(this.#client, zone)
    const rrsets = [...held.values()]
    const slice = takeSlices()
    for (let start = 0; start < rrsets.length; start += PAGE_SIZE) {
      yield toPage(rrsets.slice(start, start + PAGE_SIZE))
      await slice()
    }
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    const key = { name, type }
    const asked = await askRRsets(this.#client, zone, [key])
    // Prerequisites don't match wildcards, so they tell whether the RRset really exists.
    for (const held of asked === null ? [] : asked.size > 0 ? [asked, NONE] : [NONE]) {
      const rrset = heldOf(held, key)
      const prerequisites = asHeld(zone, rrset)
      if (await this.#client.update(zone.name, { prerequisites, updates: [] })) return toRRset(rrset)
    }
    return toRRset(heldOf(await readZone(this.#client, zone), key))
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    if (edits.length > 0) await this.#apply(zone, edits)
    const swaps = edits.filter((edit) => edit.type === 'CNAME' && edits.some(isBeside(edit)))
    if (swaps.length > 0) await this.#again(zone, swaps)
    return edits.map((edit) => edit.changes.map(() => ({ ok: true, providerId: null })))
  }

  /**
   * Knot silently drops a new CNAME if the signatures of the records it replaces still exist, which is until
   * the update ends. On other servers the second update has nothing to do.
   */
  async #again(zone: Zone, swaps: RRsetEdit[]): Promise<void> {
    try {
      await this.#apply(zone, swaps)
    } catch (error) {
      throw halfDone(error)
    }
  }

  async #apply(zone: Zone, edits: RRsetEdit[]): Promise<void> {
    const asked = await askRRsets(this.#client, zone, keysFor(edits))
    if (asked !== null && (await this.#tryAsked(zone, edits, asked))) return
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const update = planUpdate(zone, edits, await readZone(this.#client, zone))
      if (update.updates.length === 0 || (await this.#write(zone, update))) return
      await this.#client.pause(tries)
    }
    throw overtaken()
  }

  /**
   * Returns whether the edits were applied based on the answers to queries. Wildcards may have produced
   * these, so a conflict proves nothing.
   */
  async #tryAsked(zone: Zone, edits: RRsetEdit[], asked: Held): Promise<boolean> {
    try {
      return await this.#write(zone, planUpdate(zone, edits, asked))
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'conflict') return false
      throw error
    }
  }

  async #write(zone: Zone, update: Update): Promise<boolean> {
    try {
      return await this.#client.update(zone.name, update)
    } catch (error) {
      const isRefused = error instanceof ProviderError && error.kind === 'forbidden'
      if (!isRefused || update.updates.length === 0) throw error
      // If an empty update is allowed, the server refuses this change and not the key.
      await this.#client.update(zone.name, NOTHING)
      throw new ProviderError(
        'rejected',
        'The server refuses this change (REFUSED); check its rules, such as update-policy or check-names',
      )
    }
  }
}

const isBeside = (edit: RRsetEdit) => (other: RRsetEdit) =>
  other.name === edit.name && other.type !== edit.type

const NOTHING: Update = { prerequisites: [], updates: [] }
const NONE: Held = new Map()

const overtaken = () =>
  new ProviderError('locked', 'Others kept changing the same records, so nothing was written; try again')

/** Opens the adapter of a provider connection. */
export function open(
  { server, port, keyName, algorithm, secret, zones = '', catalog = '' }: Credentials,
  context: AdapterContext,
): DnsAdapter {
  const key = {
    name: readName(keyName) ?? keyName,
    algorithm: algorithm as TsigAlgorithm,
    secret: Buffer.from(secret, 'base64'),
  }
  const names = zones.split(/[\s,;]+/).flatMap((name) => readName(name) ?? [])
  const list = { names: [...new Set(names)], catalog: readName(catalog.trim()) }
  return new Rfc2136Adapter(new Client({ host: server, port: Number(port), key }, context), list)
}
