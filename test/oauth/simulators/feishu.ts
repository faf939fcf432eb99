import { createHash } from 'node:crypto'
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

/** Feishu as it is on the wire: a JSON token request, wrapped user info, failures with status 200. */
export async function startChatB(t: Owner) {
  const fake = {
    denies: false,
    user: {
      open_id: 'ou-1',
      union_id: 'on-1',
      tenant_key: 'tenant',
      name: 'Fei',
      enterprise_email: 'fei@example.test',
    } as Record<string, unknown>,
    /** Of the user info; 20021: resigned, 20022: frozen. */
    code: 0,
  }
  let challenge = ''
  const server = await startServer(handle)
  t.teardown(() => server.close())

  function handle({ path, query, headers, body }: SimulatorRequest): SimulatorAnswer {
    if (path === '/open-apis/authen/v1/authorize') {
      // Without a method by name, plain is meant.
      challenge =
        query.get('code_challenge_method') === 'S256' ? (query.get('code_challenge') ?? '') : 'plain'
      const back = new URLSearchParams({ state: query.get('state') ?? '' })
      if (fake.denies) back.set('error', 'access_denied')
      else back.set('code', 'fei-code')
      return { status: 302, headers: { location: `${query.get('redirect_uri')}?${back.toString()}` } }
    }
    if (path === '/open-apis/authen/v2/oauth/token') return token(body, headers['content-type'])
    if (path === '/open-apis/authen/v1/user_info') {
      if (headers['authorization'] !== 'Bearer fei-token') return json(200, { code: 20005, msg: 'bad token' })
      return fake.code === 0
        ? json(200, { code: 0, msg: 'success', data: fake.user })
        : json(200, { code: fake.code, msg: 'no', data: {} })
    }
    return json(404, { code: 1, msg: 'no' })
  }

  function token(body: string, type: string | string[] | undefined): SimulatorAnswer {
    if (!String(type).startsWith('application/json'))
      return json(400, { code: 20063, error: 'invalid_request' })
    const given = JSON.parse(body) as Record<string, string>
    if (given['client_id'] !== CLIENT_ID || given['client_secret'] !== CLIENT_SECRET) {
      return json(400, { code: 20002, error: 'invalid_client', error_description: 'secret' })
    }
    if (given['code'] !== 'fei-code') return json(400, { code: 20003, error: 'invalid_grant' })
    const proof = createHash('sha256')
      .update(given['code_verifier'] ?? '')
      .digest('base64url')
    if (proof !== challenge) return json(400, { code: 20049, error: 'invalid_grant' })
    return json(200, {
      code: 0,
      access_token: 'fei-token',
      expires_in: 7200,
      token_type: 'Bearer',
      scope: '',
    })
  }

  const base = `${server.url}/open-apis/authen`
  return {
    ...server,
    fake,
    endpoints: {
      authorizeUrl: `${base}/v1/authorize`,
      tokenUrl: `${base}/v2/oauth/token`,
      userInfoUrl: `${base}/v1/user_info`,
    },
  }
}
