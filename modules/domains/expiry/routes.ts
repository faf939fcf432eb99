import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/access/index.ts'
import { LOOKUP_LIMIT } from '../../../plugins/rate-limit.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { LookupAnswer, PreviewBody } from './schemas.ts'
import { checkExpiry, previewExpiry } from './service.ts'

const tags = ['Domains']
const config = { access: 'user', rateLimit: LOOKUP_LIMIT } as const

export const expiryRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/domains/check-expiry-preview',
    {
      config,
      schema: {
        operationId: 'previewExpiry',
        tags,
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
      config: { ...config, errors: [404] },
      schema: {
        operationId: 'checkExpiry',
        tags,
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
