import { Type, type Static } from '@sinclair/typebox'
import { named } from '../../../../schemas/named.ts'
import { RecordType } from '../../../../schemas/record-type.ts'
import { Label, Uuid } from '../../../../schemas/scalars.ts'
import { Name, recordFields, Value } from '../../schemas.ts'
import { MAX_DOMAINS, PlanLimit } from '../schemas.ts'

/** So many records can be named one by one. */
const MAX_RECORD_IDS = 1_000

const Cidr = Type.String({
  maxLength: 50,
  description: 'A network, of whose addresses all A and AAAA records are found',
  examples: ['192.0.2.0/24'],
})

export const Scope = Type.Object(
  {
    domainIds: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: MAX_DOMAINS, uniqueItems: true })),
    group: Type.Optional(Type.String({ maxLength: 100, examples: ['production'] })),
    tag: Type.Optional(Label(50, ['web'])),
    search: Type.Optional(
      Type.String({ maxLength: 253, description: 'Part of the name', examples: ['exam'] }),
    ),
    providerConfigId: Type.Optional(Uuid),
  },
  {
    ...named('DomainScope'),
    description: 'Which domains: those for which all of it holds; missing: all that the caller sees',
    examples: [{ group: 'production' }],
  },
)
export type Scope = Static<typeof Scope>

export const ReplaceBody = Type.Object(
  {
    find: Type.Object(
      {
        type: Type.Optional(RecordType),
        value: Type.Optional(
          Type.Unsafe<string>({ ...Value, description: 'The whole value, in any form that its type takes' }),
        ),
        cidr: Type.Optional(Cidr),
        name: Type.Optional(
          Type.Unsafe<string>({ ...Name, description: 'Of records with this host part alone' }),
        ),
        recordIds: Type.Optional(
          Type.Array(Uuid, {
            minItems: 1,
            maxItems: MAX_RECORD_IDS,
            uniqueItems: true,
            description: 'Of these records alone',
          }),
        ),
      },
      {
        ...named('FindRecords'),
        description:
          '`value` or `cidr`, or neither: then the records of `type` and `name`. Addresses are also found in `ipv4hint` and `ipv6hint` of HTTPS and SVCB and in `ip4:` and `ip6:` of SPF',
      },
    ),
    replaceWith: Type.Object(
      {
        value: Type.Optional(
          Type.Unsafe<string>({
            ...Value,
            description:
              'With `cidr` an address, or a network of the same size in which each address keeps its place',
          }),
        ),
        ttl: Type.Optional(recordFields.ttl),
      },
      {
        ...named('ReplaceRecords'),
        description:
          'At least one of both; without `find.value` or `find.cidr` a value needs `find.type`. A TTL is for the found records, not for those that have an address inside of their value',
      },
    ),
    scope: Type.Optional(Scope),
    limit: PlanLimit,
  },
  named('ReplaceBody'),
)
export type ReplaceBody = Static<typeof ReplaceBody>
