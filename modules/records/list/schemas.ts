import { Type } from '@sinclair/typebox'
import { named } from '../../../schemas/named.ts'
import { CursorQuery, NextCursor, Order, PageEnvelope, PageQuery } from '../../../schemas/paging.ts'
import { MAX_TYPES, RecordType } from '../../../schemas/records/record-type.ts'
import { DnsRecord } from '../../../schemas/records/record.ts'
import { ref } from '../../../schemas/ref.ts'

const SORTS = ['name', 'type', 'createdAt'] as const

export type Sort = (typeof SORTS)[number]

/** The fields that a search of a list covers. */
const SEARCHED = ['name', 'value', 'name,value'] as const

export type Searched = (typeof SEARCHED)[number]

/** Most records of one page: a large zone takes ten calls. */
const MAX_PAGE = 1_000

const { page, limit } = PageQuery(50)

export const ListQuery = Type.Object({
  page: Type.Unsafe<number>({ ...page, description: 'Ignored with `cursor`' }),
  limit: Type.Unsafe<number>({ ...limit, maximum: MAX_PAGE }),
  ...CursorQuery,
  type: Type.Optional(
    Type.Array(RecordType, {
      maxItems: MAX_TYPES,
      uniqueItems: true,
      description: 'May be repeated: `type=A&type=AAAA`',
      examples: [['A']],
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 253,
      description: 'Part of the host name, or of the fields that `in` selects',
      examples: ['www'],
    }),
  ),
  in: Type.Unsafe<Searched>({
    ...named('SearchedIn'),
    type: 'string',
    enum: [...SEARCHED],
    default: 'name',
    description: 'The fields that `search` covers: host names, values, or both',
    examples: ['name'],
  }),
  data: Type.Optional(
    Type.Boolean({
      description: 'Include the fields of each value as `data`',
      default: false,
      examples: [false],
    }),
  ),
  sort: Type.Unsafe<Sort>({
    ...named('RecordSort'),
    type: 'string',
    enum: [...SORTS],
    default: 'name',
    examples: ['name'],
  }),
  order: Order,
})

export const RecordPage = Type.Object(
  {
    records: Type.Array(ref(DnsRecord)),
    ...PageEnvelope,
    ...NextCursor,
    recordsVersion: Type.Integer({
      description: 'Version of the records of the domain; pages of different versions do not belong together',
      examples: [7],
    }),
  },
  named('RecordPage'),
)

export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 253,
    description:
      'Part of a host name or value, a full name, an address or its beginning, or a network such as `192.0.2.0/24`. One or two characters match whole host names only',
    examples: ['192.0.2.10'],
  }),
  page: Type.Unsafe<number>({ ...page, description: 'Ignored with `cursor`' }),
  limit,
  ...CursorQuery,
})

export const SearchAnswer = Type.Object({
  records: Type.Array(
    Type.Object({ ...DnsRecord.properties, domainName: Type.String({ examples: ['example.com'] }) }),
  ),
  ...PageEnvelope,
  ...NextCursor,
  complete: Type.Boolean({
    description: 'False if more than 1,000 records match: these are some of them, and `total` is 1,000',
    examples: [true],
  }),
})

export const UnmanagedQuery = Type.Object(PageQuery(50))

export const UnmanagedPage = Type.Object({
  records: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['4'] }),
      recordType: Type.String({ examples: ['PTR'] }),
      ttl: Type.Integer({ examples: [3600] }),
      value: Type.String({ description: "Value in the provider's format", examples: ['host.example.com.'] }),
    }),
  ),
  ...PageEnvelope,
})
