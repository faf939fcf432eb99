import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { once } from '../../plugins/http/idempotency/key.ts'
import { AcceptedOperation } from '../../schemas/operation.ts'
import { ref } from '../../schemas/ref.ts'
import { orAccepted } from '../operations/contract.ts'
import { beginDomainsPlan, DomainsPlanAnswer, PlanIdBody } from '../records/service.ts'
import { planTemplate } from './planning.ts'
import { MAX_TEMPLATE_BYTES, PlanBody, Template, TemplateBody, TemplateParams } from './schemas.ts'
import { createTemplate, listTemplates, readTemplate, removeTemplate, replaceTemplate } from './service.ts'

/** Record templates, under /api and /api/v1. */
export const templateRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, accountRule, tags, operationId } },
) => {
  const tag = tags('Templates')

  app.get('', {
    config: { ...rule('templates:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('listTemplates'),
      tags: tag,
      summary: 'List templates: built-in, own and shared',
      description: 'Built-in ones first, then by name. A user can have 100.',
      response: { 200: Type.Object({ templates: Type.Array(ref(Template)) }) },
    },
    handler: async (request) => ({ templates: await listTemplates(app.db, callerOf(request)) }),
  })

  app.post('', {
    config: { ...accountRule('templates:write'), errors: [409] },
    bodyLimit: MAX_TEMPLATE_BYTES,
    schema: {
      operationId: operationId('createTemplate'),
      tags: tag,
      summary: 'Create a template; administrators can share it',
      description:
        'Records that contain a variable without a value are left out, so parts of a template can be optional.',
      body: TemplateBody,
      response: { 201: ref(Template) },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const template = await once(caller, () => createTemplate(app.db, caller, request.body))
      return reply.code(201).header('location', `${base}/templates/${template.id}`).send(template)
    },
  })

  app.get('/:id', {
    config: { ...rule('templates:read') },
    schema: {
      operationId: operationId('getTemplate'),
      tags: tag,
      summary: 'One template',
      description:
        'By id, or by the key of a built-in template. Templates of other users return 404 unless they are shared.',
      params: TemplateParams,
      response: { 200: ref(Template) },
    },
    handler: (request) => readTemplate(app.db, callerOf(request), request.params.id),
  })

  app.put('/:id', {
    config: { ifMatch: true, ...accountRule('templates:write') },
    bodyLimit: MAX_TEMPLATE_BYTES,
    schema: {
      operationId: operationId('updateTemplate'),
      tags: tag,
      summary: 'Replace a template',
      description:
        "For its owner; shared ones also for administrators; built-in ones return 403. Records already created from it don't change.",
      params: TemplateParams,
      body: TemplateBody,
      response: { 200: ref(Template) },
    },
    handler: (request) => replaceTemplate(app.db, callerOf(request), request.params.id, request.body),
  })

  app.delete('/:id', {
    config: { ifMatch: true, ...accountRule('templates:write') },
    schema: {
      operationId: operationId('deleteTemplate'),
      tags: tag,
      summary: 'Remove a template',
      description:
        "For its owner; shared ones also for administrators. Records already created from it don't change.",
      params: TemplateParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await removeTemplate(app.db, callerOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })

  app.post('/:id/plan', {
    config: { ...rule('records:write'), concurrencyLimit: true },
    schema: {
      operationId: operationId('planTemplate'),
      tags: tag,
      summary: 'Plan a template for one or many domains',
      description:
        'Plans without applying. Each domain gets all of the template or none of it; `blocked` has the reasons. Existing records stay; an SPF record is merged into the existing one. `POST /api/templates/{id}/apply` applies exactly this within an hour.',
      params: TemplateParams,
      body: PlanBody,
      response: { 200: ref(DomainsPlanAnswer) },
    },
    handler: (request) => planTemplate(app, callerOf(request), request.params.id, request.body),
  })

  app.post('/:id/apply', {
    config: { ...rule('records:write'), errors: [404, 409] },
    schema: {
      operationId: operationId('applyTemplate'),
      tags: tag,
      summary: 'Apply the plan of a template as an operation',
      description:
        'For the user (and token) who made the plan; once (409). Each domain is one change, which can be reverted on its own. `GET /api/records/plans/{id}` returns the result of each.',
      params: TemplateParams,
      body: PlanIdBody,
      response: { 202: AcceptedOperation },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { planId, ...later } = request.body
      const apply = () => beginDomainsPlan(app, caller, 'template', planId, later)
      return orAccepted(reply, base, await once(caller, apply))
    },
  })
}
