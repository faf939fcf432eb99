import { Type } from '@sinclair/typebox'
import { Actor } from '../../schemas/people/user.ts'
import { named } from '../../schemas/named.ts'
import { provenance, provenanceFilters } from '../../schemas/records/origin.ts'
import { CursorQuery, NextCursor, PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { Nullable, OneOf, Timestamp, Uuid } from '../../schemas/scalars.ts'
import { ACTIONS } from './actions.ts'

const filters = {
  actor: Type.Optional(
    Type.String({ maxLength: 254, description: 'Id or username of the actor', examples: ['admin'] }),
  ),
  action: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[a-z0-9_]+(\\.[a-z0-9_]+)*(\\.\\*)?$',
      description: 'One action, or all of an area: `auth.*`',
      examples: ['auth.*'],
    }),
  ),
  target: Type.Optional(
    Type.String({
      maxLength: 254,
      description: 'Id or type of the target: `domain`',
      examples: ['domain'],
    }),
  ),
  ...provenanceFilters,
  from: Type.Optional(Type.String({ ...Timestamp, description: 'At or after' })),
  to: Type.Optional(Type.String({ ...Timestamp, description: 'Before' })),
}

export const ExportQuery = Type.Object(filters)
export const ListQuery = Type.Object({ ...PageQuery(50), ...CursorQuery, ...filters })

const Difference = Nullable(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'Only what changed; never a secret',
      examples: [{ role: 'member' }],
    },
  ),
)

const Entry = Type.Object({
  id: Uuid,
  at: Timestamp,
  actor: Actor,
  ...provenance,
  ip: Nullable(Type.String({ examples: ['192.0.2.1'] })),
  requestId: Nullable(Type.String({ examples: ['b3f1c9de-55a2-4f0e-9a58-0d2f6f0f7a11'] })),
  action: OneOf(ACTIONS, {
    ...named('AuditAction'),
    description: 'Action, as `<area>.<event>`',
    examples: ['user.updated'],
  }),
  target: Type.Object({
    type: Type.String({ examples: ['user'] }),
    id: Nullable(Type.String({ examples: ['0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'] })),
    name: Nullable(Type.String({ examples: ['ada'] })),
  }),
  before: Difference,
  after: Difference,
})

export const AuditPage = Type.Object({ entries: Type.Array(Entry), ...PageEnvelope, ...NextCursor })
