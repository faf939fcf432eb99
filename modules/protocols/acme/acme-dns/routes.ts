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

const ignoresUnknown = 'clients of acme-dns may send more than its protocol names'

/** What clients of acme-dns call, with its errors; below a name of the caller's choice, or below none. */
export const acmeDnsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  // Some send JSON as if it were a form.
  readJson(app, '*')
  app.setErrorHandler(sendAcmeDnsError)

  for (const [base, suffix, params] of [
    ['', '', Type.Object({})],
    ['/:domain', 'Below', BaseParams],
  ] as const) {
    const shared = { ...(base && { params }), tags }

    app.post(
      `${base}/register`,
      {
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
          summary: `A name for challenges${base && ' below this one'}, and credentials for it alone`,
          description:
            'The credentials end with the token by which they were made, and reach no further than it; made after a sign-in they end with that session. Without a name in the path the token must reach one domain only. At most 1,000 of a user.',
          body: RegisterBody,
          response: { 201: RegisterAnswer },
        },
      },
      async (request, reply) => {
        const { domain } = request.params as { domain?: string }
        const allowfrom = request.body?.allowfrom ?? []
        const made = await register(app, callerOf(request), { base: domain, allowfrom })
        return reply.code(201).send(made)
      },
    )

    app.post(
      `${base}/update`,
      {
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
          summary: 'Set a value at the name of a registration',
          description:
            'The value before it stays beside it, and none else. Answers when the DNS host has it. What the user and the token may do is judged as of now. `error` of a problem says what acme-dns would.',
          headers: UpdateHeaders,
          body: UpdateBody,
          response: { 200: UpdateAnswer },
        },
      },
      (request) =>
        update(
          app,
          { user: request.headers['x-api-user'], key: request.headers['x-api-key'] },
          request.body,
          { ip: addressOf(request), requestId: request.id },
        ),
    )

    app.get(
      `${base}/health`,
      {
        config: { access: 'public', ignoresUnknown, problem: AcmeDnsProblem },
        schema: {
          ...shared,
          operationId: `acmeDnsHealth${suffix}`,
          summary: 'Whether the service answers',
          description: 'As acme-dns has it. Looks at nothing but itself.',
          response: { 200: Type.Object({}) },
        },
      },
      () => ({}),
    )
  }
}
