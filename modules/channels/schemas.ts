import { Type } from '@sinclair/typebox'
import { EventName, LEVELS, type Level } from '../../schemas/events/event-catalogue.ts'
import { PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { ErrorReason } from '../../schemas/problem.ts'
import { Label, Nullable, Timestamp, Uuid } from '../../schemas/scalars.ts'
import type { ChannelKind } from './senders/contract.ts'
import { CHANNELS } from './senders/registry.ts'
import { PATTERNS } from './events.ts'
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
  description: 'What is passed on: names of events, all of an area (`domain.*`), or all (`*`)',
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
  'Of which domains the channel is told. With both, a domain must meet both; with either, nothing is told that is about no domain'

const domains = Type.Object(shownFilter, { ...named('DomainFilter'), description: ABOUT_FILTERS })

const givenDomains = Type.Partial(Type.Object(shownFilter), {
  ...named('DomainFilterInput'),
  description: ABOUT_FILTERS,
})

/** Of any kind of channel; each sender's own schema is applied where the channel is known. */
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
  description: 'Secrets are masked, and what is secret of an address',
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
      { ...named('LastDelivery'), description: 'How the last try ended; null before the first' },
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
    channel: Type.Unsafe<ChannelKind>({ ...channel, description: 'Stays as it is' }),
    name,
    config: shownAs(configChanges('What is missing, empty or masked stays; null removes'), config),
    events,
    domains: givenDomains,
    enabled,
  }),
)

export const TestReport = Type.Object({
  ok: Type.Boolean({ examples: [true] }),
  error: Nullable(Type.String({ description: 'What went wrong, in words', examples: [null] })),
  ...ErrorReason,
  durationMs: Type.Integer({ examples: [120] }),
})

const Status = Type.Unsafe<'pending' | 'delivered' | 'dead'>({
  ...named('DeliveryStatus'),
  type: 'string',
  enum: ['pending', 'delivered', 'dead'],
  examples: ['delivered'],
})

export const DeliveryQuery = Type.Object({ ...PageQuery(50), status: Type.Optional(Status) })

export const DeliveryParams = Type.Object({ id: Uuid, deliveryId: Uuid })

export const Delivery = Type.Object(
  {
    id: Uuid,
    eventId: Type.String({ ...Uuid, description: 'What receivers get as the id of the message' }),
    event: EventName,
    title: Type.String({ examples: ['example.com expires in 7 days'] }),
    status: Status,
    tries: Type.Integer({ examples: [1] }),
    error: Nullable(Type.String({ description: 'Of the last try, in words', examples: [null] })),
    ...ErrorReason,
    createdAt: Timestamp,
    lastTryAt: Nullable(Timestamp),
    nextTryAt: Nullable(Type.String({ ...Timestamp, description: 'Not before; while it is pending' })),
    deliveredAt: Nullable(Timestamp),
  },
  named('Delivery'),
)

export const Deliveries = Type.Object({ deliveries: Type.Array(Delivery), ...PageEnvelope })

export const ChannelCatalogue = Type.Object({
  channels: Type.Array(
    Type.Object({
      channel,
      name: Type.String({ description: 'What people call it', examples: ['Webhook'] }),
      available: Type.Boolean({
        description: 'Whether the service has what it needs: for e-mail a mail server',
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
      level: Type.Unsafe<Level>({
        ...named('Level'),
        type: 'string',
        enum: [...LEVELS],
        examples: ['warning'],
      }),
      description: Type.String({
        description: 'When it is told',
        examples: ['The registration of a domain has ended'],
      }),
    }),
  ),
})
