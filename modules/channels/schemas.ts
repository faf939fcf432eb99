import { Type } from '@sinclair/typebox'
import { EventName, Level } from '../../schemas/events/event-catalogue.ts'
import { PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { ErrorReason } from '../../schemas/problem.ts'
import { Label, Nullable, OneOf, Timestamp, Uuid } from '../../schemas/scalars.ts'
import type { ChannelKind } from './senders/contract.ts'
import { CHANNELS } from './senders/registry.ts'
import { PATTERNS } from './catalogue.ts'
import { channelOfKind, configChanges, newChannelOfKind } from './kind-schemas.ts'
import { named, shownAs } from '../../schemas/named.ts'

const channel = Type.Unsafe<ChannelKind>({
  ...named('ChannelKind'),
  type: 'string',
  enum: CHANNELS,
  examples: ['webhook'],
})
const name = Label(100, ['Operations'])
const enabled = Type.Boolean({ examples: [true] })

const pattern = Type.Unsafe<string>({ ...named('EventPattern'), type: 'string', enum: PATTERNS })

const events = Type.Array(pattern, {
  maxItems: 100,
  uniqueItems: true,
  description: 'Events to send: names, areas (`domain.*`) or all (`*`)',
  examples: [['domain.expiring', 'domain.expired', 'channel.*']],
})

const MAX_FILTERS = 50

const filter = (maxLength: number, examples: string[], description: string) =>
  Type.Array(Label(maxLength, examples), {
    maxItems: MAX_FILTERS,
    uniqueItems: true,
    description,
    examples: [examples],
  })

const shownFilter = {
  groups: filter(100, ['production'], 'Domains in one of these groups; empty: in any or none'),
  tags: filter(50, ['web'], 'Domains with one of these tags; empty: with any or none'),
}

const ABOUT_FILTERS =
  'Limits the channel to these domains. With both filters, a domain must match both. With either, events that concern no domain are not sent.'

const domains = Type.Object(shownFilter, { ...named('DomainFilter'), description: ABOUT_FILTERS })

const givenDomains = Type.Partial(Type.Object(shownFilter), {
  ...named('DomainFilterInput'),
  description: ABOUT_FILTERS,
})

/** Any kind of channel; the sender's own schema is applied once the kind is known. */
const config = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  examples: [
    { url: 'https://hooks.example.com/zonekeeper', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  ],
})

const maskedConfig = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Secrets, and the secret parts of URLs, are masked',
  examples: [{ url: 'https://hooks.example.com/••••', secret: '••••LaSw' }],
})

const shownFirst = { id: Uuid, name: Type.String({ examples: ['Operations'] }) }
const shownLast = {
  events,
  domains,
  enabled,
  createdAt: Timestamp,
  lastDelivery: Nullable(
    Type.Object(
      {
        at: Timestamp,
        ok: Type.Boolean({ examples: [true] }),
        error: Nullable(Type.String({ examples: [null] })),
        ...ErrorReason,
      },
      { ...named('LastDelivery'), description: 'The result of the last attempt; null before the first' },
    ),
  ),
}

export const Channel = shownAs(
  { ...channelOfKind({ ...shownFirst, ...shownLast }), ...named('Channel') },
  Type.Object({ ...shownFirst, channel, config: maskedConfig, ...shownLast }),
)

export const Channels = Type.Object({ configs: Type.Array(Channel) })

const given = {
  name,
  events,
  domains: { ...givenDomains, default: {} } as typeof givenDomains,
  enabled: Type.Boolean({ default: true, examples: [true] }),
}

export const CreateChannelBody = shownAs(newChannelOfKind(given), Type.Object({ ...given, channel, config }))

export const UpdateChannelBody = Type.Partial(
  Type.Object({
    channel: Type.Unsafe<ChannelKind>({ ...channel, description: 'Cannot be changed' }),
    name,
    config: shownAs(configChanges('Missing, empty and masked values are kept; null removes a value'), config),
    events,
    domains: givenDomains,
    enabled,
  }),
)

export const TestReport = Type.Object({
  ok: Type.Boolean({ examples: [true] }),
  error: Nullable(Type.String({ description: 'What went wrong', examples: [null] })),
  ...ErrorReason,
  durationMs: Type.Integer({ examples: [120] }),
})

const Status = OneOf(['pending', 'delivered', 'dead'], {
  ...named('DeliveryStatus'),
  examples: ['delivered'],
})

export const DeliveryQuery = Type.Object({ ...PageQuery(50), status: Type.Optional(Status) })

export const DeliveryParams = Type.Object({ id: Uuid, deliveryId: Uuid })

export const Delivery = Type.Object(
  {
    id: Uuid,
    eventId: Type.String({ ...Uuid, description: 'The message id that receivers get' }),
    event: EventName,
    title: Type.String({ examples: ['example.com expires in 7 days'] }),
    status: Status,
    tries: Type.Integer({ examples: [1] }),
    error: Nullable(Type.String({ description: 'The error of the last attempt', examples: [null] })),
    ...ErrorReason,
    createdAt: Timestamp,
    lastTryAt: Nullable(Timestamp),
    nextTryAt: Nullable(
      Type.String({ ...Timestamp, description: 'Earliest time of the next attempt, while pending' }),
    ),
    deliveredAt: Nullable(Timestamp),
  },
  named('Delivery'),
)

export const Deliveries = Type.Object({ deliveries: Type.Array(Delivery), ...PageEnvelope })

export const ChannelCatalogue = Type.Object({
  channels: Type.Array(
    Type.Object({
      channel,
      name: Type.String({ description: 'Display name', examples: ['Webhook'] }),
      available: Type.Boolean({
        description: 'Whether the service meets the requirements: for email, a mail server',
        examples: [true],
      }),
      configSchema: Type.Unsafe<object>({
        type: 'object',
        additionalProperties: true,
        description: 'JSON Schema of `config`, with titles: enough to draw the form. Secrets are writeOnly.',
        examples: [
          { type: 'object', required: ['url'], properties: { url: { type: 'string', title: 'Address' } } },
        ],
      }),
    }),
  ),
  events: Type.Array(
    Type.Object({
      event: EventName,
      level: Level,
      description: Type.String({
        description: 'When the event happens',
        examples: ['The registration of a domain has ended'],
      }),
    }),
  ),
})
