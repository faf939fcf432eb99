import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import { isCode, type ApiClient, type Call } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import { halfDone, type Member, type Zone } from '../../contract.ts'
import { isPlain } from '../../shared/bulk-records.ts'
import { byId } from '../../shared/by-id.ts'
import type { Account } from '../../shared/define-provider.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import { actionOf, explain, RawDomain, RawRecord } from './client.ts'
import type { Credentials } from './index.ts'
import { extraOf, readValue, routingOf, writeRecord } from './record-data.ts'
import { sign } from './signature.ts'
import { createRecords } from './tasks.ts'

const DOMAINS_A_PAGE = 100
const RECORDS_A_PAGE = 500

const Domains = Type.Object({
  TotalCount: Type.Integer(),
  Domains: Type.Object({ Domain: Type.Array(RawDomain) }),
})
const Records = Type.Object({
  TotalCount: Type.Integer(),
  DomainRecords: Type.Object({ Record: Type.Array(RawRecord) }),
})
const NewRecord = Type.Object({ RecordId: Type.String() })
const Done = Type.Object({ RequestId: Type.String() })

/**
 * Alibaba Cloud DNS (https://www.alibabacloud.com/help/en/dns/api-alidns-2015-01-09-overview). Status and remark of a
 * record need calls of their own.
 */
export const open = byId({
  api: (account: Account<Credentials>) => {
    const { credentials, context } = account
    return clientOf(account, {
      secrets: [credentials.accessKeySecret],
      authenticate: (request) =>
        sign(request, credentials, { now: context.clock.now(), nonce: randomUUID() }),
      explain,
    })
  },

  listZones: (api) =>
    byNumber(
      async (page) => {
        const call = actionOf('DescribeDomains', { PageNumber: page, PageSize: DOMAINS_A_PAGE })
        const { body } = await api.read('/', { ...call, schema: Domains })
        return { items: body.Domains.Domain.map(toZone), total: body.TotalCount }
      },
      { size: DOMAINS_A_PAGE },
    ),

  async findZones(api, name) {
    const call = actionOf('DescribeDomainInfo', { DomainName: name })
    try {
      return [toZone((await api.read('/', { ...call, schema: RawDomain })).body)]
    } catch (error) {
      // It is in another account.
      if (isCode(error, 'IncorrectDomainUser')) return []
      throw error
    }
  },

  async createZone(api, { name }) {
    const call = actionOf('AddDomain', { DomainName: name })
    return toZone((await api.write('/', { ...call, schema: RawDomain })).body)
  },

  deleteZone: (api, zone) => act(api, 'DeleteDomain', { DomainName: zone.id }),

  listRecords: (api, zone, only) =>
    byNumber(
      async (page) => {
        const filter = only && { SearchMode: 'COMBINATION', RRKeyWord: only.name, TypeKeyWord: only.type }
        const query = { DomainName: zone.id, PageNumber: page, PageSize: RECORDS_A_PAGE, ...filter }
        const { body } = await api.read('/', { ...actionOf('DescribeDomainRecords', query), schema: Records })
        return { items: body.DomainRecords.Record, total: body.TotalCount }
      },
      { size: RECORDS_A_PAGE },
    ),

  toRecord: (raw, zone) => ({
    id: raw.RecordId,
    name: readOwner(raw.RR, zone.name),
    type: raw.Type,
    routing: routingOf(raw.Line),
    ttl: raw.TTL,
    data: raw.Value,
    member: {
      ...(raw.Status.toUpperCase() === 'DISABLE' && { disabled: true }),
      comment: raw.Remark ?? '',
      ...extraOf(raw),
    },
  }),

  readValue,

  async createRecord(api, zone, write) {
    const call = actionOf('AddDomainRecord', { DomainName: zone.id, ...writeRecord(write) })
    const id = (await api.write('/', { ...call, schema: NewRecord })).body.RecordId
    await inSequence(stateCalls(api, id, {}, write.member)).catch((error: unknown) => {
      throw halfDone(error)
    })
    return id
  },

  async updateRecord(api, _, write) {
    const { id, held, member, ttl, value } = write
    // Alibaba refuses an update that changes nothing.
    const isSame = held.member.value === value && held.ttl === ttl
    const query = { RecordId: id, ...writeRecord(write) }
    const update = () => act(api, 'UpdateDomainRecord', query)
    await inSequence([...(isSame ? [] : [update]), ...stateCalls(api, id, held.member, member)])
  },

  deleteRecord: (api, _, { id }) => act(api, 'DeleteDomainRecord', { RecordId: id }),

  isThere: (error) => isCode(error, 'DomainRecordDuplicate'),

  bulk: { canCreate: isPlain, createRecords },
})

const act = (api: ApiClient, action: string, query: NonNullable<Call['query']>) =>
  api.write('/', { ...actionOf(action, query), schema: Done })

/** Calls for what is not written with the record itself. */
function stateCalls(api: ApiClient, id: string, before: Partial<Member>, member: Member) {
  const { disabled = false, comment = '' } = member
  const status = { RecordId: id, Status: disabled ? 'Disable' : 'Enable' }
  return [
    ...(disabled === (before.disabled ?? false) ? [] : [() => act(api, 'SetDomainRecordStatus', status)]),
    ...(comment === (before.comment ?? '')
      ? []
      : [() => act(api, 'UpdateDomainRecordRemark', { RecordId: id, Remark: comment })]),
  ]
}

/** One call after another. Where a later one fails, the earlier ones are done. */
async function inSequence(calls: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const [at, call] of calls.entries()) {
    try {
      await call()
    } catch (error) {
      throw at === 0 ? error : halfDone(error)
    }
  }
}

const toZone = ({ DomainName: id, PunyCode: ascii, DnsServers: servers }: RawDomain): Zone => ({
  id,
  name: (ascii || id).toLowerCase(),
  ...(servers?.DnsServer.length && { nameServers: servers.DnsServer.map((one) => one.toLowerCase()) }),
})
