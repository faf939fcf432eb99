import { Type, type Static } from '@sinclair/typebox'
import { Domain, DomainListItem, DomainStatus, ExpiryRemindDays } from '../../schemas/domain.ts'
import { CursorQuery, NextCursor, Order, PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { NO_CONTROLS, Label, Nullable, Timestamp, Uuid } from '../../schemas/scalars.ts'
import { ref } from '../../schemas/ref.ts'
import { DriftPolicy } from '../../schemas/records/drift.ts'
import { ReviewExempt, ReviewPolicy } from '../../schemas/records/review.ts'
import { Verify } from '../../schemas/records/verify.ts'
import { named } from '../../schemas/named.ts'

/** Of one domain. */
export const MAX_TAGS = 50

const Tags = Type.Array(Label(50, ['web']), { maxItems: MAX_TAGS, examples: [['web']] })
const GroupName = Type.String({
  maxLength: 100,
  pattern: NO_CONTROLS,
  examples: ['production'],
})
const Notes = Type.String({ maxLength: 10_000, examples: ['bought from the previous owner'] })
const ExpiresAt = Nullable(Timestamp)
const SyncInterval = Nullable(
  Type.Integer({
    minimum: 5,
    maximum: 43_200,
    description: 'Minutes between automatic syncs with the provider; null: none',
    examples: [60],
  }),
)
const DefaultTtl = Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [3600] })

export const SORTS = ['name', 'expiresAt', 'createdAt', 'recordCount'] as const
export type Sort = (typeof SORTS)[number]

/** Lists of more domains reject queries that would take seconds. */
export const LARGE_LIST = 50_000
/** Rows of a large filtered list that can be paged through. */
export const REACH = 5_000
/** Minimum characters of a search in a large list, given by the trigram index. */
export const MIN_SEARCH = 3

const { page, limit } = PageQuery(20)

export const ListQuery = Type.Object({
  page: Type.Integer({
    ...page,
    description:
      `Of more than ${LARGE_LIST} domains that a filter matches, or to whose list others were assigned, ` +
      `the first ${REACH} can be paged through; without a filter, and by \`cursor\`, all`,
  }),
  limit,
  ...CursorQuery,
  status: Type.Optional(DomainStatus),
  group: Type.Optional(Type.String({ maxLength: 100, examples: ['production'] })),
  tag: Type.Optional(Type.String({ maxLength: 50, examples: ['web'] })),
  search: Type.Optional(
    Type.String({
      maxLength: 253,
      description: `Part of the name; at least ${MIN_SEARCH} characters in a list of more than ${LARGE_LIST} domains`,
      examples: ['exam'],
    }),
  ),
  ownerId: Type.Optional(Uuid),
  providerConfigId: Type.Optional(Uuid),
  syncFailed: Type.Optional(Type.Boolean({ description: 'Whether the last sync failed', examples: [true] })),
  expiresBefore: Type.Optional(Timestamp),
  expiresAfter: Type.Optional(Type.Unsafe<string>({ ...Timestamp, description: 'At or after' })),
  sort: Type.Unsafe<Sort>({
    ...named('DomainSort'),
    type: 'string',
    enum: [...SORTS],
    default: 'name',
    examples: ['name'],
  }),
  order: Order,
})

export const DomainPage = Type.Object(
  { domains: Type.Array(ref(DomainListItem)), ...PageEnvelope, ...NextCursor },
  named('DomainPage'),
)

export const ZoneId = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'The `id` of the zone at the provider, required if several have the name',
  examples: ['Z2FDTNDATAQYW2'],
})

export const CreateBody = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'In Unicode or punycode',
    examples: ['example.com'],
  }),
  providerConfigId: Uuid,
  expiresAt: Type.Optional(ExpiresAt),
  groupName: Type.Optional(GroupName),
  tags: Type.Optional(Tags),
  notes: Type.Optional(Notes),
  expiryRemindDays: Type.Optional(ExpiryRemindDays),
  autoCheckExpiry: Type.Optional(Type.Boolean({ examples: [false] })),
  defaultTtl: Type.Optional(DefaultTtl),
  syncInterval: Type.Optional(SyncInterval),
  zoneId: Type.Optional(ZoneId),
  createZone: Type.Optional(
    Type.Boolean({
      description: 'Create the zone at the provider if it does not exist',
      examples: [false],
    }),
  ),
  template: Type.Optional(
    Type.Object(
      {
        id: Type.String({ maxLength: 50, examples: ['parked'] }),
        variables: Type.Optional(
          Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 1000 }), {
            maxProperties: 30,
            examples: [{}],
          }),
        ),
      },
      {
        ...named('StartTemplate'),
        description: 'Template applied after registration; if that fails, `warnings` has the reason',
      },
    ),
  ),
})

