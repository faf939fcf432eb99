import { Type } from '@sinclair/typebox'
import { absoluteName } from '../../../../dns/names/names.ts'
import { typeOf } from '../../../../dns/types/index.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import { isCode } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import type { Zone } from '../../contract.ts'
import { byId, type RecordWrite } from '../../shared/records/by-id.ts'
import { ownerOf } from '../../shared/spelling/owner-names.ts'
import { joinData, PRIORITY, splitData } from '../../shared/spelling/split-data.ts'
import { Answered, Changed, EXISTS, openApi, RawDomain, RawRecord } from './client.ts'

const ZONES_A_PAGE = 1000

/** Name servers of new zones. */
const NAME_SERVERS = ['ns.inwx.de', 'ns2.inwx.de', 'ns3.inwx.eu']

// INWX leaves out empty lists.
const Domains = Answered({ count: Type.Integer(), domains: Type.Optional(Type.Array(RawDomain)) })
const Records = Answered({ record: Type.Optional(Type.Array(RawRecord)) })
const NewDomain = Answered({ roId: RawDomain.properties.roId })
const NewRecord = Answered({ id: RawRecord.properties.id })

/** INWX (https://www.inwx.com/en/help/apidoc). */
export const open = byId({
  api: openApi,

  verify: (api) => api.read('nameserver.list', Domains, { page: 1, pagelimit: 1 }),

  listZones: (api, name) =>
    byNumber(
      async (page) => {
        const filter = name === undefined ? {} : { domain: name }
        const params = { page, pagelimit: ZONES_A_PAGE, ...filter }
        const { resData } = await api.read('nameserver.list', Domains, params)
        return { items: (resData.domains ?? []).map(toZone), total: resData.count }
      },
      { size: ZONES_A_PAGE },
    ),

  async createZone(api, { name, nameServers }) {
    const ns = nameServers.length > 0 ? nameServers : NAME_SERVERS
    const params = { domain: name, type: 'MASTER', ns }
    const { resData } = await api.write('nameserver.create', NewDomain, params)
    return toZone({ ...resData, domain: name, type: 'MASTER' })
  },

  deleteZone: (api, zone) => api.write('nameserver.delete', Changed, idOf(zone)),

  async listRecords(api, zone, only) {
    const filter = only && { name: absoluteName(only.name, zone.name), type: only.type }
    const { resData } = await api.read('nameserver.info', Records, { ...idOf(zone), ...filter })
    return resData.record ?? []
  },

  toRecord: (raw, zone) => ({
    id: raw.id,
    name: ownerOf(raw.name, zone),
    type: raw.type,
    ttl: Number(raw.ttl),
    data: raw.content,
  }),

  readValue: (type, { content, prio }, zone) =>
    joinData(type, { data: content, priority: Number(prio ?? 0) }, PRIORITY, zone.name),

  async createRecord(api, zone, write) {
    const params = { ...idOf(zone), ...paramsOf(write, zone) }
    return (await api.write('nameserver.createRecord', NewRecord, params)).resData.id
  },

  async updateRecord(api, zone, write) {
    const params = { id: Number(write.id), ...paramsOf(write, zone) }
    await api.write('nameserver.updateRecord', Changed, params)
  },

  deleteRecord: (api, _, { id }) => api.write('nameserver.deleteRecord', Changed, { id: Number(id) }),

  isThere: (error) => isCode(error, EXISTS),
})

const idOf = ({ id }: Zone) => ({ roId: Number(id) })

const toZone = ({ roId, domain, type }: RawDomain): Zone => ({
  id: String(roId),
  name: readName(domain) ?? domain.toLowerCase(),
  ...(type !== undefined && { kind: type === 'SLAVE' ? 'secondary' : 'primary' }),
})

function paramsOf({ name, type, ttl, value }: RecordWrite<RawRecord>, zone: Zone) {
  const { data, priority = 0 } = splitData(type, value, PRIORITY)
  return {
    name: absoluteName(name, zone.name),
    type,
    // Only simple types have their target without the final dot.
    content: type === 'NAPTR' ? typeOf(type).write(value) : data,
    prio: priority,
    ttl,
  }
}
