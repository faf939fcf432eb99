import { Type } from '@sinclair/typebox'
import { PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { Label, Nullable, Timestamp, Uuid } from '../../schemas/scalars.ts'
import type { ChannelKind } from './senders/contract.ts'
import { CHANNELS } from './senders/registry.ts'

const channel = Type.Unsafe<ChannelKind>({ type: 'string', enum: CHANNELS, examples: ['webhook'] })
const name = Label(100, ['Operations'])
const enabled = Type.Boolean({ examples: [true] })

const events = Type.Array(Type.String({ maxLength: 100 }), {
  maxItems: 100,
  uniqueItems: true,
  description: 'What is passed on: names of events, all of an area (`domain.*`), or all (`*`)',
  examples: [['domain.expiring', 'domain.expired', 'channel.*']],
})

/** Of any kind of channel; each sender's own schema is applied where the channel is known. */
const config = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description:
    'chat_a, chat_b: `webhookUrl`, `secret`?; webhook: `url`, `secret`?, `headers`?; email: `to`; web: `audience` (admins or all)',
  examples: [
    { url: 'https://hooks.example.com/zonekeeper', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  ],
})

const maskedConfig = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Secrets are masked, and what is secret of an address',
  examples: [{ url: 'https://hooks.example.com/••••', secret: '••••LaSw' }],
})

export const Channel = Type.Object({
  id: Uuid,
  channel,
  name: Type.String({ examples: ['Operations'] }),
  config: maskedConfig,
  events,
  enabled,
  createdAt: Timestamp,
  lastDelivery: Type.Unsafe<{ at: string; ok: boolean; error: string | null } | null>({
    ...Type.Object({
      at: Timestamp,
      ok: Type.Boolean({ examples: [true] }),
      error: Nullable(Type.String({ examples: [null] })),
    }),
    type: ['object', 'null'],
    description: 'How the last try ended; null before the first',
  }),
})

export const Channels = Type.Object({ configs: Type.Array(Channel) })

export const CreateChannelBody = Type.Object({
  channel,
  name,
  config,
  events,
  enabled: Type.Boolean({ default: true, examples: [true] }),
})

export const UpdateChannelBody = Type.Partial(
  Type.Object({
    channel: Type.Unsafe<ChannelKind>({ ...channel, description: 'Stays as it is' }),
    name,
    config: Type.Unsafe<Record<string, unknown>>({
      ...config,
      description: 'What is missing, empty or masked stays; null removes',
    }),
    events,
    enabled,
  }),
)

export const TestReport = Type.Object({
  ok: Type.Boolean({ examples: [true] }),
  error: Nullable(Type.String({ description: 'What went wrong, in words', examples: [null] })),
  durationMs: Type.Integer({ examples: [120] }),
})

const Status = Type.Unsafe<'pending' | 'delivered' | 'dead'>({
  type: 'string',
  enum: ['pending', 'delivered', 'dead'],
  examples: ['delivered'],
})

export const DeliveryQuery = Type.Object({ ...PageQuery(50), status: Type.Optional(Status) })

export const DeliveryParams = Type.Object({ id: Uuid, deliveryId: Uuid })

export const Delivery = Type.Object({
  id: Uuid,
  eventId: Type.String({ ...Uuid, description: 'What receivers get as the id of the message' }),
  event: Type.String({ examples: ['domain.expiring'] }),
  title: Type.String({ examples: ['example.com expires in 7 days'] }),
  status: Status,
  tries: Type.Integer({ examples: [1] }),
  error: Nullable(Type.String({ description: 'Of the last try, in words', examples: [null] })),
  createdAt: Timestamp,
  lastTryAt: Nullable(Timestamp),
  nextTryAt: Nullable(Type.String({ ...Timestamp, description: 'Not before; while it is pending' })),
  deliveredAt: Nullable(Timestamp),
})

export const Deliveries = Type.Object({ deliveries: Type.Array(Delivery), ...PageEnvelope })
