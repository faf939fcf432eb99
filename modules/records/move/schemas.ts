import { Type } from '@sinclair/typebox'
import { Domain } from '../../../schemas/domain.ts'
import { named } from '../../../schemas/named.ts'
import { Content } from '../../../schemas/record-changes.ts'
import { ref } from '../../../schemas/ref.ts'
import { Nullable, Uuid } from '../../../schemas/scalars.ts'
import type { CopyMode } from './copy-plan.ts'

const Destination = {
  providerConfigId: { ...Uuid, description: 'A configuration that the caller may use' },
  zoneId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Which of several zones of the name, see `GET /api/provider-configs/{id}/zones`',
      examples: ['Z2FDTNDATAQYW2'],
    }),
  ),
}

export const CopyBody = Type.Object({
  ...Destination,
  createZone: Type.Boolean({
    default: false,
    description: 'Make the zone where the provider has none of that name',
    examples: [true],
  }),
  mode: Type.Unsafe<CopyMode>({
    ...named('CopyMode'),
    type: 'string',
    enum: ['merge', 'replace'],
    default: 'merge',
    description:
      '`merge` adds and updates, and leaves there what the domain does not have; `replace` deletes that, except NS at the apex',
    examples: ['merge'],
  }),
  skipRefused: Type.Boolean({
    default: false,
    description: 'Leave out what the provider can not hold, and do the rest',
    examples: [false],
  }),
  dryRun: Type.Boolean({
    default: false,
    description: 'Only answer the plan; nothing changes anywhere',
    examples: [true],
  }),
})

export const CopyAnswer = Type.Object(
  {
    plan: Type.Unsafe<object>({
      $ref: 'Plan#',
      description:
        'What is done at the other provider. `recordId` is that of the record here (of a deletion it means nothing), `index` its place among them; `conflicts` is what the provider can not hold, `warnings` what becomes different',
    }),
    zoneId: Nullable(
      Type.String({ description: 'At the other provider; null: not there yet', examples: ['example.com'] }),
    ),
    failed: Type.Array(
      Type.Object(
        {
          action: Type.Unsafe<'create' | 'update' | 'delete'>({
            type: 'string',
            enum: ['create', 'update', 'delete'],
            examples: ['create'],
          }),
          recordId: Uuid,
          record: Content,
          error: Type.String({ examples: ['The provider refused it'] }),
        },
        named('FailedCopy'),
      ),
      { description: 'With `skipRefused`: what the provider refused when it was sent' },
    ),
  },
  named('CopyAnswer'),
)

export const SwitchBody = Type.Object({
  ...Destination,
  force: Type.Boolean({
    default: false,
    description: 'Also when the zone there lacks records of the domain: they are gone here then',
    examples: [false],
  }),
})

const Ds = (description: string) =>
  Nullable(
    Type.Array(Type.String({ examples: [`12345 13 2 ${'ab'.repeat(32)}`] }), {
      description: `${description}; null: a provider that does not show it, or did not answer`,
    }),
  )

export const SwitchAnswer = Type.Object(
  {
    domain: ref(Domain),
    changeId: { ...Uuid, description: 'The entry in the history' },
    created: Type.Integer({ description: 'Records that only the zone there had', examples: [0] }),
    updated: Type.Integer({ description: 'Records that are there otherwise, such as in TTL', examples: [2] }),
    deleted: Type.Integer({ description: 'Records that are not there', examples: [2] }),
    nameServers: Type.Array(Type.String({ examples: ['ns1.example.net'] }), {
      description: 'To be set at the registrar; empty: the provider does not say',
    }),
    dsToRemove: Ds('To be taken off at the registrar before the name servers are changed'),
    dsToSet: Ds('To be set at the registrar when the new name servers are known everywhere'),
  },
  named('SwitchAnswer'),
)
