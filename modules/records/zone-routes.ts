import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { withAllFaults } from '../../plugins/http/validation/all-faults.ts'
import { callerOf } from '../../plugins/security/access/index.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { once } from '../../plugins/http/idempotency/key.ts'
import { PROVIDER_ERRORS } from '../../plugins/openapi/openapi.ts'
import { UPSTREAM_LIMIT } from '../../plugins/security/rate-limit/rate-limit.ts'
import { AcceptedOperation } from '../../schemas/operation.ts'
import { SyncAnswer } from '../../schemas/record-changes.ts'
import { ref } from '../../schemas/ref.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { orAccepted } from './accepted.ts'
import type { RecordContext } from './apply/apply.ts'
import { faultsOfChanges } from './plan/faults.ts'
import { importDomains } from './sync/import-domains.ts'
import { applyRecords, planRecords } from './apply/plans.ts'
import { MAX_RECORDS_BYTES } from './schemas.ts'
import { ApplyBody, ChangesBody, PartialChange, PlanAnswer } from './change-schemas.ts'
import {
  ImportDomainsAnswer,
  ImportDomainsBody,
  ImportZoneAnswer,
  ImportZoneBody,
  MAX_ZONEFILE_BYTES,
  SyncQuery,
  UnmanagedPage,
  UnmanagedQuery,
} from './zone-schemas.ts'
import { syncDomain } from './sync/sync.ts'
import { toSyncAnswer } from './sync/sync-report.ts'
import { readUnmanaged } from './sync/unmanaged.ts'
import { exportZoneFile, importZoneFile } from './zone-files/service.ts'

const upstream = { rateLimit: { ...UPSTREAM_LIMIT, groupId: 'upstream' } }
const errors = [409, ...PROVIDER_ERRORS]

