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

/** GitHub as it is on the wire: form replies unless asked for JSON, errors with status 200, `iss` in callbacks. */
export async function startCodehostA(t: Owner) {
  const codes = new Map<string, { challenge: string; redirectUri: string }>()
  const fake = {
    sendsIss: true,
    denies: false,
    user: { id: 583231, login: 'octocat', name: 'Octo Cat', email: 'public@example.test' } as Record<
      string,
      unknown
    >,
    emails: [
      { email: 'old@example.test', primary: false, verified: true },
      { email: 'octo@example.test', primary: true, verified: true },
    ] as unknown,
    emailsStatus: 200,
  }
  const server = await startServer(handle)
  t.teardown(() => server.close())
  const base = `${server.url}/login/oauth`

  function handle(request: SimulatorRequest): SimulatorAnswer {
    if (request.path === '/login/oauth/authorize') return authorize(request.query)
    if (request.path === '/login/oauth/access_token') return token(request)
    if (request.headers['user-agent'] === undefined) return json(403, { message: 'User-Agent required' })
    if (request.headers['authorization'] !== 'Bearer gho_token')
      return json(401, { message: 'Bad credentials' })
    if (request.path === '/user') return json(200, fake.user)
    if (request.path === '/user/emails') return json(fake.emailsStatus, fake.emails)
    return json(404, { message: 'Not Found' })
  }

  function authorize(query: URLSearchParams): SimulatorAnswer {
    const redirectUri = query.get('redirect_uri') ?? ''
    const back = new URLSearchParams({ state: query.get('state') ?? '' })
    if (fake.denies) {
      back.set('error', 'access_denied')
      back.set('error_description', 'The user has denied your application access.')
    } else {
      if (query.get('code_challenge_method') !== 'S256') return json(400, {})
      const code = `code${codes.size}`
      codes.set(code, { challenge: query.get('code_challenge') ?? '', redirectUri })
      back.set('code', code)
    }
    if (fake.sendsIss) back.set('iss', base)
    return { status: 302, headers: { location: `${redirectUri}?${back.toString()}` } }
  }

  function token({ body, headers }: SimulatorRequest): SimulatorAnswer {
    const form = new URLSearchParams(body)
    const reply = (values: Record<string, string>): SimulatorAnswer =>
      String(headers['accept']).includes('application/json')
        ? json(200, values)
        : {
            status: 200,
            headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
            body: new URLSearchParams(values).toString(),
          }
    const basic = Buffer.from(String(headers['authorization']).slice(6), 'base64').toString()
    const pair = basic.includes(':')
      ? decodeURIComponent(basic)
      : `${form.get('client_id')}:${form.get('client_secret')}`
    if (pair !== `${CLIENT_ID}:${CLIENT_SECRET}`) {
      return reply({
        error: 'incorrect_client_credentials',
        error_description: 'The client_id is incorrect.',
      })
    }
    const known = codes.get(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (known?.challenge !== challenge || known.redirectUri !== form.get('redirect_uri')) {
      return reply({
        error: 'bad_verification_code',
        error_description: 'The code passed is incorrect or expired.',
      })
    }
    codes.delete(form.get('code') ?? '')
    return reply({ access_token: 'gho_token', scope: 'read:user,user:email', token_type: 'bearer' })
  }

  return {
    ...server,
    fake,
    endpoints: {
      authorizeUrl: `${base}/authorize`,
      tokenUrl: `${base}/access_token`,
      userInfoUrl: `${server.url}/user`,
    },
  }
}
