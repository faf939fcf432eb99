import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { once } from '../../../plugins/http/idempotency/key.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../../plugins/openapi/openapi.ts'
import { UPSTREAM_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { ref } from '../../../schemas/ref.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { compareMirror, syncMirror } from './zones/comparing.ts'
import { readDelegation } from './delegation.ts'
import { promoteMirror } from './promote.ts'
import {
  Mirror,
  MirrorBody,
  MirrorComparison,
  MirrorDelegation,
  MirrorList,
  MirrorParams,
  MirrorSyncQuery,
  PromoteAnswer,
  PromoteBody,
} from './schemas.ts'
import { addMirror, listMirrors, readMirror, removeMirror } from './service.ts'

const rateLimit = { ...UPSTREAM_LIMIT, groupId: 'upstream' }
const upstream = { rateLimit, errors: [409, ...PROVIDER_ERRORS] } as const

/** Routes of mirrors, zones at other providers that follow a domain, under /api and /api/v1. */
export const mirrorRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get('/domains/:id/mirrors', {
    config: rule('domains:read'),
    schema: {
      operationId: operationId('listMirrors'),
      tags: tags('Domains'),
      summary: 'Mirrors of a domain: its zones at other DNS providers',
      description:
        'Requires read permission for the whole domain. Each change is applied at the provider of the domain first and then, in order, at each mirror.',
      params: IdParams,
      response: { 200: MirrorList },
    },
    handler: (request) => listMirrors(app, callerOf(request), request.params.id),
  })

  app.post('/domains/:id/mirrors', {
    config: { ...rule('domains:write'), ...upstream },
    schema: {
      operationId: operationId('addMirror'),
      tags: tags('Domains'),
      summary: 'Serve the domain from a second DNS provider, too',
      description:
        'For the owner of the domain and administrators, with a provider connection that they may use. The records are brought over in the background: the mirror is `behind` until then. Other records of an existing zone stay, and the mirror `differs` until it is synced. NS at the apex and the SOA stay those of each provider. A zone that is registered or a mirror already is 409; where the name overlaps with a domain of another user, control of it has to be proved as for `POST /api/domains`. `nameServers` says what to delegate to. At most 5 mirrors (409).',
      params: IdParams,
      body: MirrorBody,
      response: { 201: ref(Mirror) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      return once(caller, () => addMirror(app, caller, request.params.id, request.body))
    },
  })

  app.get('/domains/:id/mirrors/:mirrorId', {
    config: rule('domains:read'),
    schema: {
      operationId: operationId('getMirror'),
      tags: tags('Domains'),
      summary: 'A mirror of a domain',
      description: 'Requires read permission for the whole domain.',
      params: MirrorParams,
      response: { 200: ref(Mirror) },
    },
    handler: (request) => readMirror(app, callerOf(request), request.params.id, request.params.mirrorId),
  })

  app.delete('/domains/:id/mirrors/:mirrorId', {
    config: { ifMatch: true, ...rule('domains:write') },
    schema: {
      operationId: operationId('removeMirror'),
      tags: tags('Domains'),
      summary: 'Remove a mirror; its zone stays at the provider',
      description:
        'For the owner of the domain and administrators. The zone and its records stay at that provider and get no further changes; changes still in its queue are dropped.',
      params: MirrorParams,
      response: { 204: Type.Null() },
    },
    handler: (request) => removeMirror(app, callerOf(request), request.params.id, request.params.mirrorId),
  })

  app.post('/domains/:id/mirrors/:mirrorId/compare', {
    config: { ...rule('domains:read'), ...upstream },
    schema: {
      operationId: operationId('compareMirror'),
      tags: tags('Domains'),
      summary: 'Compare a mirror with the domain',
      description:
        'Requires read permission for the whole domain. Reads the zone at the provider of the mirror and plans what would make it the same. Changes nothing, but stores how many records differ. Mirrors are compared once a day without asking.',
      params: MirrorParams,
      response: { 200: MirrorComparison },
    },
    handler: (request) => compareMirror(app, callerOf(request), request.params.id, request.params.mirrorId),
  })

  app.post('/domains/:id/mirrors/:mirrorId/sync', {
    config: { ...rule('domains:write'), ...upstream },
    schema: {
      operationId: operationId('syncMirror'),
      tags: tags('Domains'),
      summary: 'Make a mirror the same as the domain',
      description:
        'Requires write permission for the whole domain. Applies what `compareMirror` plans, and with it all changes in the queue of the mirror. A sync that would delete more than 30 % of a zone with 10 records or more is 409 `confirmation_required` with the plan, unless `force` is set. More than 1,000 changes are applied in the background (`queued`).',
      params: MirrorParams,
      querystring: MirrorSyncQuery,
      response: { 200: MirrorComparison },
    },
    handler: (request) => {
      const { id, mirrorId } = request.params
      return syncMirror(app, callerOf(request), id, mirrorId, request.query)
    },
  })

  app.post('/domains/:id/mirrors/:mirrorId/promote', {
    config: { ...rule('domains:write'), ...upstream },
    schema: {
      operationId: operationId('promoteMirror'),
      tags: tags('Domains'),
      summary: 'Swap the provider of the domain and a mirror',
      description:
        'For the owner of the domain and administrators, with a provider connection that they may use. Changes go to the provider of the mirror first from now on, and the previous provider becomes the mirror. Nothing changes at either. A mirror that is not in step is 409 with the reason, unless `force` is set. The answer says which name servers and DS records to set at the registrar.',
      params: MirrorParams,
      body: PromoteBody,
      response: { 200: PromoteAnswer },
    },
    handler: (request) => {
      const caller = callerOf(request)
      const { id, mirrorId } = request.params
      return once(caller, () => promoteMirror(app, caller, id, mirrorId, request.body))
    },
  })

  app.get('/domains/:id/mirrors/:mirrorId/delegation', {
    config: { ...rule('domains:read'), rateLimit },
    schema: {
      operationId: operationId('getMirrorDelegation'),
      tags: tags('Domains'),
      summary: 'Whose name servers the parent zone delegates to',
      description:
        'Requires read permission for the whole domain. Asks the name servers of the parent zone, now. Resolvers may use the previous ones until their TTL is over, often two days.',
      params: MirrorParams,
      response: { 200: MirrorDelegation },
    },
    handler: (request) => readDelegation(app, callerOf(request), request.params.id, request.params.mirrorId),
  })
}
