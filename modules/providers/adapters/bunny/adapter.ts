import { Type } from '@sinclair/typebox'
import { readType } from '../../../../dns/types/index.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import { isCode } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import type { Zone } from '../../contract.ts'
import { byId } from '../../shared/records/by-id.ts'
import type { Account } from '../../shared/define-provider.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import { nameServersOf } from '../../shared/zone-data.ts'
import { explain, NO_RECORD, RawRecord, RawZone } from './client.ts'
import type { Credentials } from './index.ts'
import { extraOf, readValue, typeNameOf, writeRecord } from './record-data.ts'

/** Each zone comes with all its records. */
const ZONES_A_PAGE = 100
const SMALLEST_PAGE = 5

const Zones = Type.Object({ Items: Type.Array(RawZone), TotalItems: Type.Integer() })
const WholeZone = Type.Object({ Records: Type.Array(RawRecord) })
const NewRecord = Type.Object({ Id: Type.Integer() })

/** bunny.net (https://docs.bunny.net/reference/dnszonepublic_index). */
export const open = byId({
  api: (account: Account<Credentials>) => {
    const { apiKey } = account.credentials
    return clientOf(account, { secrets: [apiKey], authenticate: () => ({ accesskey: apiKey }), explain })
  },

  verify: (api) =>
    api.read('/dnszone', { query: { page: 1, perPage: SMALLEST_PAGE }, schema: Zones, large: true }),

  listZones: (api, name) =>
    byNumber(
      async (page) => {
        // The search also finds names that contain this one.
        const query = { page, perPage: ZONES_A_PAGE, search: name }
        const { body } = await api.read('/dnszone', { query, schema: Zones, large: true })
        return { items: body.Items.map(toZone), total: body.TotalItems }
      },
      { size: ZONES_A_PAGE },
    ),

  async createZone(api, { name }) {
    const { body } = await api.write('/dnszone', { json: { Domain: name }, schema: RawZone })
    return toZone(body)
  },

  deleteZone: (api, zone) => api.write(zonePath(zone), { method: 'DELETE', as: 'empty' }),

  async listRecords(api, zone) {
    const { body } = await api.read(zonePath(zone), { schema: WholeZone, large: true })
    return body.Records
  },

  // Records can't be read without the whole zone.
  singleReads: 1,

  toRecord(raw, zone) {
    const extra = extraOf(raw, readType(typeNameOf(raw)))
    return {
      id: raw.Id,
      name: readOwner(raw.Name ?? '', zone.name),
      type: typeNameOf(raw),
      ttl: raw.Ttl,
      data: raw.Value || (raw.LinkName ?? ''),
      member: {
        ...(raw.Disabled === true && { disabled: true }),
        comment: raw.Comment ?? '',
        ...(extra !== null && { extra }),
      },
    }
  },

  readValue,

  async createRecord(api, zone, write) {
    const call = { method: 'PUT', json: writeRecord(write), schema: NewRecord }
    return (await api.write(`${zonePath(zone)}/records`, call)).body.Id
  },

  async updateRecord(api, zone, write) {
    await api.write(`${zonePath(zone)}/records/${write.id}`, { json: writeRecord(write), as: 'empty' })
  },

  deleteRecord: (api, zone, { id }) =>
    api.write(`${zonePath(zone)}/records/${id}`, { method: 'DELETE', as: 'empty' }),

  isGone: (error) => isCode(error, NO_RECORD),
})

const zonePath = ({ id }: Zone): string => `/dnszone/${encodeURIComponent(id)}`

const toZone = ({ Id: id, Domain: name, NameserversDetected: isDelegated, ...raw }: RawZone): Zone => ({
  id: String(id),
  name: name.toLowerCase(),
  ...nameServersOf([raw.Nameserver1, raw.Nameserver2]),
  ...(isDelegated !== undefined && { status: isDelegated ? 'active' : 'pending' }),
})
