import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Audience } from '../../plugins/openapi/audience.ts'
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

/** Channel configurations: under /api and /api/v1. */
export const routes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, adminRule, tags, operationId } },
) => {
  app.get('/notifications/configs', {
    config: { ...adminRule('channels:read') },
    schema: {
      operationId: operationId('listChannels'),
      tags: tags('Channels'),
      summary: 'List channel configurations',
      description:
        'For administrators. Secrets are masked. `lastDelivery` is the result of the last attempt.',
      response: { 200: Channels },
    },
    handler: () => listChannelConfigs(app),
  })

  app.get('/notifications/channels', {
    config: { ...adminRule('channels:read') },
    schema: {
      operationId: operationId('listChannelKinds'),
      tags: tags('Channels'),
      summary: 'List the kinds of channels and the events they can receive',
      description:
        'For each kind, the JSON Schema of its `config`, sufficient to render a form, and whether the service meets its requirements. For each event, its level and when it happens.',
      response: { 200: ChannelCatalogue },
    },
    handler: async () => channelCatalogue(app),
  })

  app.post('/notifications', {
    config: { ...adminRule('channels:write'), errors: [503] },
    schema: {
      operationId: operationId('createChannel'),
      tags: tags('Channels'),
      summary: 'Create a channel',
      description:
        'For administrators. A channel of the kind `email` returns 503 while the service has no mail server.',
      body: CreateChannelBody,
      response: { 201: Channel },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const channel = await once(caller, () => createChannelConfig(app, caller, request.body))
      return reply.code(201).header('location', `${base}/notifications/configs/${channel.id}`).send(channel)
    },
  })

  app.get('/notifications/configs/:id', {
    config: { ...adminRule('channels:read') },
    schema: {
      operationId: operationId('getChannel'),
      tags: tags('Channels'),
      summary: 'Get a channel configuration',
      description:
        'For administrators. Secrets are masked. A configuration can be sent back unchanged: masked values are kept.',
      params: IdParams,
      response: { 200: Channel },
    },
    handler: (request) => readChannelConfig(app, request.params.id),
  })

  app.put('/notifications/configs/:id', {
    config: { ifMatch: true, ...adminRule('channels:write') },
    schema: {
      operationId: operationId('updateChannel'),
      tags: tags('Channels'),
      summary: 'Update a channel',
      description:
        'For administrators. Missing fields and masked secrets are kept. Pending deliveries are retried immediately. If the URL changes, secrets and headers must be re-entered (400).',
      params: IdParams,
      body: UpdateChannelBody,
      response: { 200: Channel },
    },
    handler: (request) => updateChannelConfig(app, callerOf(request), request.params.id, request.body),
  })

  app.delete('/notifications/configs/:id', {
    config: { ifMatch: true, ...adminRule('channels:write') },
    schema: {
      operationId: operationId('deleteChannel'),
      tags: tags('Channels'),
      summary: 'Delete a channel',
      description: 'For administrators. Pending deliveries are not sent, and the delivery log is deleted.',
      params: IdParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await deleteChannelConfig(app, callerOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
}
