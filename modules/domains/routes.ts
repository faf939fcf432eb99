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
import { listGroups, listTags } from './overview.ts'
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

/** Everything else about domains: under /api and under /api/v1. */
export const routes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, accountRule, tags, operationId } },
) => {
  const orAllFaults = withAllFaults(
    Type.Partial(Type.Object({ ...CreateBody.properties, ...UpdateBody.properties })),
  )

  app.post(
    '/domains',
    {
      config: { ...accountRule('domains:write'), errors: [404, 409, ...PROVIDER_ERRORS] },
      schema: {
        operationId: operationId('createDomain'),
        tags: tags('Domains'),
        summary: 'Register a domain',
        description:
          'For the owner of the provider configuration, or an administrator. The zone must be at the provider, or `createZone` makes it there where the provider can. Its records are read: `lastSyncedAt` says when, and `lastSyncError` why not; both null: a large zone, or a slow provider, is still being read in the background. What failed is tried again for a day; `POST /api/domains/{id}/sync` does it at once. A name that the configuration has already is 409. A name that equals, contains or lies below a domain of another user is 403 with the reason `name_proof_required`, unless an administrator registers it or the TXT record that `challenge` names is found in public DNS; the other owners are notified. With `template` its records are made (which needs `records:write`); a domain where that fails stays registered.',
        body: CreateBody,
        response: { 201: ref(CreatedDomain) },
      },
      errorHandler: (error, request, reply) =>
        orAllFaults(error, reply, async ([body]) => {
          const { errors } = await readIdentity(app.db, callerOf(request), body?.values ?? {})
          return errors
        }),
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { template, ...input } = request.body
      const start = template && (await app.newDomains.prepare(caller, template))
      const domain = await createDomain(app, caller, input)
      await app.newDomains.read(caller, domain.id)
      const warnings = await start?.(domain.id)
      return reply
        .code(201)
        .header('location', `${base}/domains/${domain.id}`)
        .send({ ...(await readDomain(app, caller, domain.id)), ...(warnings && { warnings }) })
    },
  )

  app.put(
    '/domains/bulk',
    {
      config: { ...rule('domains:write'), resource: false, errors: [404] },
      schema: {
        operationId: operationId('updateDomains'),
        tags: tags('Domains'),
        summary: 'Set group, tags, reminders or automatic look-ups of many domains at once',
        description:
          "For the owner of all of them, or an administrator. All are changed or, when one is missing or not the caller's, none. Of tags first the whole list is set, then `removeTags`, then `addTags`.",
        body: BulkBody,
        response: { 200: BulkAnswer },
      },
    },
    (request) => updateManyDomains(app, callerOf(request), request.body.ids, request.body.set),
  )

  app.get(
    '/domains/tags',
    {
      config: { ...rule('domains:read'), concurrencyLimit: true },
      schema: {
        operationId: operationId('listDomainTags'),
        tags: tags('Domains'),
        summary: 'Tags in use, with the number of domains',
        description: 'Of the domains that the caller sees; by name.',
        response: { 200: TagsAnswer },
      },
    },
    (request) => listTags(app, callerOf(request)),
  )

  app.get(
    '/domains/groups',
    {
      config: { ...rule('domains:read'), concurrencyLimit: true },
      schema: {
        operationId: operationId('listDomainGroups'),
        tags: tags('Domains'),
        summary: 'Groups in use, with the number of domains',
        description: 'Of the domains that the caller sees; by name. Domains without a group are not counted.',
        response: { 200: GroupsAnswer },
      },
    },
    (request) => listGroups(app, callerOf(request)),
  )

  app.put(
    '/domains/:id',
    {
      config: { ifMatch: true, ...rule('domains:write') },
      schema: {
        operationId: operationId('updateDomain'),
        tags: tags('Domains'),
        summary: 'Change settings of a domain; its name stays for life, its provider until it is switched',
        description:
          'For the owner and administrators. What is missing stays; another `name` or `providerConfigId` is 400 (`POST /api/domains/{id}/switch` has it served from elsewhere). A changed `expiresAt` counts as set by hand.',
        params: IdParams,
        body: UpdateBody,
        response: { 200: ref(Domain) },
      },
      errorHandler: (error, request, reply) =>
        orAllFaults(error, reply, ([body]) =>
          identityFaults(app.db, callerOf(request), request.params.id, body?.values ?? {}),
        ),
    },
    (request) => updateDomainSettings(app, callerOf(request), request.params.id, request.body),
  )

  app.delete(
    '/domains/:id',
    {
      config: { ifMatch: true, ...rule('domains:write'), errors: PROVIDER_ERRORS },
      schema: {
        operationId: operationId('deleteDomain'),
        tags: tags('Domains'),
        summary: 'Remove a domain here; the zone at the provider stays unless asked otherwise',
        description:
          'For the owner and administrators. History and assignments go with it. With `deleteZone=true` the zone is first deleted at the provider, for good; when that fails nothing changes here.',
        params: IdParams,
        querystring: DeleteQuery,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeDomain(app, callerOf(request), request.params.id, request.query)
      return reply.code(204).send(null)
    },
  )

  app.put(
    '/domains/:id/expiry-remind',
    {
      config: { ifMatch: true, ...rule('domains:write') },
      schema: {
        operationId: operationId('updateExpiryReminders'),
        tags: tags('Domains'),
        summary: 'Set reminder lead times and the automatic look-up',
        description:
          'For the owner and administrators. One reminder for each lead time as it is passed; those that are passed already are not told again. With `autoCheckExpiry` the date is looked up by itself, at most daily.',
        params: IdParams,
        body: ExpiryRemindBody,
        response: { 200: ref(Domain) },
      },
    },
    (request) => updateDomainSettings(app, callerOf(request), request.params.id, request.body),
  )

  app.put(
    '/domains/:id/expiry',
    {
      config: { ifMatch: true, ...rule('domains:write') },
      schema: {
        operationId: operationId('setExpiry'),
        tags: tags('Domains'),
        summary: 'Set the expiry date by hand',
        description:
          'For the owner and administrators. null takes the date off, and with it the reminders. A later look-up that finds a date replaces it.',
        params: IdParams,
        body: ExpiryBody,
        response: { 200: ref(Domain) },
      },
    },
    (request) => updateDomainSettings(app, callerOf(request), request.params.id, request.body),
  )

  app.get(
    '/provider-configs/:id/zones',
    {
      config: {
        ...accountRule('providers:read'),
        rateLimit: { ...UPSTREAM_LIMIT, groupId: 'upstream' },
        errors: PROVIDER_ERRORS,
      },
      schema: {
        operationId: operationId('listProviderZones'),
        tags: tags('DNS providers'),
        summary: 'The zones at the provider, and which are registered here',
        description:
          'For the owner of the configuration and administrators. Asks the DNS host now, so it may be slow or fail; nothing is stored.',
        params: IdParams,
        response: { 200: ZonesAnswer },
      },
    },
    (request) => listZones(app, callerOf(request), request.params.id),
  )
}
