import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { OPEN_API } from '../../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../../plugins/openapi/openapi.ts'
import { readChallenge, type Challenge, type ChallengeBody as Body } from './challenge.ts'
import { ChallengeAnswer, ChallengeBody } from './schemas.ts'
import { cleanUpChallenge, presentChallenge } from './service.ts'

const WHERE =
  'At names whose first label is `_acme-challenge`; CNAMEs that are known here are followed, up to 8, and what they lead to may be named itself.'

/** What clients of lego's httpreq call, with HTTP Basic or a Bearer token. */
export const routes: FastifyPluginAsyncTypebox = async (app) => {
  const config = {
    ...OPEN_API.rule('acme:challenge'),
    basic: true,
    ignoresUnknown: 'ACME clients may send more than the protocol of httpreq names',
    origin: 'acme' as const,
    errors: [404, 409, ...PROVIDER_ERRORS],
  }
  const tags = OPEN_API.tags('ACME')

  app.post(
    '/present',
    {
      config,
      schema: {
        operationId: OPEN_API.operationId('presentChallenge'),
        tags,
        summary: 'Put the TXT record of an ACME challenge',
        description: `Answers when the DNS host has it; other values of the name stay, and one that is there already is fine. Below a delegation (NS) or a DNAME of the zone it would not be answered: 409 with the reason hidden_by_delegation or hidden_by_dname. ${WHERE}`,
        body: ChallengeBody,
        response: { 200: ChallengeAnswer },
      },
    },
    (request) => done(request.body, (challenge) => presentChallenge(app, callerOf(request), challenge)),
  )

  app.post(
    '/cleanup',
    {
      config,
      schema: {
        operationId: OPEN_API.operationId('cleanUpChallenge'),
        tags,
        summary: 'Take the TXT record of an ACME challenge away',
        description: `Only the one with that value; when it is gone already, that is fine. ${WHERE}`,
        body: ChallengeBody,
        response: { 200: ChallengeAnswer },
      },
    },
    (request) => done(request.body, (challenge) => cleanUpChallenge(app, callerOf(request), challenge)),
  )
}

async function done(body: Body, work: (challenge: Challenge) => Promise<void>) {
  const challenge = readChallenge(body)
  await work(challenge)
  return { fqdn: `${challenge.name}.`, value: challenge.value }
}
