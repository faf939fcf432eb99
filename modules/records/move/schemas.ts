import { Type } from '@sinclair/typebox'
import { Domain } from '../../../schemas/domain.ts'
import { named } from '../../../schemas/named.ts'
import { Content } from '../../../schemas/records/record-changes.ts'
import { ref } from '../../../schemas/ref.ts'
import { Nullable, Uuid } from '../../../schemas/scalars.ts'
import type { CopyMode } from './copy-plan.ts'

const Destination = {
  providerConfigId: { ...Uuid, description: 'A provider connection that the caller may use' },
  zoneId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Selects one of several zones of the name, see `GET /api/provider-configs/{id}/zones`',
      examples: ['Z2FDTNDATAQYW2'],
    }),
  ),
}

export const CopyBody = Type.Object({
  ...Destination,
  createZone: Type.Boolean({
    default: false,
    description: 'Create the zone if the provider has none of that name',
    examples: [true],
  }),
  mode: Type.Unsafe<CopyMode>({
    ...named('CopyMode'),
    type: 'string',
    enum: ['merge', 'replace'],
    default: 'merge',
    description:
      '`merge` adds and updates, and keeps records that only the provider holds; `replace` deletes them, except NS at the apex',
    examples: ['merge'],
  }),
  skipRefused: Type.Boolean({
    default: false,
    description: 'Leave out records that the provider does not support',
    examples: [false],
  }),
  dryRun: Type.Boolean({
    default: false,
    description: 'Only return the plan; nothing changes anywhere',
    examples: [true],
  }),
})

export const CopyAnswer = Type.Object(
  {
    plan: Type.Unsafe<object>({
      $ref: 'Plan#',
      description:
        'Changes at the other provider. `recordId` is the id of the record here (meaningless for deletes), `index` its position. `conflicts` lists records that the provider does not support, `warnings` what will differ',
    }),
    zoneId: Nullable(
      Type.String({
        description: 'Zone at the other provider; null if it does not exist yet',
        examples: ['example.com'],
      }),
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
          error: Type.String({ examples: ['The provider refused the record'] }),
        },
        named('FailedCopy'),
      ),
      { description: 'With `skipRefused`: changes that the provider refused' },
    ),
  },
  named('CopyAnswer'),
)

export const SwitchBody = Type.Object({
  ...Destination,
  force: Type.Boolean({
    default: false,
    description: 'Switch even if the target zone is missing records, which are then deleted here',
    examples: [false],
  }),
})

const Ds = (description: string) =>
  Nullable(
    Type.Array(Type.String({ examples: [`12345 13 2 ${'ab'.repeat(32)}`] }), {
      description: `${description}; null if a provider does not show it or did not answer`,
    }),
  )

export const SwitchAnswer = Type.Object(
  {
    domain: ref(Domain),
    changeId: { ...Uuid, description: 'The change in the history' },
    created: Type.Integer({ description: 'Records that only the target zone had', examples: [0] }),
    updated: Type.Integer({
      description: 'Records that differ in the target zone, for example in TTL',
      examples: [2],
    }),
    deleted: Type.Integer({ description: 'Records missing from the target zone', examples: [2] }),
    nameServers: Type.Array(Type.String({ examples: ['ns1.example.net'] }), {
      description: 'To set at the registrar; empty if the provider does not show them',
    }),
    dsToRemove: Ds('To remove at the registrar before changing the name servers'),
    dsToSet: Ds('To set at the registrar once the new name servers have spread'),
  },
  named('SwitchAnswer'),
)
