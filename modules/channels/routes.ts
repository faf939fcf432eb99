import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import { once } from '../../plugins/http/idempotency/key.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { channelCatalogue } from './catalogue.ts'
import { ChannelCatalogue, Channel, Channels, CreateChannelBody, UpdateChannelBody } from './schemas.ts'
import {
  createChannelConfig,
  deleteChannelConfig,
  listChannelConfigs,
  readChannelConfig,
  updateChannelConfig,
} from './service.ts'

const tags = ['Channels']

/** Which channels there are. */
export const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/notifications/configs',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'listChannels',
        tags,
        summary: 'The channel configurations, secrets masked',
        description: 'For administrators. `lastDelivery` says how the last try ended.',
        response: { 200: Channels },
      },
    },
    () => listChannelConfigs(app),
  )

  app.get(
    '/notifications/channels',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'listChannelKinds',
        tags,
        summary: 'The kinds of channels, and the events that they can be told of',
        description:
          'For each kind the JSON Schema of its `config`, enough to draw the form, and whether the service has what it needs; for each event its level and when it is told.',
        response: { 200: ChannelCatalogue },
      },
    },
    async () => channelCatalogue(app),
  )

  app.post(
    '/notifications',
    {
      config: { access: 'admin', errors: [503] },
      schema: {
        operationId: 'createChannel',
        tags,
        summary: 'Set up a channel to the world outside',
        description: 'A channel of the kind email is 503 while the service has no mail server.',
        body: CreateChannelBody,
        response: { 201: Channel },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const channel = await once(caller, () => createChannelConfig(app, caller, request.body))
      return reply.code(201).header('location', `/api/notifications/configs/${channel.id}`).send(channel)
    },
  )

  app.get(
    '/notifications/configs/:id',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'getChannel',
        tags,
        summary: 'One channel configuration, secrets masked',
        description:
          'For administrators. A configuration may be sent back as it is shown: what is masked stays.',
        params: IdParams,
        response: { 200: Channel },
      },
    },
    (request) => readChannelConfig(app, request.params.id),
  )

  app.put(
    '/notifications/configs/:id',
    {
      config: { ifMatch: true, access: 'admin' },
      schema: {
        operationId: 'updateChannel',
        tags,
        summary: 'Change a channel; what is missing, and secrets that come back masked, stay',
        description:
          'What waits to be delivered is tried again at once. When the address changes, secrets and headers must be given again (400).',
        params: IdParams,
        body: UpdateChannelBody,
        response: { 200: Channel },
      },
    },
    (request) => updateChannelConfig(app, callerOf(request), request.params.id, request.body),
  )

  app.delete(
    '/notifications/configs/:id',
    {
      config: { ifMatch: true, access: 'admin' },
      schema: {
        operationId: 'deleteChannel',
        tags,
        summary: 'Delete a channel with all that waits in it',
        description:
          'For administrators. What waits is not delivered any more, and the log of deliveries goes, too.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteChannelConfig(app, callerOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
