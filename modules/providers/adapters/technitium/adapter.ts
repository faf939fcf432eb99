import { Type, type Static } from '@sinclair/typebox'
import { absoluteName } from '../../../../dns/names/names.ts'
import { isCode } from '../../client/client.ts'
import type { CommandApi } from '../../client/commands.ts'
import { afterOther, type Zone } from '../../contract.ts'
import { byId, type RecordWrite } from '../../shared/records/by-id.ts'
import { ownerOf } from '../../shared/spelling/owner-names.ts'
import { Changed, Done, openApi, OUTDATED, RawZone, readRecords, type RawRecord } from './client.ts'
import { extraOf, identify, readData, renew, writeData, writeRest } from './record-data.ts'
import { readDnssec, readSoa, writeDnssec, writeSoa } from './zone-settings.ts'

const Zones = Done(Type.Object({ zones: Type.Array(RawZone) }))

/** Records that the server makes itself, and the SOA. */
const OWN = new Set(['SOA', 'RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'DNSKEY'])

/**
 * The HTTP API of Technitium DNS Server (https://github.com/TechnitiumSoftware/DnsServer/blob/master/APIDOCS.md). Records have
 * no ids: writes name them by their data.
 */
export const open = byId({
  api: openApi,

  verify: (api) => readZones(api, { pageNumber: 1, zonesPerPage: 1 }),

  // Older servers don't know the filter, and list all zones.
  listZones: (api, name) => readZones(api, name === undefined ? {} : { filterName: name }),

  async createZone(api, { name }) {
    await api.write('/zones/create', Changed, { zone: name, type: 'Primary' })
    return { id: name, name, kind: 'primary' }
  },

  deleteZone: (api, zone) => api.write('/zones/delete', Changed, { zone: zone.id }),

  async listRecords(api, zone, only) {
    const { records } = await readRecords(api, zone, only && absoluteName(only.name, zone.name))
    return records.filter(({ type }) => !OWN.has(type))
  },

  toRecord: (raw, zone) => ({
    name: ownerOf(raw.name, zone),
    type: raw.type,
    ttl: raw.ttl,
    data: JSON.stringify(raw.rData),
    member: {
      ...(raw.disabled === true && { disabled: true }),
      comment: raw.comments ?? '',
      ...extraOf(raw),
    },
  }),

  readValue: (type, { rData }) => readData(type, rData),

  createRecord: add,

  async updateRecord(api, zone, write) {
    const { raw, type, value, keepsValue, ttl, member, changes } = write
    const data = keepsValue ? identify(raw) : renew(raw, type, value)
    try {
      await api.write('/zones/records/update', Changed, {
        ...ownerIn(zone, write),
        ...data,
        ...writeRest(ttl, member),
      })
    } catch (error) {
      if (!isCode(error, OUTDATED)) throw error
      // Others deleted it in the meantime. If only its TTL was to change, it stays deleted.
      if (changes.length > 0) await add(api, zone, write)
    }
  },

  deleteRecord: (api, zone, write) =>
    api.write('/zones/records/delete', Changed, { ...ownerIn(zone, write), ...identify(write.raw) }),

  others: (api) => ({
    readSoa: (zone) => readSoa(api, zone),
    writeSoa: (zone, soa) => writeSoa(api, zone, soa),
    readDnssec: (zone) => readDnssec(api, zone),
    writeDnssec: (zone, signed) => writeDnssec(api, zone, signed),
  }),
})

async function readZones(api: CommandApi, parameters: object): Promise<Zone[]> {
  const { response } = await api.read('/zones/list', Zones, parameters)
  return response.zones.flatMap(toZones)
}

/** Adds a record, which has no id. A second call disables it where wanted. */
async function add(api: CommandApi, zone: Zone, write: RecordWrite<RawRecord>): Promise<string> {
  const { type, value, ttl, member } = write
  const { disable, ...rest } = writeRest(ttl, member)
  const record = { ...ownerIn(zone, write), ...writeData(type, value), ...rest }
  await api.write('/zones/records/add', Changed, record)
  if (disable === true) await afterOther(api.write('/zones/records/update', Changed, { ...record, disable }))
  return ''
}

const ownerIn = (zone: Zone, { name, type }: RecordWrite<RawRecord>) => ({
  zone: zone.id,
  domain: absoluteName(name, zone.name),
  type,
})

/** None for zones of the server itself, and for those without editable records, such as forwarders. */
function toZones({ name, type, internal, disabled }: Static<typeof RawZone>): Zone[] {
  if (internal === true || name === '' || !['Primary', 'Secondary'].includes(type)) return []
  return [
    {
      id: name,
      name: name.toLowerCase(),
      ...(disabled !== undefined && { status: disabled ? 'paused' : 'active' }),
      kind: type === 'Primary' ? 'primary' : 'secondary',
    },
  ]
}
