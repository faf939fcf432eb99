import { Type } from '@sinclair/typebox'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import { isCode } from '../../client/client.ts'
import type { CommandApi } from '../../client/commands.ts'
import { unlessCode } from '../../client/expected.ts'
import { byOffset } from '../../client/paging.ts'
import type { Zone } from '../../contract.ts'
import { isPlain } from '../../shared/records/bulk-records.ts'
import { byId } from '../../shared/records/by-id.ts'
import { nameServersOf } from '../../shared/zone-data.ts'
import { openApi, RawDomain, RawRecord, Response } from './client.ts'
import { createRecords } from './jobs.ts'
import { readValue, routingOf, writeRecord } from './record-data.ts'

const DOMAINS_A_PAGE = 500
const RECORDS_A_PAGE = 3_000
/** The error for names below a registered domain. */
const BELOW_DOMAIN = 'InvalidParameter.DomainInvalid'

const Domains = Response({
  DomainList: Type.Array(RawDomain),
  DomainCountInfo: Type.Object({ DomainTotal: Type.Integer() }),
})
const Domain = Response({ DomainInfo: RawDomain })
const NewDomain = Response({
  DomainInfo: Type.Object({
    Id: Type.Integer(),
    Punycode: Type.String(),
    GradeNsList: Type.Optional(Type.Array(Type.String())),
  }),
})
const Records = Response({
  RecordList: Type.Array(RawRecord),
  RecordCountInfo: Type.Object({ TotalCount: Type.Integer() }),
})
const Written = Response({ RecordId: Type.Integer() })
const Done = Response({ RequestId: Type.String() })

/** Tencent DNSPod: the API 3.0 of Tencent Cloud (https://cloud.tencent.com/document/api/1427/56166). */
export const open = byId({
  api: openApi,

  listZones: (api) => byOffset((offset) => domainPage(api, offset), { size: DOMAINS_A_PAGE }),

  async findZones(api, name) {
    const found = await unlessCode(api.read('DescribeDomain', Domain, { Domain: name }), BELOW_DOMAIN)
    return found === null ? [] : [toZone(found.Response.DomainInfo)]
  },

  async createZone(api, { name }) {
    const { Response: response } = await api.write('CreateDomain', NewDomain, { Domain: name })
    const { Id, Punycode, GradeNsList } = response.DomainInfo
    return toZone({ DomainId: Id, Punycode, ...(GradeNsList && { DnspodNsList: GradeNsList }) })
  },

  deleteZone: (api, zone) => api.write('DeleteDomain', Done, domainOf(zone)),

  listRecords: (api, zone, only) =>
    byOffset(
      async (offset) => {
        const filter = only && { Subdomain: only.name, RecordType: only.type }
        const page = { Offset: offset, Limit: RECORDS_A_PAGE, ErrorOnEmpty: 'no' }
        const parameters = { ...domainOf(zone), ...filter, ...page }
        const { Response: response } = await api.read('DescribeRecordList', Records, parameters)
        const { RecordList: items, RecordCountInfo: count } = response
        // It is not documented whether the count follows the filter.
        return { items, total: only === undefined ? count.TotalCount : undefined }
      },
      { size: RECORDS_A_PAGE },
    ),

  toRecord: (raw, zone) => ({
    id: raw.RecordId,
    name: readOwner(raw.Name, zone.name),
    type: raw.Type,
    routing: routingOf(raw),
    ttl: raw.TTL,
    data: raw.Value,
    member: {
      ...(raw.Status.toUpperCase() === 'DISABLE' && { disabled: true }),
      comment: raw.Remark ?? '',
    },
  }),

  readValue,

  createRecord: (api, zone, write) => send(api, 'CreateRecord', { ...domainOf(zone), ...writeRecord(write) }),

  updateRecord: (api, zone, write) =>
    send(api, 'ModifyRecord', { ...recordOf(zone, write), ...writeRecord(write) }),

  deleteRecord: (api, zone, write) => api.write('DeleteRecord', Done, recordOf(zone, write)),

  isThere: (error) => isCode(error, 'InvalidParameter.DomainRecordExist'),

  bulk: {
    // Jobs need the id of the domain, and create records that are served, without remark and weight.
    canCreate: (write, zone) => hasId(zone) && isPlain(write) && write.routing?.weight === undefined,
    createRecords,
  },
})

async function domainPage(api: CommandApi, offset: number) {
  const parameters = { Type: 'ALL', Offset: offset, Limit: DOMAINS_A_PAGE }
  const call = api.read('DescribeDomainList', Domains, parameters)
  const { Response: found } = (await unlessCode(call, 'ResourceNotFound.NoDataOfDomain')) ?? {}
  return { items: (found?.DomainList ?? []).map(toZone), total: found?.DomainCountInfo.DomainTotal ?? 0 }
}

const send = async (api: CommandApi, action: string, record: object): Promise<number> =>
  (await api.write(action, Written, record)).Response.RecordId

/** DNSPod goes by the id where both are given. */
const domainOf = (zone: Zone) => ({ Domain: zone.name, ...(hasId(zone) && { DomainId: Number(zone.id) }) })

const recordOf = (zone: Zone, { id }: { id: string }) => ({ ...domainOf(zone), RecordId: Number(id) })

const hasId = ({ id }: Zone): boolean => /^\d+$/.test(id)

function toZone(raw: RawDomain): Zone {
  const status = raw.Status?.toUpperCase()
  const isDelegated = (raw.DNSStatus ?? raw.DnsStatus ?? '') === ''
  return {
    id: String(raw.DomainId),
    name: raw.Punycode.toLowerCase(),
    ...nameServersOf(raw.EffectiveDNS ?? raw.DnspodNsList),
    ...(status !== undefined && {
      status: status !== 'ENABLE' ? 'paused' : isDelegated ? 'active' : 'pending',
    }),
  }
}
