import {
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
} from '../../conformance/simulators/server.ts'
import { CLIENT_ID, CLIENT_SECRET } from '../helpers/service.ts'
import { json } from './issuer.ts'

interface Owner {
  teardown(end: () => unknown): void
}

/** DingTalk as it is on the wire: camel-case JSON, a token header of its own, errors with code and message. */
export async function startChatA(t: Owner) {
  const fake = {
    /** Which names the code has in the callback. */
    codeNames: ['authCode', 'code'],
    user: {
      nick: 'Ding',
      avatarUrl: 'https://static.example.test/ding.jpg',
      openId: 'open-1',
      unionId: 'union-1',
      email: 'ding@example.test',
      mobile: '13800000000',
    } as Record<string, unknown>,
  }
  const server = await startServer(handle)
  t.teardown(() => server.close())

  function handle({ method, path, query, headers, body }: SimulatorRequest): SimulatorAnswer {
    if (path === '/oauth2/auth') {
      const back = new URLSearchParams({ state: query.get('state') ?? '' })
      if (query.get('prompt') !== 'consent') return json(400, { code: 'invalidParameter' })
      for (const name of fake.codeNames) back.set(name, 'ding-code')
      return { status: 302, headers: { location: `${query.get('redirect_uri')}?${back.toString()}` } }
    }
    if (path === '/v1.0/oauth2/userAccessToken' && method === 'POST') {
      if (headers['content-type'] !== 'application/json')
        return json(400, { code: 'MissingBody', message: 'body' })
      const { clientId, clientSecret, code, grantType } = JSON.parse(body) as Record<string, string>
      if (clientId !== CLIENT_ID || clientSecret !== CLIENT_SECRET) {
        return json(400, { code: 'invalidClientIdOrSecret', message: 'wrong', requestid: 'r' })
      }
      if (code !== 'ding-code' || grantType !== 'authorization_code') {
        return json(400, { code: 'invalidParameter.authCode.notFound', message: 'no such code' })
      }
      return json(200, { accessToken: 'ding-token', refreshToken: 'r', expireIn: 7200 })
    }
    if (path === '/v1.0/contact/users/me') {
      return headers['x-acs-dingtalk-access-token'] === 'ding-token'
        ? json(200, fake.user)
        : json(400, { code: 'InvalidAuthentication', message: 'no' })
    }
    return json(404, { code: 'InvalidAction.NotFound', message: 'no' })
  }

  return {
    ...server,
    fake,
    endpoints: {
      authorizeUrl: `${server.url}/oauth2/auth`,
      tokenUrl: `${server.url}/v1.0/oauth2/userAccessToken`,
      userInfoUrl: `${server.url}/v1.0/contact/users/me`,
    },
  }
}
