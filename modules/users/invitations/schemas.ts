import { Type } from '@sinclair/typebox'
import { PageEnvelope, PageQuery } from '../../../schemas/paging.ts'
import { Nullable, Timestamp, Uuid } from '../../../schemas/scalars.ts'
import { EmailAddress } from '../../../schemas/people/email-address.ts'
import { Role } from '../../../schemas/people/user.ts'
import { named } from '../../../schemas/named.ts'

const STATES = ['active', 'used', 'expired', 'revoked'] as const

const invitation = {
  id: Uuid,
  codePrefix: Type.String({
    description: 'First characters, to tell invitations apart',
    examples: ['Xw3kQ1'],
  }),
  role: Role,
  email: Nullable(Type.String({ examples: ['ada@example.com'] })),
  mailed: Type.Boolean({
    description: 'The code was emailed to `email`, so using it verifies the address',
    examples: [true],
  }),
  status: Type.Unsafe<(typeof STATES)[number]>({
    ...named('InvitationStatus'),
    type: 'string',
    enum: [...STATES],
    examples: ['active'],
  }),
  maxUses: Type.Integer({ examples: [1] }),
  uses: Type.Integer({ examples: [0] }),
  createdBy: Type.Object(
    { id: Nullable(Uuid), username: Nullable(Type.String({ examples: ['admin'] })) },
    named('Inviter'),
  ),
  createdAt: Timestamp,
  expiresAt: Nullable(Timestamp),
  revokedAt: Nullable(Timestamp),
}

export const Invitation = Type.Object(invitation, named('Invitation'))

export const NewInvitation = Type.Object({
  ...invitation,
  code: Type.String({ description: 'Returned only once', examples: ['Xw3kQ1s9Zb7LmN0pRtYvUa2c'] }),
})

export const InvitationPage = Type.Object({ invitations: Type.Array(Invitation), ...PageEnvelope })

export const ListQuery = Type.Object(PageQuery(20))

export const CreateBody = Type.Object({
  role: Role,
  email: Type.Optional(
    Nullable(
      Type.String({
        ...EmailAddress,
        description: 'The address the account gets. If email is configured, the code is sent there',
      }),
    ),
  ),
  maxUses: Type.Integer({ minimum: 1, maximum: 1000, default: 1, examples: [1] }),
  expiresAt: Type.Optional(Nullable(Timestamp)),
})