/** What concerns a zone as a whole, under /api and under /api/v1: sync, plans, zone files. */
export const zoneRoutes: FastifyPluginAsyncTypebox<{ context: RecordContext; audience: Audience }> = async (
  app,
  { context, audience: { base, rule, accountRule, tags, operationId } },
) => {
  const orAllFaults = withAllFaults(PartialChange, changesIn)

  app.post(
    '/domains/:id/sync',
    {
      config: { ...rule('domains:write'), ...upstream, errors },
      schema: {
        operationId: operationId('syncDomain'),
        tags: tags('Domains'),
        summary: 'Make the records here what the provider holds',
        description:
          'Needs the right to write the whole domain; with `dryRun` to read it. One that would delete more than 30 % of a domain of 10 records or more is 409 `confirmation_required` with the difference, until `force` is set. One sync of a domain at a time (409).',
        params: IdParams,
        querystring: SyncQuery,
        response: { 200: SyncAnswer },
      },
    },
    async (request) =>
      toSyncAnswer(await syncDomain(context, callerOf(request), request.params.id, request.query)),
  )

  app.post(
    '/domains/import',
    {
      config: {
        ...accountRule('domains:write'),
        ...upstream,
        entries: 'zones',
        errors: [404, ...PROVIDER_ERRORS],
      },
      schema: {
        operationId: operationId('importDomains'),
        tags: tags('Domains'),
        summary: 'Register several zones of a provider configuration and read their records',
        description:
          'For the owner of the provider configuration, and administrators. Each zone stands for itself: the answer is 200 also when some fail. A domain whose records could not be read stays registered, with its `domainId` in the result.',
        body: ImportDomainsBody,
        response: { 200: ImportDomainsAnswer },
      },
    },
    (request) => importDomains(context, callerOf(request), request.body, request.id),
  )

  app.post(
    '/domains/:id/records/plan',
    {
      config: { ...rule('records:read') },
      bodyLimit: MAX_RECORDS_BYTES,
      schema: {
        operationId: operationId('planRecords'),
        tags: tags('Records'),
        summary: 'What changes would do, without doing it',
        description:
          "For everybody who sees the domain; nothing is changed at the provider. Of few sets the provider is asked for other values, which are a warning (`unknown_siblings`); those of a `set` are stored here, so that the plan shows that they go. Deletions come first, then updates, then creations. What can't be done is in `conflicts`; a change that lacks what its action needs is 400.",
        params: IdParams,
        body: ChangesBody,
        response: { 200: ref(PlanAnswer) },
      },
      errorHandler: (error, request, reply) =>
        orAllFaults(error, reply, (changes) =>
          faultsOfChanges(context, callerOf(request), request.params.id, changes),
        ),
    },
    (request) => planRecords(context, callerOf(request), request.params.id, request.body),
  )

  app.post(
    '/domains/:id/records/apply',
    {
      config: { ...rule('records:write'), errors },
      bodyLimit: MAX_RECORDS_BYTES,
      schema: {
        operationId: operationId('applyRecords'),
        tags: tags('Records'),
        summary: 'Do all of the changes, or none when a check refuses one',
        description:
          'Needs the right to write at all names concerned. What stands against it is 409 with all `conflicts` (403 when a right is missing). With `planId` it does what a kept plan has shown; where that would be something else by now it is 409 `plan_outdated`, with the `plan` of now. More than the provider takes in one call goes in several: when one of them fails, or the service dies in between, part of it is done. Then `changeStatus` is `partial`, `done` of `total` say how much, and `retryChange` plans the rest by `changeId`.',
        params: IdParams,
        body: ApplyBody,
        response: { 200: ref(PlanAnswer), 202: AcceptedOperation },
      },
      errorHandler: (error, request, reply) =>
        orAllFaults(error, reply, (changes) =>
          faultsOfChanges(context, callerOf(request), request.params.id, changes),
        ),
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const apply = () => applyRecords(context, caller, request.params.id, request.body)
      return orAccepted(reply, base, await once(caller, apply))
    },
  )

  app.get(
    '/domains/:id/records/unmanaged',
    {
      config: { ...rule('records:read'), concurrencyLimit: true },
      schema: {
        operationId: operationId('listUnmanagedRecords'),
        tags: tags('Records'),
        summary: 'Records of types that are not managed here, as the last sync saw them',
        description:
          'For everybody who sees the domain, of the names that they see. They are never touched, and are as old as the last sync.',
        params: IdParams,
        querystring: UnmanagedQuery,
        response: { 200: UnmanagedPage },
      },
    },
    (request) => readUnmanaged(context, callerOf(request), request.params.id, request.query),
  )

  app.get(
    '/domains/:id/records/export',
    {
      config: { ...rule('records:read'), concurrencyLimit: true },
      schema: {
        operationId: operationId('exportZoneFile'),
        tags: tags('Records'),
        summary: 'The records as a BIND zone file',
        description:
          'A master file (RFC 1035) of the records that the caller sees; disabled records and those of types that are not managed are comments in it. No DNS host is asked.',
        params: IdParams,
        response: {
          200: {
            description: 'The zone file',
            content: { 'text/dns': { schema: Type.String({ examples: ['$ORIGIN example.com.\n'] }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { name, text } = await exportZoneFile(context, callerOf(request), request.params.id, {
        at: new Date(),
      })
      return reply
        .header('content-disposition', `attachment; filename="${name.replaceAll('/', '-')}.zone"`)
        .type('text/dns')
        .send(text)
    },
  )

  app.post(
    '/domains/:id/records/import',
    {
      config: { ...rule('records:write'), errors },
      bodyLimit: MAX_ZONEFILE_BYTES,
      schema: {
        operationId: operationId('importZoneFile'),
        tags: tags('Records'),
        summary: 'Plan, and unless dryRun apply, what a zone file asks for',
        description:
          'Needs the right to write, with `dryRun` to read. Nothing is done when a check refuses a record; part of it may be done when the provider fails between two calls (`retryChange` plans the rest). `replace` deletes what the file lacks, as far as the caller may change it; a file without records empties no domain (400) unless the plan was kept and is applied. A file with errors is 400, and names their lines; what is not managed is in `skipped`. More than 1,000 changes go on as an operation (202).',
        params: IdParams,
        body: ImportZoneBody,
        response: { 200: ImportZoneAnswer, 202: AcceptedOperation },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const bringIn = () => importZoneFile(context, caller, request.params.id, request.body)
      return orAccepted(reply, base, await once(caller, bringIn))
    },
  )
}

/** The changes of a body that may be anything. */
function changesIn(body: unknown): [path: string, change: unknown][] {
  const { changes } = (body ?? {}) as { changes?: unknown }
  return Array.isArray(changes) ? changes.map((change, index) => [`/changes/${index}`, change]) : []
}
