import { Type } from '@sinclair/typebox'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import { isCode } from '../../client/client.ts'
import type { CommandApi } from '../../client/commands.ts'
import { unlessCode } from '../../client/expected.ts'
import { byNumber } from '../../client/paging.ts'
import { afterOther, type Member, type Zone } from '../../contract.ts'
import { isPlain } from '../../shared/records/bulk-records.ts'
import { byId } from '../../shared/records/by-id.ts'
import { nameServersOf } from '../../shared/zone-data.ts'
import { openApi, RawDomain, RawRecord } from './client.ts'
import { extraOf, readValue, routingOf, writeRecord } from './record-data.ts'
import { createRecords } from './tasks.ts'

const DOMAINS_A_PAGE = 100
const RECORDS_A_PAGE = 500

const IN_OTHER_ACCOUNT = 'IncorrectDomainUser'

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
  api: openApi,

  listZones: (api) =>
    byNumber(
      async (page) => {
        const parameters = { PageNumber: page, PageSize: DOMAINS_A_PAGE }
        const { Domains: found, TotalCount: total } = await api.read('DescribeDomains', Domains, parameters)
        return { items: found.Domain.map(toZone), total }
      },
      { size: DOMAINS_A_PAGE },
    ),

  async findZones(api, name) {
    const call = api.read('DescribeDomainInfo', RawDomain, { DomainName: name })
    const found = await unlessCode(call, IN_OTHER_ACCOUNT)
    return found === null ? [] : [toZone(found)]
  },

  createZone: async (api, { name }) => toZone(await api.write('AddDomain', RawDomain, { DomainName: name })),

  deleteZone: (api, zone) => api.write('DeleteDomain', Done, { DomainName: zone.id }),

  listRecords: (api, zone, only) =>
    byNumber(
      async (page) => {
        const filter = only && { SearchMode: 'COMBINATION', RRKeyWord: only.name, TypeKeyWord: only.type }
        const parameters = { DomainName: zone.id, PageNumber: page, PageSize: RECORDS_A_PAGE, ...filter }
        const found = await api.read('DescribeDomainRecords', Records, parameters)
        return { items: found.DomainRecords.Record, total: found.TotalCount }
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
    const record = { DomainName: zone.id, ...writeRecord(write) }
    const { RecordId: id } = await api.write('AddDomainRecord', NewRecord, record)
    await afterOther(inSequence(stateCalls(api, id, {}, write.member)))
    return id
  },

  async updateRecord(api, _, write) {
    const { id, held, member, ttl, value } = write
    // Alibaba refuses an update that changes nothing.
    const isSame = held.member.value === value && held.ttl === ttl
    const query = { RecordId: id, ...writeRecord(write) }
    const update = () => api.write('UpdateDomainRecord', Done, query)
    await inSequence([...(isSame ? [] : [update]), ...stateCalls(api, id, held.member, member)])
  },

  deleteRecord: (api, _, { id }) => api.write('DeleteDomainRecord', Done, { RecordId: id }),

  isThere: (error) => isCode(error, 'DomainRecordDuplicate'),

  bulk: { canCreate: isPlain, createRecords },
})

/** Calls for what is not written with the record itself. */
function stateCalls(api: CommandApi, id: string, before: Partial<Member>, member: Member) {
  const { disabled = false, comment = '' } = member
  const status = { RecordId: id, Status: disabled ? 'Disable' : 'Enable' }
  const remark = { RecordId: id, Remark: comment }
  const calls: (() => Promise<unknown>)[] = []
  if (disabled !== (before.disabled ?? false))
    calls.push(() => api.write('SetDomainRecordStatus', Done, status))
  if (comment !== (before.comment ?? ''))
    calls.push(() => api.write('UpdateDomainRecordRemark', Done, remark))
  return calls
}

/** One call after another. Where a later one fails, the earlier ones are done. */
async function inSequence(calls: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const [at, call] of calls.entries()) await (at === 0 ? call() : afterOther(call()))
}

const toZone = ({ DomainName: id, PunyCode: ascii, DnsServers: servers }: RawDomain): Zone => ({
  id,
  name: (ascii || id).toLowerCase(),
  ...nameServersOf(servers?.DnsServer),
})
