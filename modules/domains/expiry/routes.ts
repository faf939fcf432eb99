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
        params: IdParams,
        response: { 200: LookupAnswer },
      },
    },
    (request) => checkExpiry(app, callerOf(request), request.params.id),
  )
}
