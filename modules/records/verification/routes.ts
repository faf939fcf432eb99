import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { once } from '../../../plugins/http/idempotency/key.ts'
import { ref } from '../../../schemas/ref.ts'
import { ChangeParams } from '../history/schemas.ts'
import { Verification } from './schemas.ts'
import { readVerification, verifyChange } from './service.ts'

/** Routes that tell whether the name servers serve a change, under /api and /api/v1. */
export const verificationRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get('/domains/:id/changes/:changeId/verification', {
    config: { ...rule('records:read') },
    schema: {
      operationId: operationId('getVerification'),
      tags: tags('Records'),
      summary: 'Whether the name servers serve a change',
      description:
        'Requires access to the domain; tells only of names and types that the caller sees. Each applied change is verified unless `verify` of the domain is `off`: every name and type is asked of every authoritative name server until all agree or ten minutes have passed. TTLs are not compared.',
      params: ChangeParams,
      response: { 200: ref(Verification) },
    },
    handler: (request) =>
      readVerification(app, callerOf(request), request.params.id, request.params.changeId),
  })

  app.post('/domains/:id/changes/:changeId/verify', {
    config: { ...rule('records:read'), errors: [409] },
    schema: {
      operationId: operationId('verifyChange'),
      tags: tags('Records'),
      summary: 'Verify a change on the name servers, now',
      description:
        'Requires access to the domain. Begins again if the verification has ended; also where `verify` of the domain is `off`. `GET …/verification` returns the progress.',
      params: ChangeParams,
      response: { 202: ref(Verification) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      return once(caller, () => verifyChange(app, caller, request.params.id, request.params.changeId))
    },
  })
}
