import { Type } from '@sinclair/typebox'
import { PERMISSIONS, Permission } from '../../../schemas/people/permission.ts'
import { MAX_TYPES, RecordType } from '../../../schemas/records/record-type.ts'
import { Label, Nullable, Timestamp, Uuid } from '../../../schemas/scalars.ts'
import { PasswordAgain } from '../../../schemas/people/sign-in.ts'
import { named } from '../../../schemas/named.ts'
import { AccountKind, Role } from '../../../schemas/people/user.ts'

const Restrictions = Type.Object(
  {
    domainIds: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 1_000, uniqueItems: true })),
    namePatterns: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 253, examples: ['*.dev'] }), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description: '`*` all names, `@` the apex, `app` that name, `*.dev` every name below dev',
      }),
    ),
    recordTypes: Type.Optional(
      Type.Array(RecordType, {
        minItems: 1,
        maxItems: MAX_TYPES,
        uniqueItems: true,
        examples: [['TXT']],
      }),
    ),
    ipRanges: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 50, examples: ['192.0.2.0/24'] }), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description: 'Client addresses, single or as CIDR',
      }),
    ),
  },
  {
    ...named('TokenRestrictions'),
    description: 'Limits what the token can reach; a missing field sets no limit',
  },
)

export const CreateTokenBody = Type.Object(
  {
    name: Label(100, ['router at home']),
    permissions: Type.Array(Permission, {
      minItems: 1,
      maxItems: PERMISSIONS.length,
      uniqueItems: true,
      examples: [['records:read']],
    }),
    restrictions: Type.Optional(Nullable(Restrictions)),
    expiresAt: Type.Optional({
      ...Nullable(Timestamp),
      description:
        'Expiry; null: never. By default never, or the latest time `MAX_TOKEN_DAYS` of the service allows, which also refuses later times and null',
    }),
    password: Type.Optional(PasswordAgain),
  },
  named('CreateToken'),
)

const listed = {
  id: Uuid,
  name: Type.String({ examples: ['router at home'] }),
  permissions: Type.Array(Permission, { examples: [['records:read']] }),
  restrictions: Nullable(Restrictions),
  createdAt: Timestamp,
  expiresAt: Nullable(Timestamp),
}

/** Can be missing as a whole. */
export const RotateBody = Type.Unsafe<{ expiresAt?: string | null; password?: string } | null>({
  ...named('RotateToken'),
  type: ['object', 'null'],
  properties: {
    expiresAt: {
      ...Nullable(Timestamp),
      description:
        'Expiry of the new token; null: never, if `MAX_TOKEN_DAYS` of the service sets no limit. By default that of the old one',
    },
    password: PasswordAgain,
  },
})

export const NewToken = Type.Object(
  {
    token: Type.String({
      description: 'Returned only now',
      examples: ['zkp_4fQz0dKp7sXc2Vb9Nn3Mm6Ll1Jj8Hh5Gg0Ff7Ee2Dd9Cc0A1b2C3'],
    }),
    ...listed,
  },
  named('NewToken'),
)

export const TokenList = Type.Object(
  {
    tokens: Type.Array(
      Type.Object(
        {
          ...listed,
          tokenPrefix: Type.String({ examples: ['zkp_4fQz0d'] }),
          tokenSuffix: Nullable(
            Type.String({
              description: 'Its last 4 characters; null for tokens from before they were stored',
              examples: ['x7Qd'],
            }),
          ),
          lastUsedAt: Nullable(Timestamp),
          replacedBy: {
            ...Nullable(Uuid),
            description: 'The token that replaced it; this one expires soon',
          },
        },
        named('ListedToken'),
      ),
    ),
    maxDays: {
      ...Nullable(Type.Integer()),
      description:
        'The maximum lifetime of a token in days, as set by `MAX_TOKEN_DAYS` of the service; null: no limit',
      examples: [365],
    },
  },
  named('TokenList'),
)

/** What a program can read about its token. */
export const OwnToken = Type.Object({
  ...listed,
  lastUsedAt: Nullable(Timestamp),
  user: Type.Object(
    {
      id: Uuid,
      kind: AccountKind,
      username: Type.String({ examples: ['ada'] }),
      displayName: Nullable(Type.String({ examples: ['Ada Lovelace'] })),
      role: Role,
    },
    named('TokenOwner'),
  ),
})

export const MachineTokenParams = Type.Object({ id: Uuid, tokenId: Uuid })
