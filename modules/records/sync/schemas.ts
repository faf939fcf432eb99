import { Type } from '@sinclair/typebox'
import { ToldProblem } from '../../../schemas/problem.ts'
import { SyncAnswer } from '../../../schemas/records/record-changes.ts'
import { Nullable, Uuid } from '../../../schemas/scalars.ts'

export const SyncQuery = Type.Object({
  dryRun: Type.Boolean({ default: false, description: 'Only return the differences', examples: [false] }),
  force: Type.Boolean({
    default: false,
    description: 'Confirm a sync that deletes more than 30 % of a domain with 10 records or more',
    examples: [false],
  }),
  putBack: Type.Boolean({
    default: false,
    description:
      'Write the records here to the provider where it differs, instead of taking over its records',
    examples: [false],
  }),
})

export const SyncResult = Type.Object({
  ...SyncAnswer.properties,
  changeId: Nullable({
    ...Uuid,
    description: 'With `putBack`: the change that wrote them',
    examples: [null],
  }),
})

export const ImportDomainsBody = Type.Object({
  providerConfigId: Uuid,
  zones: Type.Array(Type.String({ minLength: 1, maxLength: 253, examples: ['example.com'] }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
  }),
  zoneIds: Type.Optional(
    Type.Record(Type.String({ maxLength: 253 }), Type.String({ minLength: 1, maxLength: 500 }), {
      maxProperties: 100,
      description: 'Selects one of several zones of a name in `zones`, by that name',
      examples: [{ 'example.com': 'Z2FDTNDATAQYW2' }],
    }),
  ),
})

export const ImportDomainsAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      zone: Type.String({ examples: ['example.com'] }),
      success: Type.Boolean({ examples: [true] }),
      domainId: Nullable(Uuid),
      synced: Nullable(Type.Integer({ examples: [12] })),
      unmanaged: Nullable(Type.Integer({ description: 'Records of unmanaged types', examples: [0] })),
      error: Nullable(Type.String({ examples: [null] })),
      problem: Nullable({ ...ToldProblem, examples: [null] }),
    }),
  ),
  total: Type.Integer({ examples: [1] }),
  succeeded: Type.Integer({ examples: [1] }),
})
