import type { Body } from './answers.ts'
import { failure } from './dnspod-domain.ts'

const isInteger = (value: unknown) => Number.isInteger(value)
const isText = (value: unknown) => typeof value === 'string'

const KINDS: Record<string, (value: unknown) => boolean> = {
  text: isText,
  integer: isInteger,
  boolean: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.every(isText),
  integers: (value) => Array.isArray(value) && value.every(isInteger),
  objects: (value) => Array.isArray(value),
}

const DOMAIN = 'Domain! DomainId:integer'
const RECORD =
  'SubDomain RecordLine! RecordLineId Value! MX:integer TTL:integer Weight:integer Status Remark GroupId:integer'

/** What each takes: `!` for what it needs, and the kind where it isn't text. */
export const ACTIONS: Record<string, string> = {
  DescribeUserDetail: '',
  DescribeDomainList: 'Type Offset:integer Limit:integer GroupId:integer Keyword',
  DescribeDomain: DOMAIN,
  CreateDomain: 'Domain! GroupId:integer IsMark',
  DeleteDomain: DOMAIN,
  DescribeRecordLineList: `${DOMAIN} DomainGrade!`,
  DescribeRecordList: `${DOMAIN} Subdomain RecordType RecordLine RecordLineId GroupId:integer Keyword SortField SortType Offset:integer Limit:integer ErrorOnEmpty`,
  DescribeRecordFilterList: `${DOMAIN} SubDomain IsExactSubDomain:boolean RecordType:texts RecordLine:texts RecordStatus:texts RecordValue Keyword SortField SortType Offset:integer Limit:integer`,
  DescribeRecord: `${DOMAIN} RecordId:integer!`,
  CreateRecord: `${DOMAIN} RecordType! ${RECORD}`,
  ModifyRecord: `${DOMAIN} RecordId:integer! RecordType! ${RECORD}`,
  CreateTXTRecord: `${DOMAIN} ${RECORD}`,
  ModifyTXTRecord: `${DOMAIN} RecordId:integer! ${RECORD}`,
  ModifyRecordStatus: `${DOMAIN} RecordId:integer! Status!`,
  ModifyRecordRemark: `${DOMAIN} RecordId:integer! Remark`,
  DeleteRecord: `${DOMAIN} RecordId:integer!`,
  CreateRecordBatch: 'DomainIdList:texts! RecordList:objects!',
  DeleteRecordBatch: 'RecordIdList:integers!',
  DescribeBatchTask: 'JobId:integer!',
}

/** Throws Refused: what is missing, of another kind, or not known is refused before anything is done. */
export function checkParameters(action: string, body: Body): void {
  const known = new Map(
    (ACTIONS[action] ?? '').split(' ').map((item) => {
      const [name = '', kind = 'text'] = item.replace('!', '').split(':')
      return [name, { kind, isNeeded: item.endsWith('!') }] as const
    }),
  )
  for (const [name, { isNeeded }] of known)
    if (isNeeded && body[name] === undefined)
      throw failure('MissingParameter', `The request is missing the required parameter \`${name}\`.`)
  for (const [name, value] of Object.entries(body)) {
    const parameter = known.get(name)
    if (parameter === undefined)
      throw failure('UnknownParameter', `The parameter \`${name}\` is not recognized.`)
    if (KINDS[parameter.kind]?.(value) !== true)
      throw failure('InvalidParameter', `The value type of parameter \`${name}\` is not valid.`)
  }
}
