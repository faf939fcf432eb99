import { Type } from '@sinclair/typebox'
import { named } from '../../../schemas/named.ts'
import { RecordType } from '../../../schemas/records/record-type.ts'
import { DnsRecord } from '../../../schemas/records/record.ts'
import { ref } from '../../../schemas/ref.ts'
import { Nullable, Uuid } from '../../../schemas/scalars.ts'
import { AppliedFields, MAX_CHANGES, RecordAnswer, SetFields } from '../apply/schemas.ts'
import { Name } from '../schemas.ts'

export const RRsetParams = Type.Object({
  id: Uuid,
  name: Type.Unsafe<string>({ ...Name, description: 'Relative to the zone; `@` for the apex' }),
  type: RecordType,
})

/** An RRset as DNS serves it, with the records that it consists of. */
export const RRset = Type.Object(
  {
    domainId: Uuid,
    name: DnsRecord.properties.name,
    unicodeName: DnsRecord.properties.unicodeName,
    recordType: RecordType,
    values: Type.Array(Type.String(), {
      description: 'All values that are published, in canonical form',
      examples: [['192.0.2.10']],
    }),
    ttl: DnsRecord.properties.ttl,
    comment: Nullable(
      Type.String({
        description: 'The comment of all its records; null if they differ',
        examples: ['the shop'],
      }),
    ),
    records: Type.Array(ref(DnsRecord), { description: 'One for each value' }),
  },
  { $id: 'RRset' },
)

const { values, ttl, comment } = SetFields

export const PutRRsetBody = Type.Object({ values, ttl, comment }, named('RRsetContent'))

export const PutRRsetHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description: 'The `ETag` of `getRRset`: 412 if the RRset has changed since',
      examples: ['*'],
    }),
  ),
  'if-none-match': Type.Optional(
    Type.Literal('*', { description: '412 if there is such an RRset already', examples: ['*'] }),
  ),
})

export const WrittenRRset = Type.Object(
  {
    ...RRset.properties,
    warnings: RecordAnswer.properties.warnings,
    changeId: RecordAnswer.properties.changeId,
  },
  { $id: 'WrittenRRset' },
)

export const BatchBody = Type.Object(
  {
    rrsets: Type.Array(
      Type.Object(
        {
          ...SetFields,
          values: Type.Unsafe<string[]>({
            ...values,
            minItems: 0,
            description: `${values.description ?? ''}. None: the RRset is deleted`,
          }),
        },
        named('BatchedRRset'),
      ),
      { minItems: 1, maxItems: MAX_CHANGES },
    ),
    ...AppliedFields,
  },
  named('RRsetBatch'),
)
