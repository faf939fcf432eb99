import { isDeepStrictEqual } from 'node:util'
import { Type } from '@sinclair/typebox'
import { readType, typeOf } from '../../../../dns/types/index.ts'
import { readSoa, writeSoa } from '../../../../dns/zone-file/soa.ts'
import { writeName } from '../../../../dns/wire/wire-name.ts'
import { takeSlices } from '../../../../plugins/http/event-loop.ts'
import { ProviderError, type Dnssec, type Soa, type Zone } from '../../contract.ts'
import type { Answer, ApiClient } from '../../client/client.ts'
import { byRRset, type SetWrite } from '../../shared/rrsets/by-rrset.ts'
import { absolute } from '../../shared/rrsets/edited-set.ts'
import { dsOf, raised } from '../../shared/zone-data.ts'
import { isServerFailure, openApi } from './client.ts'
import { forgetDisabled, noteWrite } from './disabled-records.ts'
import { rawName, RawServer, RawZone, toSet, toZone, type RawRRset } from './raw-data.ts'
import { readApexSoa, readRRsets, readZone, zonePath } from './reader.ts'

// A few milliseconds of work.
const PAGE_SIZE = 500
// Each costs a call.
const MAX_SPELLED = 20

const Zones = Type.Array(RawZone)
const Keys = Type.Array(Type.Object({ active: Type.Boolean(), ds: Type.Optional(Type.Array(Type.String())) }))

/** An entry of a PATCH of a zone. Comments are not sent, so they stay. */
type Patch = Pick<RawRRset, 'name' | 'type'> & Partial<RawRRset> & { changetype: 'REPLACE' | 'DELETE' }

/** PowerDNS through its HTTP API. RRsets are replaced as a whole; one PATCH is one transaction. */
export const open = byRRset({
  api: openApi,

  async verify(api) {
    const { body: server } = await api.read('', { schema: RawServer })
    // A recursor has the same API, but only forwarded zones.
    if (server.daemon_type !== 'authoritative')
      throw new ProviderError('rejected', 'This is a PowerDNS recursor, not an authoritative server')
  },

  // The whole list is one response. Servers before 4.1 don't know the filter and return all zones.
  async listZones(api, name) {
    const query = { zone: name && `${name}.`, dnssec: false }
    const { body } = await api.read('/zones', { query, large: true, schema: Zones })
    return body.map(toZone)
  },

  async createZone(api, { name, nameServers, soa }) {
    const apex = writeName(name)
    const set = (type: string, contents: string[]) => ({
      name: apex,
      type,
      ttl: soa.ttl,
      records: contents.map((content) => ({ content, disabled: false })),
    })
    const rrsets = [set('SOA', [writeSoa(soa)]), set('NS', nameServers.map(writeName))]
    const json = { name: apex, kind: 'Native', nameservers: [], soa_edit_api: 'DEFAULT', rrsets }
    const { body } = await orLocked(
      () => api.write('/zones', { json, status: 201, schema: RawZone }),
      async () => !(await isThere(api, name)),
    )
    return toZone(body)
  },

  deleteZone: (api, zone) =>
    orLocked(
      () => api.write(zonePath(zone), { method: 'DELETE', as: 'none', status: 204 }),
      () => isThere(api, zone.name),
    ),

  async *listSets(api, zone) {
    const raw = await readZone(api, zone)
    const slice = takeSlices()
    for (let start = 0; start < raw.length; start += PAGE_SIZE) {
      yield raw.slice(start, start + PAGE_SIZE)
      await slice()
    }
  },

  readSet: async (api, zone, key) => (await readRRsets(api, zone, [key]))[0] ?? null,
  readSets: readRRsets,
  toSet,
  soaOf,
  spell: () => absolute,

  async writeSets(api, zone, writes) {
    const isUntouched = async () => {
      const now = await readRRsets(api, zone, writes)
      return writes.every(({ raw }, at) => isDeepStrictEqual(inOrder(raw), inOrder(now[at] ?? null)))
    }
    // PowerDNS checks in order, so deletions that make room for a CNAME go first.
    const patches = writes
      .map((write) => toPatch(write, zone))
      .sort((a, b) => Number(isServed(a)) - Number(isServed(b)))
    try {
      const { headers } = await orLocked(() => patchSpelled(api, zone, patches), isUntouched)
      noteWrite(api, zone, Number(headers['x-pdns-new-serial']), patches)
    } catch (error) {
      forgetDisabled(api, zone)
      throw error
    }
  },

  others: (api) => ({
    readDnssec: (zone) => readDnssec(api, zone),

    async writeDnssec(zone, signed) {
      // A repeated request would create more keys.
      if ((await readDnssec(api, zone)).signed === signed) return
      const json = { dnssec: signed, api_rectify: true }
      await orLocked(
        () => api.write(zonePath(zone), { method: 'PUT', json, status: 204 }),
        async () => (await readDnssec(api, zone)).signed !== signed,
      )
    },

    readSoa: (zone) => readZoneSoa(api, zone),

    async writeSoa(zone, { ttl, ...soa }) {
      // If the zone has soa_edit_api, PowerDNS raises the serial itself.
      const records = [{ content: writeSoa(raised(soa)), disabled: false }]
      const change: Patch = { name: writeName(zone.name), type: 'SOA', changetype: 'REPLACE', ttl, records }
      await orLocked(
        () => patch(api, zone, [change]),
        async () => (await readZoneSoa(api, zone)).serial === soa.serial,
      )
    },
  }),
})

