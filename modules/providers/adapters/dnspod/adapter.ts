import { Type } from '@sinclair/typebox'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import { isCode, type ApiClient } from '../../client/client.ts'
import { byOffset } from '../../client/paging.ts'
import type { Zone } from '../../contract.ts'
import { isPlain } from '../../shared/bulk-records.ts'
import { byId } from '../../shared/by-id.ts'
import type { Account } from '../../shared/define-provider.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import { actionOf, explain, RawDomain, RawRecord, Response } from './client.ts'
import type { Credentials } from './index.ts'
import { createRecords } from './jobs.ts'
import { readValue, routingOf, writeRecord } from './record-data.ts'
import { sign } from './signature.ts'

const DOMAINS_A_PAGE = 500
const RECORDS_A_PAGE = 3_000

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
  api: (account: Account<Credentials>) => {
    const { credentials, context } = account
    return clientOf(account, {
      secrets: [credentials.secretKey],
      authenticate: (request) => sign(request, credentials, context.clock.now()),
      explain,
    })
  },

  listZones: (api) => byOffset((offset) => domainPage(api, offset), { size: DOMAINS_A_PAGE }),

  async findZones(api, name) {
    try {
      const call = actionOf('DescribeDomain', { Domain: name })
      const { body } = await api.read('/', { ...call, schema: Domain })
      return [toZone(body.Response.DomainInfo)]
    } catch (error) {
      // The error for names below a registered domain.
      if (isCode(error, 'InvalidParameter.DomainInvalid')) return []
      throw error
    }
  },

  async createZone(api, { name }) {
    const call = actionOf('CreateDomain', { Domain: name })
    const { body } = await api.write('/', { ...call, schema: NewDomain })
    const { Id, Punycode, GradeNsList } = body.Response.DomainInfo
    return toZone({ DomainId: Id, Punycode, ...(GradeNsList && { DnspodNsList: GradeNsList }) })
  },

  deleteZone: (api, zone) => api.write('/', { ...actionOf('DeleteDomain', domainOf(zone)), schema: Done }),

  listRecords: (api, zone, only) =>
    byOffset(
      async (offset) => {
        const filter = only && { Subdomain: only.name, RecordType: only.type }
        const page = { Offset: offset, Limit: RECORDS_A_PAGE, ErrorOnEmpty: 'no' }
        const call = actionOf('DescribeRecordList', { ...domainOf(zone), ...filter, ...page })
        const { body } = await api.read('/', { ...call, schema: Records, large: true })
        const { RecordList: items, RecordCountInfo: count } = body.Response
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

  deleteRecord: (api, zone, write) =>
    api.write('/', { ...actionOf('DeleteRecord', recordOf(zone, write)), schema: Done }),

  isThere: (error) => isCode(error, 'InvalidParameter.DomainRecordExist'),

  bulk: {
    // Jobs need the id of the domain, and create records that are served, without remark and weight.
    canCreate: (write, zone) => hasId(zone) && isPlain(write) && write.routing?.weight === undefined,
    createRecords,
  },
})

async function domainPage(api: ApiClient, offset: number) {
  try {
    const call = actionOf('DescribeDomainList', { Type: 'ALL', Offset: offset, Limit: DOMAINS_A_PAGE })
    const { body } = await api.read('/', { ...call, schema: Domains })
    return { items: body.Response.DomainList.map(toZone), total: body.Response.DomainCountInfo.DomainTotal }
  } catch (error) {
    if (isCode(error, 'ResourceNotFound.NoDataOfDomain')) return { items: [], total: 0 }
    throw error
  }
}

async function send(api: ApiClient, action: string, json: Record<string, unknown>): Promise<number> {
  const { body } = await api.write('/', { ...actionOf(action, json), schema: Written })
  return body.Response.RecordId
}

/** DNSPod goes by the id where both are given. */
const domainOf = (zone: Zone) => ({ Domain: zone.name, ...(hasId(zone) && { DomainId: Number(zone.id) }) })

const recordOf = (zone: Zone, { id }: { id: string }) => ({ ...domainOf(zone), RecordId: Number(id) })

const hasId = ({ id }: Zone): boolean => /^\d+$/.test(id)

function toZone(raw: RawDomain): Zone {
  const servers = raw.EffectiveDNS ?? raw.DnspodNsList ?? []
  const status = raw.Status?.toUpperCase()
  const isDelegated = (raw.DNSStatus ?? raw.DnsStatus ?? '') === ''
  return {
    id: String(raw.DomainId),
    name: raw.Punycode.toLowerCase(),
    ...(servers.length > 0 && { nameServers: servers.map((server) => server.toLowerCase()) }),
    ...(status !== undefined && {
      status: status !== 'ENABLE' ? 'paused' : isDelegated ? 'active' : 'pending',
    }),
  }
}
