import { Type } from '@sinclair/typebox'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import { isCode } from '../../client/client.ts'
import type { CommandApi } from '../../client/commands.ts'
import { isObject } from '../../client/json.ts'
import { byNumber } from '../../client/paging.ts'
import { afterOther, type Zone } from '../../contract.ts'
import { byId, type RecordWrite } from '../../shared/records/by-id.ts'
import { joinData, splitData } from '../../shared/spelling/split-data.ts'
import { nameServersOf } from '../../shared/zone-data.ts'
import { Done, EXISTS, openApi, RawRecord, RawZone, ResultOf } from './client.ts'

const PAGE_SIZE = 500

/** By default lists also have items that contain the filter. */
const EXACT = { SearchMode: 'exact' }

const DEFAULT_LINE = 'default'
/** Effective only if weights are turned on for the set. */
const DEFAULT_WEIGHT = 1

/** All data is in one field. */
const NOT_SPLIT = {}

const Zones = ResultOf({ Zones: Type.Array(RawZone), Total: Type.Integer() })
const ZoneDetails = ResultOf({ AllocateDNSServerList: Type.Optional(Type.Array(Type.String())) })
const NewZone = ResultOf({ ZID: Type.Integer() })
const Records = ResultOf({ Records: Type.Array(RawRecord), TotalCount: Type.Integer() })
const NewRecord = ResultOf({ RecordID: Type.String() })

/** Volcengine's TrafficRoute DNS (https://www.volcengine.com/docs/6758/155088). */
export const open = byId({
  api: openApi,

  verify: (api) => api.read('ListZones', Zones, { PageNumber: 1, PageSize: 1 }),

  listZones: (api) =>
    byNumber(
      async (page) => {
        const { Result } = await api.read('ListZones', Zones, { PageNumber: page, PageSize: PAGE_SIZE })
        return { items: Result.Zones.map(toZone), total: Result.Total }
      },
      { size: PAGE_SIZE },
    ),

  async findZones(api, name) {
    const { Result } = await api.read('ListZones', Zones, { Key: name, ...EXACT, PageSize: PAGE_SIZE })
    const zones = Result.Zones.map(toZone).filter((zone) => zone.name === name)
    return await Promise.all(zones.map((zone) => withNameServers(api, zone)))
  },

  async createZone(api, { name }) {
    const { Result } = await api.write('CreateZone', NewZone, { ZoneName: name })
    return toZone({ ...Result, ZoneName: name })
  },

  deleteZone: (api, zone) => api.write('DeleteZone', Done, idOf(zone)),

  listRecords: (api, zone, only) =>
    byNumber(
      async (page) => {
        const filter = only && { Host: only.name, Type: only.type, ...EXACT }
        const parameters = { ...idOf(zone), ...filter, PageNumber: page, PageSize: PAGE_SIZE }
        const { Result } = await api.read('ListRecords', Records, parameters)
        return { items: Result.Records, total: Result.TotalCount }
      },
      { size: PAGE_SIZE },
    ),

  toRecord(raw, zone) {
    const weight = raw.Weight ?? DEFAULT_WEIGHT
    return {
      id: raw.RecordID,
      name: readOwner(raw.Host, zone.name),
      type: raw.Type,
      routing: raw.Line === DEFAULT_LINE ? null : { key: raw.Line, line: raw.Line },
      ttl: raw.TTL,
      data: raw.Value,
      member: {
        ...(raw.Enable === false && { disabled: true }),
        comment: raw.Remark ?? '',
        ...(weight !== DEFAULT_WEIGHT && { extra: { Weight: weight } }),
      },
    }
  },

  readValue: (type, { Value: data }, zone) => joinData(type, { data }, NOT_SPLIT, zone.name),

  async createRecord(api, zone, write) {
    const { Result } = await api.write('CreateRecord', NewRecord, { ...idOf(zone), ...writeRecord(write) })
    if (write.member.disabled === true) await setServed(api, Result.RecordID, false)
    return Result.RecordID
  },

  async updateRecord(api, _, write) {
    const { id, held, member } = write
    await api.write('UpdateRecord', Done, { RecordID: id, ...writeRecord(write) })
    const isServed = member.disabled !== true
    if (isServed !== (held.member.disabled !== true)) await setServed(api, id, isServed)
  },

  deleteRecord: (api, _, { id }) => api.write('DeleteRecord', Done, { RecordID: id }),

  isThere: (error) => isCode(error, EXISTS),
})

/** The status needs a call of its own, after the record was written. */
async function setServed(api: CommandApi, id: string, isServed: boolean): Promise<void> {
  await afterOther(api.write('UpdateRecordStatus', Done, { RecordID: id, Enable: isServed }))
}

async function withNameServers(api: CommandApi, zone: Zone): Promise<Zone> {
  const { Result } = await api.read('QueryZone', ZoneDetails, idOf(zone))
  return { ...zone, ...nameServersOf(Result.AllocateDNSServerList) }
}

const idOf = ({ id }: Zone) => ({ ZID: Number(id) })

const toZone = ({ ZID, ZoneName, IsNSCorrect: isDelegated }: RawZone): Zone => ({
  id: String(ZID),
  name: ZoneName.toLowerCase(),
  ...(isDelegated !== undefined && { status: isDelegated ? 'active' : 'pending' }),
})

/** A value that does not change keeps its spelling. */
function writeRecord({ name, type, routing, ttl, value, member, raw, keepsValue }: RecordWrite<RawRecord>) {
  const { comment = '', extra } = member
  const weight = isObject(extra) ? extra['Weight'] : DEFAULT_WEIGHT
  return {
    Host: name,
    Type: type,
    Line: routing?.key ?? DEFAULT_LINE,
    Value: raw && keepsValue ? raw.Value : splitData(type, value, NOT_SPLIT).data,
    TTL: ttl,
    Weight: weight,
    Remark: comment,
  }
}
