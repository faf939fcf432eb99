import type { Body } from './answers.ts'
import { failure, type DnspodDomain, type DnspodRecord } from './dnspod-domain.ts'

const MAX_PAGE = 3000
export const NAME_SERVERS = ['source.dnspod.net', 'low.dnspod.net']
export const USER = {
  Nick: 'recorded',
  Id: 1,
  Status: 'enabled',
  Email: 'user@example.com',
  UserGrade: 'DP_FREE',
}

export function pageOf<T>(all: T[], { Offset = 0, Limit = MAX_PAGE }: Body): T[] {
  const [offset, limit] = [Number(Offset), Number(Limit)]
  if (offset < 0) throw failure('InvalidParameter.OffsetInvalid', 'The offset of the page is incorrect.')
  if (limit < 1 || limit > MAX_PAGE)
    throw failure(
      'InvalidParameter.ResultMoreThan500',
      `The limit of the page must be between 1 and ${MAX_PAGE}.`,
    )
  return all.slice(offset, offset + limit)
}

/** A list without records is a failure, where not said otherwise. */
export function listOf(wanted: DnspodRecord[], body: Body) {
  const RecordList = pageOf(wanted, { Limit: 100, ...body })
  if (RecordList.length === 0 && body['ErrorOnEmpty'] !== 'no')
    throw failure('ResourceNotFound.NoDataOfRecord', 'No records on the list.')
  const SubdomainCount = new Set(wanted.map(({ Name }) => Name)).size
  return {
    RecordCountInfo: { SubdomainCount, TotalCount: wanted.length, ListCount: RecordList.length },
    RecordList,
  }
}

export const listed = ({ id, name, unicodeName, records, minTtl, createdOn }: DnspodDomain) => ({
  DomainId: id,
  Name: unicodeName,
  Punycode: name,
  Status: 'ENABLE',
  TTL: minTtl,
  CNAMESpeedup: 'DISABLE',
  DNSStatus: 'DNSERROR',
  Grade: minTtl < 600 ? 'DP_ULTRA' : 'DP_FREE',
  GradeLevel: 10,
  GradeTitle: '',
  GroupId: '1',
  Remark: '',
  IsVip: 'NO',
  Owner: USER.Email,
  RecordCount: records.length,
  EffectiveDNS: NAME_SERVERS,
  CreatedOn: createdOn,
  UpdatedOn: createdOn,
})

/** With other names than in the list, and the status in small letters. */
export function shown(domain: DnspodDomain) {
  const { Name, DNSStatus, EffectiveDNS: _, CNAMESpeedup: __, ...info } = listed(domain)
  return {
    ...info,
    Domain: Name,
    Status: 'enable',
    DnsStatus: DNSStatus.toLowerCase(),
    CnameSpeedup: 'disable',
    DnspodNsList: NAME_SERVERS,
    ActualNsList: NAME_SERVERS,
    GroupId: 1,
    UserId: USER.Id,
  }
}

/** One alone has other names than in the list. */
export const info = (record: DnspodRecord) => ({
  Id: record.RecordId,
  SubDomain: record.Name,
  RecordType: record.Type,
  RecordLine: record.Line,
  RecordLineId: record.LineId,
  Value: record.Value,
  Weight: record.Weight,
  MX: record.MX,
  TTL: record.TTL,
  Enabled: record.Status === 'ENABLE' ? 1 : 0,
  MonitorStatus: record.MonitorStatus,
  Remark: record.Remark,
  UpdatedOn: record.UpdatedOn,
})
