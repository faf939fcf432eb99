import { Type, type Static } from '@sinclair/typebox'
import { absoluteName } from '../../../../dns/names/names.ts'
import { isCode, type Call } from '../../client/client.ts'
import { halfDone, type Zone } from '../../contract.ts'
import { byId, type RecordWrite } from '../../shared/by-id.ts'
import type { Account } from '../../shared/define-provider.ts'
import { ownerOf } from '../../shared/owner-names.ts'
import { Done, OUTDATED, TechnitiumApi, RawZone, type RawRecord } from './client.ts'
import type { Credentials } from './index.ts'
import { extraOf, identify, readData, renew, writeData, writeRest } from './record-data.ts'
import { readDnssec, readSoa, writeDnssec, writeSoa } from './zone-settings.ts'

type Form = NonNullable<Call['form']>

const Zones = Done(Type.Object({ zones: Type.Array(RawZone) }))

/** Records that the server makes itself, and the SOA. */
const OWN = new Set(['SOA', 'RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'DNSKEY'])

/**
 * The HTTP API of Technitium DNS Server (https://github.com/TechnitiumSoftware/DnsServer/blob/master/APIDOCS.md). Records have
 * no ids: writes name them by their data.
 */
export const open = byId({
  api: (account: Account<Credentials>) => new TechnitiumApi(account),

  verify: (api) => readZones(api, { pageNumber: 1, zonesPerPage: 1 }),

  // Older servers don't know the filter, and list all zones.
  listZones: (api, name) => readZones(api, name === undefined ? {} : { filterName: name }),

  async createZone(api, { name }) {
    await api.write('/zones/create', { zone: name, type: 'Primary' })
    return { id: name, name, kind: 'primary' }
  },

  deleteZone: (api, zone) => api.write('/zones/delete', { zone: zone.id }),

  async listRecords(api, zone, only) {
    const { records } = await api.readRecords(zone, only && absoluteName(only.name, zone.name))
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
      await api.write('/zones/records/update', {
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
    api.write('/zones/records/delete', { ...ownerIn(zone, write), ...identify(write.raw) }),

  others: (api) => ({
    readSoa: (zone) => readSoa(api, zone),
    writeSoa: (zone, soa) => writeSoa(api, zone, soa),
    readDnssec: (zone) => readDnssec(api, zone),
    writeDnssec: (zone, signed) => writeDnssec(api, zone, signed),
  }),
})

async function readZones(api: TechnitiumApi, parameters: Form): Promise<Zone[]> {
  const { response } = await api.read('/zones/list', Zones, parameters)
  return response.zones.flatMap(toZones)
}

/** Adds a record, which has no id. A second call disables it where wanted. */
async function add(api: TechnitiumApi, zone: Zone, write: RecordWrite<RawRecord>): Promise<string> {
  const { type, value, ttl, member } = write
  const { disable, ...rest } = writeRest(ttl, member)
  const record = { ...ownerIn(zone, write), ...writeData(type, value), ...rest }
  await api.write('/zones/records/add', record)
  if (disable === true)
    await api.write('/zones/records/update', { ...record, disable }).catch((error: unknown) => {
      throw halfDone(error)
    })
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
