import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { withAllFaults } from '../../plugins/http/validation/all-faults.ts'
import { callerOf } from '../../plugins/security/access/index.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../plugins/openapi/openapi.ts'
import { UPSTREAM_LIMIT } from '../../plugins/security/rate-limit/rate-limit.ts'
import { Domain } from '../../schemas/domain.ts'
import { ref } from '../../schemas/ref.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { identityFaults, readIdentity } from './registration/identity.ts'
import { listGroups, listTags } from './list.ts'
import {
  BulkAnswer,
  BulkBody,
  CreateBody,
  CreatedDomain,
  DeleteQuery,
  ExpiryBody,
  ExpiryRemindBody,
  GroupsAnswer,
  TagsAnswer,
  UpdateBody,
  ZonesAnswer,
} from './schemas.ts'
import { createDomain, readDomain, removeDomain, updateDomainSettings, updateManyDomains } from './service.ts'
import { listZones } from './registration/zones.ts'

/** Other domain routes, under /api and /api/v1. */
export const routes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, accountRule, tags, operationId } },
) => {
  const orAllFaults = withAllFaults(
    Type.Partial(Type.Object({ ...CreateBody.properties, ...UpdateBody.properties })),
  )

  app.post('/domains', {
    config: { ...accountRule('domains:write'), errors: [404, 409, ...PROVIDER_ERRORS] },
    schema: {
      operationId: operationId('createDomain'),
      tags: tags('Domains'),
      summary: 'Register a domain',
      description:
        "For the owner of the provider configuration and administrators. The zone must exist at the provider; `createZone` creates it where the provider can. The zone is then imported: `lastSyncedAt` is the time, `lastSyncError` the failure; if both are null, a large zone or slow provider is still being read in the background. A failed import is retried for a day; `POST /api/domains/{id}/sync` retries it immediately. 409 if the configuration already has a domain of that name. A name that equals, contains or lies below another user's domain is 403 with the reason `name_proof_required`, unless an administrator registers it or the TXT record in `challenge` is found in public DNS; the other owners are notified. `template` adds its records (requires `records:write`); if that fails, the domain stays registered.",
      body: CreateBody,
      response: { 201: ref(CreatedDomain) },
    },
    errorHandler: (error, request, reply) =>
      orAllFaults(error, reply, async ([body]) => {
        const { errors } = await readIdentity(app.db, callerOf(request), body?.values ?? {})
        return errors
      }),
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { template, ...input } = request.body
      const start = template && (await app.newDomains.prepare(caller, template))
      const domain = await createDomain(app, caller, input)
      await app.newDomains.read(caller, domain.id)
      const warnings = await start?.(domain.id)
      return reply
        .header('location', `${base}/domains/${domain.id}`)
        .send({ ...(await readDomain(app, caller, domain.id)), ...(warnings && { warnings }) })
    },
  })

  app.put('/domains/bulk', {
    config: { ...rule('domains:write'), resource: false, errors: [404] },
    schema: {
      operationId: operationId('updateDomains'),
      tags: tags('Domains'),
      summary: 'Change group, tags, reminders or automatic look-ups of several domains',
      description:
        "For the owner of all of them and administrators. If one is missing or not the caller's, none is changed. `tags` is applied first, then `removeTags`, then `addTags`.",
      body: BulkBody,
      response: { 200: BulkAnswer },
    },
    handler: (request) => updateManyDomains(app, callerOf(request), request.body.ids, request.body.set),
  })

  app.get('/domains/tags', {
    config: { ...rule('domains:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('listDomainTags'),
      tags: tags('Domains'),
      summary: 'Tags in use, with their number of domains',
      description: 'Covers the domains visible to the caller; sorted by name.',
      response: { 200: TagsAnswer },
    },
    handler: (request) => listTags(app, callerOf(request)),
  })

  app.get('/domains/groups', {
    config: { ...rule('domains:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('listDomainGroups'),
      tags: tags('Domains'),
      summary: 'Groups in use, with their number of domains',
      description:
        'Covers the domains visible to the caller; sorted by name. Domains without a group are not counted.',
      response: { 200: GroupsAnswer },
    },
    handler: (request) => listGroups(app, callerOf(request)),
  })

  app.put('/domains/:id', {
    config: { ifMatch: true, ...rule('domains:write') },
    schema: {
      operationId: operationId('updateDomain'),
      tags: tags('Domains'),
      summary: 'Change the settings of a domain',
      description:
        'For the owner and administrators. Omitted fields stay unchanged. A different `name` or `providerConfigId` is 400; use `POST /api/domains/{id}/switch` to change the provider. A changed `expiresAt` counts as set manually.',
      params: IdParams,
      body: UpdateBody,
      response: { 200: ref(Domain) },
    },
    errorHandler: (error, request, reply) =>
      orAllFaults(error, reply, ([body]) =>
        identityFaults(app.db, callerOf(request), request.params.id, body?.values ?? {}),
      ),
    handler: (request) => updateDomainSettings(app, callerOf(request), request.params.id, request.body),
  })

  app.delete('/domains/:id', {
    config: { ifMatch: true, ...rule('domains:write'), errors: PROVIDER_ERRORS },
    schema: {
      operationId: operationId('deleteDomain'),
      tags: tags('Domains'),
      summary: 'Remove a domain, and optionally its zone at the provider',
      description:
        'For the owner and administrators. History and permissions are removed too. `deleteZone=true` first deletes the zone at the provider permanently; if that fails, the domain stays.',
      params: IdParams,
      querystring: DeleteQuery,
      response: { 204: Type.Null() },
    },
    handler: (request) => removeDomain(app, callerOf(request), request.params.id, request.query),
  })

  app.put('/domains/:id/expiry-remind', {
    config: { ifMatch: true, ...rule('domains:write') },
    schema: {
      operationId: operationId('updateExpiryReminders'),
      tags: tags('Domains'),
      summary: 'Change reminder lead times and the automatic look-up',
      description:
        'For the owner and administrators. One reminder is sent for each lead time; lead times already passed are not repeated. `autoCheckExpiry` looks the date up automatically, at most daily.',
      params: IdParams,
      body: ExpiryRemindBody,
      response: { 200: ref(Domain) },
    },
    handler: (request) => updateDomainSettings(app, callerOf(request), request.params.id, request.body),
  })

  app.put('/domains/:id/expiry', {
    config: { ifMatch: true, ...rule('domains:write') },
    schema: {
      operationId: operationId('setExpiry'),
      tags: tags('Domains'),
      summary: 'Set the expiry date manually',
      description:
        'For the owner and administrators. null removes the date and its reminders. A later successful look-up replaces the date.',
      params: IdParams,
      body: ExpiryBody,
      response: { 200: ref(Domain) },
    },
    handler: (request) => updateDomainSettings(app, callerOf(request), request.params.id, request.body),
  })

  app.get('/provider-configs/:id/zones', {
    config: {
      ...accountRule('providers:read'),
      rateLimit: { ...UPSTREAM_LIMIT, groupId: 'upstream' },
      errors: PROVIDER_ERRORS,
    },
    schema: {
      operationId: operationId('listProviderZones'),
      tags: tags('DNS providers'),
      summary: 'Zones at the provider, with their domains',
      description:
        'For the owner of the configuration and administrators. Queries the DNS provider directly, so it may be slow or fail. Stores nothing.',
      params: IdParams,
      response: { 200: ZonesAnswer },
    },
    handler: (request) => listZones(app, callerOf(request), request.params.id),
  })
}
