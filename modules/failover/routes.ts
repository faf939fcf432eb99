import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import { once } from '../../plugins/http/idempotency/key.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../plugins/openapi/openapi.ts'
import { ref } from '../../schemas/ref.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { FailoverMonitor, MonitorPage } from './answer-schemas.ts'
import { approve, pauseByHand, resume, switchByHand } from './override.ts'
import {
  ApproveBody,
  CreateBody,
  DomainMonitorsQuery,
  EditBody,
  MonitorsQuery,
  SwitchBody,
} from './schemas.ts'
import { createMonitor, editMonitor, listVisibleMonitors, readMonitor, removeMonitor } from './service.ts'
import type { FailoverTimes } from './times.ts'

/** Routes of failover monitors, under /api and /api/v1. */
export const routes: FastifyPluginAsyncTypebox<{ audience: Audience; times: FailoverTimes }> = async (
  app,
  { audience: { base, rule, accountRule, tags, operationId }, times },
) => {
  const context = Object.assign(Object.create(app) as typeof app, { times })
  const errors = [404, 409]

  app.get('/failover-monitors', {
    config: { ...accountRule('records:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('listFailoverMonitors'),
      tags: tags('Failover'),
      summary: 'Failover monitors of all domains',
      description: 'Contains those whose name and type the caller sees; those with a problem first.',
      querystring: MonitorsQuery,
      response: { 200: MonitorPage },
    },
    handler: (request) => listVisibleMonitors(context, callerOf(request), request.query),
  })

  app.get('/domains/:id/failover-monitors', {
    config: { ...rule('records:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('listFailoverMonitorsOfDomain'),
      tags: tags('Failover'),
      summary: 'Failover monitors of a domain',
      description: 'Contains those whose name and type the caller sees.',
      params: IdParams,
      querystring: DomainMonitorsQuery,
      response: { 200: MonitorPage },
    },
    handler: (request) =>
      listVisibleMonitors(context, callerOf(request), { ...request.query, domainId: request.params.id }),
  })

  app.post('/domains/:id/failover-monitors', {
    config: { ...rule('records:write'), errors: [...errors, ...PROVIDER_ERRORS] },
    schema: {
      operationId: operationId('createFailoverMonitor'),
      tags: tags('Failover'),
      summary: 'Set up failover for an RRset',
      description:
        'Needs write permission for the name and type. The RRset must be one of the alternatives now. The caller becomes the author, with whose permissions it switches. Where the domain requires a review of their changes, nothing is switched until a second person approves.',
      params: IdParams,
      body: CreateBody,
      response: { 201: ref(FailoverMonitor) },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const created = await once(caller, () =>
        createMonitor(context, caller, request.params.id, request.body),
      )
      return reply.header('location', `${base}/failover-monitors/${created.id}`).send(created)
    },
  })

  app.get('/failover-monitors/:id', {
    // Each check changes the answer; `revision` is for conditional writes.
    config: { ...rule('records:read'), untagged: true },
    schema: {
      operationId: operationId('getFailoverMonitor'),
      tags: tags('Failover'),
      summary: 'Get a failover monitor, with what its checks found',
      description: '404 for callers who do not see its name and type.',
      params: IdParams,
      response: { 200: ref(FailoverMonitor) },
    },
    handler: (request) => readMonitor(context, app.db, callerOf(request), request.params.id),
  })

  app.put('/failover-monitors/:id', {
    config: { ...rule('records:write'), errors: [...errors, ...PROVIDER_ERRORS] },
    schema: {
      operationId: operationId('editFailoverMonitor'),
      tags: tags('Failover'),
      summary: 'Change a failover monitor',
      description:
        'Needs write permission for its name and type. What is left out stays. Other alternatives or another check raise the `revision`, make the caller the author, and need a new approval where the domain requires a review.',
      params: IdParams,
      body: EditBody,
      response: { 200: ref(FailoverMonitor) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      return once(caller, () => editMonitor(context, caller, request.params.id, request.body))
    },
  })

  app.delete('/failover-monitors/:id', {
    config: { ...rule('records:write'), errors: [404] },
    schema: {
      operationId: operationId('deleteFailoverMonitor'),
      tags: tags('Failover'),
      summary: 'Remove a failover monitor',
      description: 'Needs write permission for its name and type. The records stay as they are.',
      params: IdParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      await once(caller, () => removeMonitor(context, caller, request.params.id))
      return reply.code(204).send(null)
    },
  })

  app.post('/failover-monitors/:id/switch', {
    config: { ...rule('records:write'), errors: [...errors, ...PROVIDER_ERRORS] },
    schema: {
      operationId: operationId('switchFailoverMonitor'),
      tags: tags('Failover'),
      summary: 'Switch to an alternative by hand',
      description:
        'Needs write permission for its name and type. It then stays there until the monitor is resumed. 409 if the alternative fails its checks, unless `force`.',
      params: IdParams,
      body: SwitchBody,
      response: { 200: ref(FailoverMonitor) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      return once(caller, () => switchByHand(context, caller, request.params.id, request.body))
    },
  })

  app.post('/failover-monitors/:id/pause', {
    config: { ...rule('records:write'), errors },
    schema: {
      operationId: operationId('pauseFailoverMonitor'),
      tags: tags('Failover'),
      summary: 'Stop automatic switching',
      description: 'Needs write permission for its name and type. Checks go on.',
      params: IdParams,
      response: { 200: ref(FailoverMonitor) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      return once(caller, () => pauseByHand(context, caller, request.params.id))
    },
  })

  app.post('/failover-monitors/:id/resume', {
    config: { ...rule('records:write'), errors },
    schema: {
      operationId: operationId('resumeFailoverMonitor'),
      tags: tags('Failover'),
      summary: 'Resume automatic switching',
      description: 'Needs write permission for its name and type. 409 if the records match no alternative.',
      params: IdParams,
      response: { 200: ref(FailoverMonitor) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      return once(caller, () => resume(context, caller, request.params.id))
    },
  })

  app.post('/failover-monitors/:id/approve', {
    config: { ...rule('changes:review'), errors },
    schema: {
      operationId: operationId('approveFailoverMonitor'),
      tags: tags('Failover'),
      summary: 'Approve the alternatives of a failover monitor',
      description:
        'For another person than its author, with write permission for its name and type; this holds for administrators and the owner, too.',
      params: IdParams,
      body: ApproveBody,
      response: { 200: ref(FailoverMonitor) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      return once(caller, () => approve(context, caller, request.params.id, request.body.revision))
    },
  })
}
