import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { LOOKUP_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { LookupAnswer, PreviewBody } from './schemas.ts'
import { checkExpiry, previewExpiry } from './service.ts'

export const expiryRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, accountRule, tags, operationId } },
) => {
  app.post(
    '/domains/check-expiry-preview',
    {
      config: { ...accountRule('domains:read'), rateLimit: LOOKUP_LIMIT },
      schema: {
        operationId: operationId('previewExpiry'),
        tags: tags('Domains'),
        summary: 'Look up by RDAP or WHOIS when a registration ends, and store nothing',
        description:
          'For everybody who is signed in; the name needs to be no domain here. Of a name below a registrable domain that one is asked for. When nothing is found the answer is 200 with `success: false` and `error`. Limited to 20 calls a minute.',
        body: PreviewBody,
        response: { 200: LookupAnswer },
      },
    },
    (request) => previewExpiry(app, request.body.domain),
  )

  app.post(
    '/domains/:id/check-expiry',
    {
      config: { ...rule('domains:write'), rateLimit: LOOKUP_LIMIT, errors: [404] },
      schema: {
        operationId: operationId('checkExpiry'),
        tags: tags('Domains'),
        summary: 'Look up by RDAP or WHOIS when the registration ends, and store what is found',
        description:
          'For the owner and administrators. When nothing is found the answer is 200 with `success: false` and `error`, and a date that is known stays. Limited to 20 calls a minute.',
        params: IdParams,
        response: { 200: LookupAnswer },
      },
    },
    (request) => checkExpiry(app, callerOf(request), request.params.id),
  )
}
