import { Type } from '@sinclair/typebox'
import { named } from '../named.ts'
import { FieldError, ReasonCode, ReasonParams } from '../problem.ts'
import { RecordSnapshot, ShownRouting, ShownTtl } from './record.ts'
import { RecordType } from './record-type.ts'
import { ref } from '../ref.ts'
import { Nullable, OneOf, Uuid } from '../scalars.ts'

/** Content of a record, without its identity. */
export const Content = Type.Object(
  {
    name: Type.String({ examples: ['www'] }),
    recordType: RecordType,
    value: Type.String({ examples: ['192.0.2.10'] }),
    strings: Type.Optional(Type.Array(Type.String())),
    ttl: ShownTtl,
    priority: Nullable(Type.Integer({ examples: [null] })),
    proxied: Type.Boolean({ examples: [false] }),
    enabled: Type.Boolean({ examples: [true] }),
    comment: Type.String({ examples: ['the shop'] }),
    routing: ShownRouting,
  },
  named('RecordContent'),
)
/** Why one change of a plan can't be applied. */
export const PlanConflict = Type.Object(
  {
    index: Type.Integer({ examples: [1] }),
    kind: OneOf(['invalid', 'conflict', 'not_found', 'outdated', 'forbidden'], {
      ...named('ConflictKind'),
      examples: ['conflict'],
    }),
    code: Type.Unsafe<string>({ ...ReasonCode, examples: ['exists'] }),
    params: Type.Unsafe<Record<string, unknown>>({
      ...ReasonParams,
      examples: [{ recordType: 'A', name: 'www', value: '192.0.2.10' }],
    }),
    detail: Type.String({ examples: ['www A 192.0.2.10 already exists'] }),
    recordId: Nullable(Uuid),
    errors: Type.Optional(
      Type.Array(ref(FieldError), {
        description: 'With `invalid`: the invalid fields; paths are relative to the change, such as `/value`',
      }),
    ),
    current: Type.Optional(
      Type.Unsafe<RecordSnapshot>({
        ...ref(RecordSnapshot),
        description: 'With `outdated`: the record as it is now',
      }),
    ),
  },
  named('PlanConflict'),
)

const NONE = { examples: [[]] }

const counts = {
  created: Type.Integer({ examples: [1] }),
  updated: Type.Integer({ examples: [0] }),
  deleted: Type.Integer({ examples: [0] }),
}

/** Result of a sync with the provider, or of its dry run. */
export const SyncAnswer = Type.Object({
  synced: Type.Integer({ description: 'Records at the provider that were compared', examples: [12] }),
  ...counts,
  unchanged: Type.Integer({ examples: [11] }),
  skipped: Type.Integer({
    description: 'Records of types that are not managed here; see listUnmanagedRecords',
    examples: [1],
  }),
  dryRun: Type.Boolean({ examples: [false] }),
  difference: Type.Object(
    {
      created: Type.Array(Content),
      updated: Type.Array(Type.Object({ before: Content, after: Content }), NONE),
      deleted: Type.Array(Content, NONE),
    },
    { ...named('SyncDifference'), description: 'The first 100 of each' },
  ),
})

export type ChangeStatus = 'pending' | 'applied' | 'partial' | 'failed'

/** Status of a change of records. */
export const ChangeStatus = OneOf(['pending', 'applied', 'partial', 'failed'], {
  ...named('ChangeStatus'),
  description: '`partial`: some items were applied; see the outcome of each',
  examples: ['applied'],
})
