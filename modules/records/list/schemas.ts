import { Type } from '@sinclair/typebox'
import { named } from '../../../schemas/named.ts'
import { CursorQuery, NextCursor, Order, PageEnvelope, PageQuery } from '../../../schemas/paging.ts'
import { MAX_TYPES, RecordType } from '../../../schemas/record-type.ts'
import { DnsRecord } from '../../../schemas/record.ts'
import { ref } from '../../../schemas/ref.ts'

const SORTS = ['name', 'type', 'createdAt'] as const

export type Sort = (typeof SORTS)[number]

/** What a search of a list looks into. */
const SEARCHED = ['name', 'value', 'name,value'] as const

export type Searched = (typeof SEARCHED)[number]

/** Records of one page: those of a large zone in ten calls. */
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
      description: 'Several may be given, each by a parameter of its own: `type=A&type=AAAA`',
      examples: [['A']],
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 253,
      description: 'Part of the host name, or of what `in` says',
      examples: ['www'],
    }),
  ),
  in: Type.Unsafe<Searched>({
    ...named('SearchedIn'),
    type: 'string',
    enum: [...SEARCHED],
    default: 'name',
    description: 'What `search` looks into: host names, values, or both',
    examples: ['name'],
  }),
  data: Type.Optional(
    Type.Boolean({
      description: 'With the fields of each value in `data`',
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
      description: 'As of the domain: pages of different versions do not belong together',
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
      'Part of a host name or of a value, a full name, an address or how one begins, or a network such as `192.0.2.0/24`; up to two characters: the host name itself',
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
    description: 'Not so: there are more than 1,000, of which these are some, and `total` is 1,000',
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
      value: Type.String({ description: "In the provider's words", examples: ['host.example.com.'] }),
    }),
  ),
  ...PageEnvelope,
})