export const CreatedDomain = Type.Object(
  {
    ...Domain.properties,
    warnings: Type.Optional(
      Type.Array(
        Type.String({ examples: ['The template Parked domain was not applied: 0 . is not taken'] }),
        { description: 'With a template: why it was not applied, and its warnings' },
      ),
    ),
  },
  { $id: 'CreatedDomain' },
)

export const UpdateBody = Type.Partial(
  Type.Object({
    name: Type.String({ description: "Can't be changed", maxLength: 1000, examples: ['example.com'] }),
    providerConfigId: Type.Unsafe<string>({ ...Uuid, description: "Can't be changed" }),
    expiresAt: ExpiresAt,
    groupName: GroupName,
    tags: Tags,
    notes: Notes,
    expiryRemindDays: ExpiryRemindDays,
    autoCheckExpiry: Type.Boolean({ examples: [false] }),
    defaultTtl: DefaultTtl,
    syncInterval: SyncInterval,
    reviewPolicy: ReviewPolicy,
    reviewExempt: ReviewExempt,
    verify: Verify,
    driftPolicy: DriftPolicy,
  }),
)

const BulkSettings = Type.Object({
  groupName: Type.Optional(GroupName),
  tags: Type.Optional(Tags),
  addTags: Type.Optional(
    Type.Unsafe<string[]>({ ...Tags, description: 'Tags to add to each domain, or to `tags`' }),
  ),
  removeTags: Type.Optional(
    Type.Unsafe<string[]>({ ...Tags, description: 'Tags to remove from each domain, before `addTags`' }),
  ),
  expiryRemindDays: Type.Optional(ExpiryRemindDays),
  autoCheckExpiry: Type.Optional(Type.Boolean({ examples: [true] })),
})

export const BulkBody = Type.Object({
  ids: Type.Array(Uuid, { minItems: 1, maxItems: 200, uniqueItems: true }),
  set: Type.Unsafe<Static<typeof BulkSettings>>({
    ...BulkSettings,
    description: 'At least one; omitted fields stay unchanged',
    anyOf: Object.keys(BulkSettings.properties).map((name) => ({ required: [name] })),
  }),
})

export const BulkAnswer = Type.Object({ updated: Type.Integer({ examples: [2] }) })

export const ExpiryRemindBody = Type.Partial(
  Type.Object({ expiryRemindDays: ExpiryRemindDays, autoCheckExpiry: Type.Boolean({ examples: [true] }) }),
)

export const ExpiryBody = Type.Object({ expiresAt: ExpiresAt })

export const DeleteQuery = Type.Object({
  deleteZone: Type.Boolean({
    default: false,
    description: 'Also delete the zone at the provider, with all its records',
    examples: [false],
  }),
})

const Counted = Type.Array(
  Type.Object(
    { name: Type.String({ examples: ['web'] }), count: Type.Integer({ examples: [3] }) },
    named('Counted'),
  ),
)
export const TagsAnswer = Type.Object({ tags: Counted })
export const GroupsAnswer = Type.Object({ groups: Counted })

export const ZonesAnswer = Type.Object({
  zones: Type.Array(
    Type.Object({
      id: Type.String({ description: "The provider's zone id", examples: ['example.com.'] }),
      name: Type.String({
        description: 'Several zones may have the same name and differ in `id`',
        examples: ['example.com'],
      }),
      unicodeName: Type.String({ examples: ['example.com'] }),
      nameServers: Nullable(
        Type.Array(Type.String(), {
          description: 'Name servers of the zone; null: unknown',
          examples: [['ns1.example.net', 'ns2.example.net']],
        }),
      ),
      status: Nullable(
        Type.Unsafe<'active' | 'pending' | 'paused'>({
          type: 'string',
          enum: ['active', 'pending', 'paused'],
          description:
            '`pending`: not yet delegated to the provider. `paused`: stored but not served. Null: unknown',
          examples: ['active'],
          ...named('ZoneStatus'),
        }),
      ),
      kind: Nullable(
        Type.Unsafe<'primary' | 'secondary'>({
          type: 'string',
          enum: ['primary', 'secondary'],
          description: 'A `secondary` zone is transferred from another server. Null: unknown',
          examples: ['primary'],
          ...named('ZoneKind'),
        }),
      ),
      registered: Type.Boolean({
        description: 'Whether it is already a domain with this configuration',
        examples: [false],
      }),
      domainId: Nullable(Uuid),
      mirrored: Type.Boolean({
        description:
          'Whether it is the mirror of a domain, which decides what it holds; it can’t be imported',
        examples: [false],
      }),
      mirrorOf: Nullable(
        Type.String({
          format: 'uuid',
          description: 'The domain that it mirrors; null also if you may not read all of that domain',
        }),
      ),
    }),
  ),
})
