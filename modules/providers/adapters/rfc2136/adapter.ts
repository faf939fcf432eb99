import { CLASS, RCODE, TYPE, type ResourceRecord } from '../../../../dns/wire/message.ts'
import { relativeName } from '../../../../dns/names/names.ts'
import type { RRsetKey } from '../../../../dns/names/rrset.ts'
import { readWireSoa, writeWireSoa } from '../../../../dns/zone-file/soa.ts'
import { writeGeneric } from '../../../../dns/types/words.ts'
import { typeCode } from '../../../../dns/wire/type-codes.ts'
import type { TsigAlgorithm } from '../../../../dns/wire/tsig.ts'
import { typeOf } from '../../../../dns/types/index.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import { takeSlices } from '../../../../plugins/http/event-loop.ts'
import { afterOther, ProviderError, unlessMissing, type RRsetEdit, type Zone } from '../../contract.ts'
import { byRRset } from '../../shared/rrsets/by-rrset.ts'
import type { Account } from '../../shared/define-provider.ts'
import { allDone } from '../../shared/rrsets/edited-set.ts'
import { raised } from '../../shared/zone-data.ts'
import { Client, type Update } from './client.ts'
import { keysFor } from './coexistence.ts'
import { malformed } from './failures.ts'
import type { Credentials } from './index.ts'
import { askRRsets, heldOf, readZone, spell, toSet, type Held, type HeldRRset } from './zone-content.ts'
import { asHeld, planUpdate } from './zone-update.ts'

const PAGE_SIZE = 500
// Attempts while others change the same records.
const MAX_TRIES = 5

interface Server {
  client: Client
  context: Client['context']
  /** The zones to choose from, because the server can't list them. */
  names: readonly string[]
  /** A catalog zone (RFC 9432), whose members are added. */
  catalog: string | null
}

/** DNS servers through dynamic updates (RFC 2136) and zone transfers (RFC 5936). */
export const open = byRRset({
  api({ credentials, context }: Account<Credentials>): Server {
    const { server: host, port, keyName, algorithm, secret, zones = '', catalog = '' } = credentials
    const key = {
      name: readName(keyName) ?? keyName,
      algorithm: algorithm as TsigAlgorithm,
      secret: Buffer.from(secret, 'base64'),
    }
    const client = new Client({ host, port: Number(port), key }, context)
    const names = zones.split(/[\s,;]+/).flatMap((name) => readName(name) ?? [])
    return { client, context, names: [...new Set(names)], catalog: readName(catalog.trim()) }
  },

  async verify({ client, names: [name], catalog }) {
    if (name === undefined && catalog === null)
      throw new ProviderError(
        'rejected',
        'Enter at least one zone or a catalog zone; the connection is tested with it',
      )
    if (catalog !== null) await begin(client, catalog)
    if (name === undefined) return
    await begin(client, name)
    await client.update(name, NOTHING)
  },

  async *listZones({ client, names, catalog }) {
    const members = catalog === null ? [] : await membersOf(client, catalog)
    const all = [...new Set([...names, ...members])]
    for (let start = 0; start < all.length; start += PAGE_SIZE)
      yield await served(client, all.slice(start, start + PAGE_SIZE))
  },

  findZones: async ({ client }, name) => [await findZone(client, name)],

  async *listSets({ client }, zone) {
    const all = [...(await readZone(client, zone)).values()]
    const slice = takeSlices()
    for (let start = 0; start < all.length; start += PAGE_SIZE) {
      yield all.slice(start, start + PAGE_SIZE)
      await slice()
    }
  },

  readSet: ({ client }, zone, key) => readSet(client, zone, key),
  toSet,
  spell: () => spell,
  show: writeGeneric,

  async apply({ client }, zone, edits) {
    if (edits.length > 0) await apply(client, zone, edits)
    // Knot silently drops a new CNAME if the signatures of the records it replaces still exist, which is until
    // the update ends. On other servers the second update has nothing to do.
    const swaps = edits.filter((edit) => edit.type === 'CNAME' && edits.some(isBeside(edit)))
    if (swaps.length > 0) await afterOther(apply(client, zone, swaps))
    return allDone(edits)
  },

  others: ({ client }) => ({
    async readSoa(zone) {
      const { ttl, data } = await readApexSoa(client, zone)
      const soa = readWireSoa(data)
      if (soa === null) throw malformed()
      return { ...soa, ttl }
    },

    async writeSoa(zone, soa) {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const before = await readApexSoa(client, zone)
        // Servers ignore an update whose serial is not higher than the current one.
        const { serial } = raised(readWireSoa(before.data) ?? soa)
        const after = { ...before, ttl: soa.ttl, data: writeWireSoa({ ...soa, serial }) }
        const prerequisites = [{ ...before, ttl: 0 }]
        if (await client.update(zone.name, { prerequisites, updates: [after] })) return
        await client.pause(tries)
      }
      throw overtaken()
    },
  }),
})

