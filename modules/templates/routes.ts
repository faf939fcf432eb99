import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { once } from '../../plugins/http/idempotency/key.ts'
import { AcceptedOperation } from '../../schemas/operation.ts'
import { ref } from '../../schemas/ref.ts'
import {
  applyDomainsPlan,
  DomainsPlanAnswer,
  orAccepted,
  PlanIdBody,
  type RecordContext,
} from '../records/bulk/service.ts'
import { planTemplate } from './planning.ts'
import { MAX_TEMPLATE_BYTES, PlanBody, Template, TemplateBody, TemplateParams } from './schemas.ts'
import { createTemplate, listTemplates, readTemplate, removeTemplate, replaceTemplate } from './service.ts'

/** Sets of records with variables: under /api and under /api/v1. */
export const templateRoutes: FastifyPluginAsyncTypebox<{
  context: RecordContext
  audience: Audience
}> = async (app, { context, audience: { base, rule, accountRule, tags, operationId } }) => {
  const tag = tags('Templates')

  app.get(
    '',
    {
      config: { ...rule('templates:read'), concurrencyLimit: true },
      schema: {
        operationId: operationId('listTemplates'),
        tags: tag,
        summary: 'Templates: built-in ones, the own ones, and those for all',
        description: 'Built-in ones first, the others by name. A user has at most 100.',
        response: { 200: Type.Object({ templates: Type.Array(ref(Template)) }) },
      },
    },
    async (request) => ({ templates: await listTemplates(app.db, callerOf(request)) }),
  )

  app.post(
    '',
    {
      config: { ...accountRule('templates:write'), errors: [409] },
      bodyLimit: MAX_TEMPLATE_BYTES,
      schema: {
        operationId: operationId('createTemplate'),
        tags: tag,
        summary: 'Make a template of the own, or as administrator one for all',
        description:
          'A record in which a variable without a value stands is left out, so parts of a template can be optional.',
        body: TemplateBody,
        response: { 201: ref(Template) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const template = await once(caller, () => createTemplate(app.db, caller, request.body))
      return reply.code(201).header('location', `${base}/templates/${template.id}`).send(template)
    },
  )

  app.get(
    '/:id',
    {
      config: { ...rule('templates:read') },
      schema: {
        operationId: operationId('getTemplate'),
        tags: tag,
        summary: 'One template',
        description:
          'By its id, or the key of a built-in one; those of others are 404 unless they are for all.',
        params: TemplateParams,
        response: { 200: ref(Template) },
      },
    },
    (request) => readTemplate(app.db, callerOf(request), request.params.id),
  )

  app.put(
    '/:id',
    {
      config: { ifMatch: true, ...accountRule('templates:write') },
      bodyLimit: MAX_TEMPLATE_BYTES,
      schema: {
        operationId: operationId('updateTemplate'),
        tags: tag,
        summary: 'Replace what a template says',
        description:
          'For its owner, and of those for all for administrators; built-in ones are 403. What was applied stays as it is.',
        params: TemplateParams,
        body: TemplateBody,
        response: { 200: ref(Template) },
      },
    },
    (request) => replaceTemplate(app.db, callerOf(request), request.params.id, request.body),
  )

  app.delete(
    '/:id',
    {
      config: { ifMatch: true, ...accountRule('templates:write') },
      schema: {
        operationId: operationId('deleteTemplate'),
        tags: tag,
        summary: 'Remove a template',
        description:
          'For its owner, and of those for all for administrators. What was applied stays as it is.',
        params: TemplateParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeTemplate(app.db, callerOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/:id/plan',
    {
      config: { ...rule('records:write'), concurrencyLimit: true },
      schema: {
        operationId: operationId('planTemplate'),
        tags: tag,
        summary: 'What a template would do in one or many domains',
        description:
          'Only plans. In each domain all of it can be done or nothing is; `blocked` says what stands against it. Records that are there already stay; an SPF record is merged into the one that is there. `POST /api/templates/{id}/apply` does exactly this within the hour.',
        params: TemplateParams,
        body: PlanBody,
        response: { 200: ref(DomainsPlanAnswer) },
      },
    },
    (request) => planTemplate(context, callerOf(request), request.params.id, request.body),
  )

  app.post(
    '/:id/apply',
    {
      config: { ...rule('records:write'), errors: [404, 409] },
      schema: {
        operationId: operationId('applyTemplate'),
        tags: tag,
        summary: 'Do what the plan of a template has shown, as an operation',
        description:
          'For who planned it, by the same token if by one; each plan once (409). Each domain is one change, which can be reverted by itself. `GET /api/records/plans/{id}` says what became of each.',
        params: TemplateParams,
        body: PlanIdBody,
        response: { 202: AcceptedOperation },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const apply = () => applyDomainsPlan(context, caller, 'template', request.body.planId)
      return orAccepted(reply, base, await once(caller, apply))
    },
  )
}