async function isThere(api: ApiClient, name: string): Promise<boolean> {
  const query = { zone: `${name}.`, dnssec: false }
  const { body } = await api.read('/zones', { query, large: true, schema: Zones })
  return body.some((raw) => toZone(raw).name === name)
}

async function readZoneSoa(api: ApiClient, zone: Zone) {
  const soa = soaOf(await readApexSoa(api, zone))
  if (soa === null) throw api.malformed()
  return soa
}

function soaOf({ type, ttl, records }: RawRRset): Soa | null {
  const soa = type === 'SOA' ? readSoa(records[0]?.content ?? '') : null
  return soa && { ...soa, ttl }
}

async function readDnssec(api: ApiClient, zone: Zone): Promise<Dnssec> {
  const { body } = await api.read(`${zonePath(zone)}/cryptokeys`, { schema: Keys })
  const active = body.filter((key) => key.active)
  return { signed: active.length > 0, ds: dsOf(active.flatMap(({ ds = [] }) => ds)) }
}

const patch = (api: ApiClient, zone: Zone, rrsets: Patch[]) =>
  api.write(zonePath(zone), { method: 'PATCH', json: { rrsets }, as: 'none', status: 204 })

/**
 * PowerDNS accepts data only in its own spelling, such as `1 60.000` for `2 0.000` in a LOC, and otherwise
 * reports that spelling. If it means the same, it is sent instead.
 */
async function patchSpelled(
  api: ApiClient,
  zone: Zone,
  patches: Patch[],
  tries = MAX_SPELLED,
): Promise<Answer> {
  try {
    return await patch(api, zone, patches)
  } catch (error) {
    const spelled = tries > 0 && error instanceof ProviderError ? respelled(patches, error.message) : null
    if (spelled === null) throw error
    return await patchSpelled(api, zone, spelled, tries - 1)
  }
}

/** The patches in the spelling that the refusal reports; null if it reports none. */
function respelled(patches: Patch[], refusal: string): Patch[] | null {
  const [, type = '', ours, theirs] =
    /Record \S+\/(\S+) '(.*)': Not in expected format \(parsed as '(.*)'\)$/.exec(refusal) ?? []
  const known = readType(type)
  if (known === null || ours === undefined || theirs === undefined) return null
  const value = typeOf(known).read(theirs)
  if (value === null || value !== typeOf(known).read(ours)) return null
  return patches.map(({ records, ...rest }) => ({
    ...rest,
    ...(records && {
      records: records.map((record) =>
        rest.type === type && record.content === ours ? { ...record, content: theirs } : record,
      ),
    }),
  }))
}

/**
 * When PowerDNS itself fails, usually another write to its database was running (as on SQLite), and this one
 * was rolled back: then the error is `locked`. `isUntouched`: whether nothing has changed.
 */
async function orLocked<T>(write: () => Promise<T>, isUntouched: () => Promise<boolean>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isServerFailure(error)) throw error
    // If reading fails, the outcome stays unknown.
    if (!(await isUntouched().catch(() => false))) throw error
    throw new ProviderError('locked', `${error.message}; nothing was written`)
  }
}

/** The order of records means nothing. */
const inOrder = (raw: RawRRset | null) =>
  raw && { ...raw, records: raw.records.toSorted((a, b) => (a.content < b.content ? -1 : 1)) }

const isServed = ({ records = [] }: Patch): boolean => records.some(({ disabled }) => !disabled)

function toPatch({ type, ttl, values, raw, ...write }: SetWrite<string, RawRRset>, zone: Zone): Patch {
  const name = raw?.name ?? rawName(write.name, zone)
  if (values.length === 0) return { name, type, changetype: 'DELETE' }
  const records = values.map(({ rdata, disabled = false }) => {
    // PowerDNS 4.7 shows IPv4-mapped addresses as `::ffff:192.0.2.1`, but accepts only `::ffff:c000:201`.
    const dotted = type === 'AAAA' && rdata.includes('.') ? typeOf(type).read(rdata) : null
    return { content: dotted === null ? rdata : typeOf(type).write(dotted), disabled }
  })
  return { name, type, changetype: 'REPLACE', ttl: ttl ?? raw?.ttl ?? 0, records }
}
