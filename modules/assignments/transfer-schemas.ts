import { Type } from '@sinclair/typebox'
import { named } from '../../schemas/named.ts'
import { PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { ref } from '../../schemas/ref.ts'
import { Nullable, Timestamp, Uuid } from '../../schemas/scalars.ts'

const STATES = ['pending', 'accepted', 'declined', 'withdrawn', 'expired'] as const

const Status = Type.Unsafe<(typeof STATES)[number]>({
  ...named('DomainTransferStatus'),
  type: 'string',
  enum: [...STATES],
  description:
    'All but `pending` are final. `withdrawn` also means that the domain changed its owner in the meantime',
  examples: ['pending'],
})

export const TransferBody = Type.Object({
  userId: Type.Optional(Type.Unsafe<string>({ ...Uuid, description: 'The new owner; this or `username`' })),
  username: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ['ada'] })),
})

export const DomainTransfer = Type.Object(
  {
    id: Uuid,
    domainId: Uuid,
    domainName: Type.String({ examples: ['example.com'] }),
    fromUserId: Uuid,
    fromUsername: Type.String({ description: 'The current owner', examples: ['bob'] }),
    toUserId: Uuid,
    toUsername: Type.String({ description: 'The receiver', examples: ['ada'] }),
    status: Status,
    createdAt: Timestamp,
    expiresAt: Type.Unsafe<string>({ ...Timestamp, description: 'When the offer expires' }),
    endedAt: Nullable(Timestamp),
  },
  { $id: 'DomainTransfer' },
)

export const TransferQuery = Type.Object({
  ...PageQuery(20),
  status: Type.Optional(Status),
  domainId: Type.Optional(Uuid),
})

export const TransferPage = Type.Object({ transfers: Type.Array(ref(DomainTransfer)), ...PageEnvelope })
