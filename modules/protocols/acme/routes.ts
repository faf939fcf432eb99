import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { OPEN_API } from '../../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../../plugins/openapi/openapi.ts'
import { readChallenge, type Challenge, type ChallengeBody as Body } from './challenge.ts'
import { ChallengeAnswer, ChallengeBody } from './schemas.ts'
import { cleanUpChallenge, presentChallenge } from './service.ts'

const WHERE =
  'The first label of the name must be `_acme-challenge`. Up to 8 CNAMEs known here are followed; their target can also be given directly.'

/** The httpreq protocol of lego, with HTTP Basic or a Bearer token. */
export const routes: FastifyPluginAsyncTypebox = async (app) => {
  const config = {
    ...OPEN_API.rule('acme:challenge'),
    basic: true,
    ignoresUnknown: 'ACME clients may send extra fields',
    origin: 'acme' as const,
    errors: [404, 409, ...PROVIDER_ERRORS],
  }
  const tags = OPEN_API.tags('ACME')

  app.post('/present', {
    config,
    schema: {
      operationId: OPEN_API.operationId('presentChallenge'),
      tags,
      summary: 'Create the TXT record of an ACME challenge',
      description: `Returns after the DNS provider has the record. Other values of the name stay; an existing value is not an error. Below a delegation (NS) or a DNAME of the zone the record would not be served: 409 with the reason hidden_by_delegation or hidden_by_dname. ${WHERE}`,
      body: ChallengeBody,
      response: { 200: ChallengeAnswer },
    },
    handler: (request) =>
      done(request.body, (challenge) => presentChallenge(app, callerOf(request), challenge)),
  })

  app.post('/cleanup', {
    config,
    schema: {
      operationId: OPEN_API.operationId('cleanUpChallenge'),
      tags,
      summary: 'Delete the TXT record of an ACME challenge',
      description: `Deletes only the record with this value; a missing record is not an error. ${WHERE}`,
      body: ChallengeBody,
      response: { 200: ChallengeAnswer },
    },
    handler: (request) =>
      done(request.body, (challenge) => cleanUpChallenge(app, callerOf(request), challenge)),
  })
}

async function done(body: Body, work: (challenge: Challenge) => Promise<void>) {
  const challenge = readChallenge(body)
  await work(challenge)
  return { fqdn: `${challenge.name}.`, value: challenge.value }
}
