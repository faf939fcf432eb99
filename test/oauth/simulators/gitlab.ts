import {
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
} from '../../conformance/simulators/server.ts'
import { isClient, json } from './issuer.ts'

interface Owner {
  teardown(end: () => unknown): void
}

/** GitLab's REST side: OAuth 2.0 without an ID token, a user with a state. */
export async function startCodehostB(t: Owner) {
  const fake = {
    user: {
      id: 42,
      username: 'gl',
      name: 'Gi Lab',
      email: 'gl@example.test',
      state: 'active',
      locked: false,
    } as Record<string, unknown>,
  }
  const server = await startServer(handle)
  t.teardown(() => server.close())

  function handle({ path, query, headers, body }: SimulatorRequest): SimulatorAnswer {
    if (path === '/oauth/authorize') {
      const back = new URLSearchParams({ code: 'the-code', state: query.get('state') ?? '' })
      return { status: 302, headers: { location: `${query.get('redirect_uri')}?${back.toString()}` } }
    }
    if (path === '/oauth/token') {
      if (!isClient(headers['authorization'])) return json(401, { error: 'invalid_client' })
      if (new URLSearchParams(body).get('code') !== 'the-code') return json(400, { error: 'invalid_grant' })
      return json(200, { access_token: 'gl-token', token_type: 'Bearer', scope: 'read_user', created_at: 1 })
    }
    if (path === '/api/v4/user' && headers['authorization'] === 'Bearer gl-token') return json(200, fake.user)
    return json(401, { message: '401 Unauthorized' })
  }

  return { ...server, fake, userInfoUrl: `${server.url}/api/v4/user` }
}
