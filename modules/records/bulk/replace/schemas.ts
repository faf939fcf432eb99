import { Type, type Static } from '@sinclair/typebox'
import { named } from '../../../../schemas/named.ts'
import { RecordType } from '../../../../schemas/records/record-type.ts'
import { Label, Uuid } from '../../../../schemas/scalars.ts'
import { Name, recordFields, Value } from '../../schemas.ts'
import { MAX_DOMAINS, PlanLimit } from '../schemas.ts'

/** Most records that can be named by id. */
const MAX_RECORD_IDS = 1_000

const Cidr = Type.String({
  maxLength: 50,
  description: 'A network; finds all A and AAAA records with an address in it',
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
    description: 'Limits the domains; all conditions must hold. By default all domains that the caller sees',
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
          Type.Unsafe<string>({ ...Value, description: 'The whole value, in any valid form of its type' }),
        ),
        cidr: Type.Optional(Cidr),
        name: Type.Optional(Type.Unsafe<string>({ ...Name, description: 'Only records with this name' })),
        recordIds: Type.Optional(
          Type.Array(Uuid, {
            minItems: 1,
            maxItems: MAX_RECORD_IDS,
            uniqueItems: true,
            description: 'Only these records',
          }),
        ),
      },
      {
        ...named('FindRecords'),
        description:
          '`value` or `cidr`; without both, the records of `type` and `name`. Also finds addresses in `ipv4hint` and `ipv6hint` of HTTPS and SVCB and in `ip4:` and `ip6:` of SPF',
      },
    ),
    replaceWith: Type.Object(
      {
        value: Type.Optional(
          Type.Unsafe<string>({
            ...Value,
            description:
              'With `cidr`: an address, or a network of the same size in which each address keeps its host part',
          }),
        ),
        ttl: Type.Optional(recordFields.ttl),
      },
      {
        ...named('ReplaceRecords'),
        description:
          'At least one of the two. Without `find.value` and `find.cidr`, a value needs `find.type`. The TTL does not apply to records that only contain an address in their value',
      },
    ),
    scope: Type.Optional(Scope),
    limit: PlanLimit,
  },
  named('ReplaceBody'),
)
export type ReplaceBody = Static<typeof ReplaceBody>
