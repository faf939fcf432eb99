import { Type } from '@sinclair/typebox'
import { named } from '../../../schemas/named.ts'
import { ref } from '../../../schemas/ref.ts'
import { Nullable, OneOf, Timestamp, Uuid } from '../../../schemas/scalars.ts'
import { SwitchAnswer } from '../move/schemas.ts'

export const MirrorParams = Type.Object({ id: Uuid, mirrorId: Uuid })

const NameServers = (description: string) =>
  Type.Array(Type.String({ examples: ['ns1.example.net'] }), { description })

const Finding = Type.Object(
  {
    name: Type.String({ description: 'Relative to the domain', examples: ['www'] }),
    recordType: Type.String({ examples: ['A'] }),
    value: Type.String({ examples: ['192.0.2.1'] }),
    code: Type.String({ description: 'Reason for programs', examples: ['ttl_brought'] }),
    params: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Values that the message names',
      examples: [{ ttl: 60, to: 300, count: 1 }],
    }),
    message: Type.String({ examples: ['www A 192.0.2.1 has the TTL 300 there instead of 60'] }),
    missing: Type.Boolean({
      description: 'The provider does not hold the record; otherwise it holds it differently',
      examples: [false],
    }),
  },
  named('MirrorFinding'),
)

const State = OneOf(['in_step', 'behind', 'failed', 'differs'], {
  ...named('MirrorState'),
  description:
    '`in_step`: it has every change. `behind`: changes wait and are tried until they succeed. `failed`: they wait, and a person has to help, see `error`. `differs`: it has every change, but records are missing or differ',
  examples: ['in_step'],
})

export const Mirror = Type.Object(
  {
    id: Uuid,
    providerConfigId: Uuid,
    providerName: Type.String({ examples: ['deSEC'] }),
    zoneId: Type.String({ description: 'Zone at the provider', examples: ['example.com'] }),
    state: State,
    behind: Type.Integer({ description: 'Changes still to be applied there', examples: [0] }),
    behindSince: Nullable({ ...Timestamp, examples: [null] }),
    error: Nullable(Type.String({ description: 'Why the last attempt failed', examples: [null] })),
    errorCode: Nullable(Type.String({ examples: [null] })),
    nextTry: Nullable({ ...Timestamp, description: 'After a failed attempt', examples: [null] }),
    differences: Nullable(
      Type.Integer({ description: 'Records that the last comparison found different', examples: [0] }),
    ),
    comparedAt: Nullable(Timestamp),
    appliedAt: Nullable({ ...Timestamp, description: 'When it last got a change' }),
    findings: Type.Array(Finding, {
      description: 'What its provider can’t hold as the domain has it; at most 200',
    }),
    moreFindings: Type.Integer({ description: 'Findings beyond these', examples: [0] }),
    nameServers: NameServers('That serve this zone; delegate to them at the registrar'),
    createdAt: Timestamp,
  },
  { $id: 'Mirror' },
)

export const MirrorList = Type.Object(
  {
    mirrors: Type.Array(ref(Mirror)),
    nameServers: NameServers('Of the zone at the provider of the domain'),
  },
  named('MirrorList'),
)

export const MirrorBody = Type.Object({
  providerConfigId: { ...Uuid, description: 'A provider connection that the caller may use' },
  zoneId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Selects one of several zones of the name, see `GET /api/provider-configs/{id}/zones`',
      examples: ['Z2FDTNDATAQYW2'],
    }),
  ),
  createZone: Type.Boolean({
    default: false,
    description: 'Create the zone if the provider has none of that name',
    examples: [true],
  }),
})

export const MirrorSyncQuery = Type.Object({
  force: Type.Boolean({
    default: false,
    description: 'Confirm a sync that deletes more than 30 % of a zone with 10 records or more',
    examples: [false],
  }),
})

const MirrorPlan = Type.Unsafe<object>({
  $ref: 'Plan#',
  description:
    'Changes at the provider of the mirror. `recordId` is the id of the record here (meaningless for deletes). `conflicts` lists records that the provider does not support',
})

export const MirrorComparison = Type.Object(
  {
    mirror: ref(Mirror),
    plan: MirrorPlan,
    queued: Type.Boolean({
      description: 'More than 1,000 changes: they are applied in the background, see `state`',
      examples: [false],
    }),
  },
  named('MirrorComparison'),
)

export const PromoteBody = Type.Object({
  force: Type.Boolean({
    default: false,
    description:
      'Promote even if the mirror is not in step: changes still in its queue are dropped, and the records here become those of its zone',
    examples: [false],
  }),
})

export const PromoteAnswer = Type.Object(
  {
    ...SwitchAnswer.properties,
    mirrorId: Nullable({
      ...Uuid,
      description:
        'The mirror, now at the previous provider; null if that stores no records, so there is none',
    }),
  },
  named('PromoteAnswer'),
)

export const MirrorDelegation = Type.Object(
  {
    state: OneOf(['domain', 'mirror', 'both', 'other', 'none', 'unknown'], {
      ...named('MirrorDelegationState'),
      description:
        'Whose name servers the parent zone delegates to: those of the provider of the domain, of the mirror, of both, or others. `none`: it does not delegate. `unknown`: it could not be asked',
      examples: ['both'],
    }),
    parent: NameServers('That the parent zone names'),
    domain: NameServers('Of the zone at the provider of the domain'),
    mirror: NameServers('Of the mirror'),
  },
  named('MirrorDelegation'),
)
