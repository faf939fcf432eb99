import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../../../plugins/security/access/index.ts'
import { OPEN_API } from '../../../../plugins/openapi/audience.ts'
import { readJson } from '../../../../plugins/http/bodies.ts'
import { PROVIDER_ERRORS } from '../../../../plugins/openapi/openapi.ts'
import {
  AcmeDnsProblem,
  BaseParams,
  RegisterAnswer,
  RegisterBody,
  UpdateAnswer,
  UpdateBody,
  UpdateHeaders,
} from '../schemas.ts'
import { sendAcmeDnsError } from './errors.ts'
import { authenticate, register, update } from './service.ts'
import { addressOf } from '../../../../plugins/security/addresses.ts'

const tags = OPEN_API.tags('ACME')

const ignoresUnknown = 'clients of acme-dns may send extra fields'

/** The acme-dns protocol with its errors, below a name that the caller chooses or without one. */
export const acmeDnsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  // Some clients label JSON as a form.
  readJson(app, '*')
  app.setErrorHandler(sendAcmeDnsError)

  for (const [base, suffix, params] of [
    ['', '', Type.Object({})],
    ['/:domain', 'Below', BaseParams],
  ] as const) {
    const shared = { ...(base && { params }), tags }

    app.post(`${base}/register`, {
      config: {
        ...OPEN_API.rule('acme:challenge'),
        basic: true,
        ignoresUnknown,
        secretAnswer: true,
        origin: 'acme',
        errors: [409],
        problem: AcmeDnsProblem,
      },
      schema: {
        ...shared,
        operationId: `acmeDnsRegister${suffix}`,
        summary: `Register a name for challenges${base && ' below this one'}, with its own credentials`,
        description:
          'The credentials are valid as long as the token or session that created them, with at most its permissions. Without a name in the path, the token must cover exactly one domain. A user has at most 1,000 registrations.',
        body: RegisterBody,
        response: { 201: RegisterAnswer },
      },
      handler: async (request, reply) => {
        const { domain } = request.params as { domain?: string }
        const allowfrom = request.body?.allowfrom ?? []
        const made = await register(app, callerOf(request), { base: domain, allowfrom })
        return reply.code(201).send(made)
      },
    })

    app.post(`${base}/update`, {
      config: {
        access: 'public',
        ignoresUnknown,
        errors: [401, 403, 404, 409, ...PROVIDER_ERRORS],
        problem: AcmeDnsProblem,
        countedAs: async ({ headers }) => {
          const [user, key] = [headers['x-api-user'], headers['x-api-key']].map(String)
          return (await authenticate(app, user, key))?.id ?? null
        },
      },
      schema: {
        ...shared,
        operationId: `acmeDnsUpdate${suffix}`,
        summary: 'Set the TXT value of a registration',
        description:
          'Keeps the previous value as well, and no others. Returns after the DNS provider has the value. The current permissions of user and token apply. `error` of a problem has the code of acme-dns.',
        headers: UpdateHeaders,
        body: UpdateBody,
        response: { 200: UpdateAnswer },
      },
      handler: (request) =>
        update(
          app,
          { user: request.headers['x-api-user'], key: request.headers['x-api-key'] },
          request.body,
          { ip: addressOf(request), requestId: request.id },
        ),
    })

    app.get(`${base}/health`, {
      config: { access: 'public', ignoresUnknown, problem: AcmeDnsProblem },
      schema: {
        ...shared,
        operationId: `acmeDnsHealth${suffix}`,
        summary: 'Health of the acme-dns endpoint',
        description: 'The health check of acme-dns. Checks no dependencies.',
        response: { 200: Type.Object({}) },
      },
      handler: () => ({}),
    })
  }
}