/** Begins a transfer, to check that the zone exists and the key may transfer it. */
const begin = (client: Client, zone: string): Promise<void> =>
  client.transfer(zone, async (chunks) => {
    for await (const _ of chunks) return
  })

async function findZone(client: Client, name: string): Promise<Zone> {
  await begin(client, name)
  return { id: name, name }
}

/** The names that are zones of the server. */
async function served(client: Client, names: string[]): Promise<Zone[]> {
  const questions = names.map((name) => ({ name, type: TYPE.SOA, class: CLASS.IN }))
  const answers = await client.query(questions)
  const zones: Zone[] = []
  for (const [index, name] of names.entries()) {
    const { rcode, answers: found = [] } = answers[index] ?? {}
    const isThere = found.some((record) => record.type === TYPE.SOA && record.name === name)
    // Only a transfer tells a missing zone from one that the key may not read.
    const zone = rcode === RCODE.REFUSED ? await unlessMissing(findZone(client, name)) : null
    if (zone !== null || isThere) zones.push({ id: name, name })
  }
  return zones
}

/** RFC 9432 section 4.1. */
const membersOf = (client: Client, catalog: string): Promise<string[]> =>
  client.transfer(catalog, async (chunks) => {
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

async function readApexSoa(client: Client, { name }: Zone): Promise<ResourceRecord> {
  const [answer] = await client.query([{ name, type: TYPE.SOA, class: CLASS.IN }])
  const record = answer?.answers.find((each) => each.type === TYPE.SOA && each.name === name)
  if (record !== undefined) return record
  throw new ProviderError('not_found', 'The server does not have this zone')
}

async function readSet(client: Client, zone: Zone, { name, type }: RRsetKey): Promise<HeldRRset> {
  const key = { name, type }
  const asked = await askRRsets(client, zone, [key])
  // Prerequisites don't match wildcards, so they tell whether the RRset really exists.
  for (const held of asked === null ? [] : asked.size > 0 ? [asked, NONE] : [NONE]) {
    const rrset = heldOf(held, key)
    const prerequisites = asHeld(zone, rrset)
    if (await client.update(zone.name, { prerequisites, updates: [] })) return rrset
  }
  return heldOf(await readZone(client, zone), key)
}

async function apply(client: Client, zone: Zone, edits: RRsetEdit[]): Promise<void> {
  const asked = await askRRsets(client, zone, keysFor(edits))
  if (asked !== null && (await tryAsked(client, zone, edits, asked))) return
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const update = planUpdate(zone, edits, await readZone(client, zone))
    if (update.updates.length === 0 || (await write(client, zone, update))) return
    await client.pause(tries)
  }
  throw overtaken()
}

/**
 * Returns whether the edits were applied based on the answers to queries. Wildcards may have produced
 * these, so a conflict proves nothing.
 */
async function tryAsked(client: Client, zone: Zone, edits: RRsetEdit[], asked: Held): Promise<boolean> {
  try {
    return await write(client, zone, planUpdate(zone, edits, asked))
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'conflict') return false
    throw error
  }
}

async function write(client: Client, zone: Zone, update: Update): Promise<boolean> {
  try {
    return await client.update(zone.name, update)
  } catch (error) {
    const isRefused = error instanceof ProviderError && error.kind === 'forbidden'
    if (!isRefused || update.updates.length === 0) throw error
    // If an empty update is allowed, the server refuses this change and not the key.
    await client.update(zone.name, NOTHING)
    throw new ProviderError(
      'rejected',
      'The server refuses this change (REFUSED); check its rules, such as update-policy or check-names',
    )
  }
}

const isBeside = (edit: RRsetEdit) => (other: RRsetEdit) =>
  other.name === edit.name && other.type !== edit.type

const NOTHING: Update = { prerequisites: [], updates: [] }
const NONE: Held = new Map()

const overtaken = () =>
  new ProviderError('locked', 'Others kept changing the same records, so nothing was written; try again')
