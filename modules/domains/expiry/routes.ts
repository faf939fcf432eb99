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
  app.post('/domains/check-expiry-preview', {
    config: { ...accountRule('domains:read'), rateLimit: LOOKUP_LIMIT },
    schema: {
      operationId: operationId('previewExpiry'),
      tags: tags('Domains'),
      summary: 'Look up an expiry date by RDAP or WHOIS without storing it',
      description:
        "For all signed-in users; the domain needn't be registered here. A name below a registrable domain looks up that domain. If nothing is found, the response is 200 with `success: false` and `error`. Limited to 20 calls per minute.",
      body: PreviewBody,
      response: { 200: LookupAnswer },
    },
    handler: (request) => previewExpiry(app, request.body.domain),
  })

  app.post('/domains/:id/check-expiry', {
    config: { ...rule('domains:write'), rateLimit: LOOKUP_LIMIT, errors: [404] },
    schema: {
      operationId: operationId('checkExpiry'),
      tags: tags('Domains'),
      summary: 'Look up the expiry date by RDAP or WHOIS and store it',
      description:
        'For the owner and administrators. If nothing is found, the response is 200 with `success: false` and `error`, and the stored date stays. Limited to 20 calls per minute.',
      params: IdParams,
      response: { 200: LookupAnswer },
    },
    handler: (request) => checkExpiry(app, callerOf(request), request.params.id),
  })
}
