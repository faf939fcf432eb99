import { createHash, createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import {
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
  type SimulatorServer,
} from '../../conformance/simulators/server.ts'
import { CLIENT_ID, CLIENT_SECRET } from '../helpers/service.ts'

interface Owner {
  teardown(end: () => unknown): void
}

type Claims = Record<string, unknown>

/** What an honest issuer says, before it is made to lie. */
export interface Lies {
  /** In the discovery document. */
  document?: (document: Claims) => Claims
  /** In the redirect back. */
  callback?: (query: URLSearchParams) => void
  claims?: (claims: Claims) => Claims
  header?: (header: Claims) => Claims
  /** The whole ID token. */
  idToken?: (token: string) => string | undefined
  userInfo?: (info: Claims) => Claims
}

export interface FakeIssuer extends SimulatorServer {
  issuer: string
  wellKnownUrl: string
  lies: Lies
  /** Who signs in. */
  person: Claims & { sub: string }
  /** A new key with a new id in place of the one before. */
  rotateKey(): void
  /** A token of claims signed with another key under the id of the right one. */
  forge(token: string): string
  /** A token of these claims, signed with the right key unless the header says `none` or HS256. */
  sign(claims: Claims, header?: Claims): string
  /** Times that the keys were fetched. */
  keyFetches(): number
}

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** An OpenID issuer of our own, to be bent: each rule that it breaks must be noticed. */
export async function startIssuer(t: Owner): Promise<FakeIssuer> {
  let keys = pair()
  const stranger = pair()
  let keyNumber = 1
  const codes = new Map<string, { nonce: string; challenge: string; redirectUri: string }>()
  const server = await startServer((request) => handle(request))
  t.teardown(() => server.close())
  const issuer = server.url

  const fake: FakeIssuer = {
    ...server,
    issuer,
    wellKnownUrl: `${issuer}/.well-known/openid-configuration`,
    lies: {},
    person: { sub: 'paula', email: 'paula@example.test', email_verified: true, name: 'Paula' },
    rotateKey: () => {
      keys = pair()
      keyNumber++
    },
    forge: (token) => signed(...(token.split('.').slice(0, 2) as [string, string]), stranger.privateKey),
    sign: (claims, header = {}) => seal({ alg: 'RS256', kid: `k${keyNumber}`, ...header }, claims),
    keyFetches: () => server.requests.filter(({ path }) => path === '/jwks').length,
  }
  return fake

  function handle(request: SimulatorRequest): SimulatorAnswer {
    switch (request.path) {
      case '/.well-known/openid-configuration':
        return json(200, bent(fake.lies.document, discovery()))
      case '/authorize':
        return authorize(request.query)
      case '/token':
        return token(request)
      case '/jwks':
        return json(200, { keys: [{ ...jwk(keys.publicKey), kid: `k${keyNumber}` }] })
      case '/userinfo':
        return json(200, bent(fake.lies.userInfo, { ...fake.person }))
      default:
        return json(404, {})
    }
  }

  function discovery(): Claims {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
    }
  }

  function authorize(query: URLSearchParams): SimulatorAnswer {
    const code = `code-${codes.size + 1}`
    const redirectUri = query.get('redirect_uri') ?? ''
    codes.set(code, {
      nonce: query.get('nonce') ?? '',
      challenge: query.get('code_challenge') ?? '',
      redirectUri,
    })
    const back = new URLSearchParams({ code, state: query.get('state') ?? '', iss: issuer })
    fake.lies.callback?.(back)
    return { status: 302, headers: { location: `${redirectUri}?${back.toString()}` } }
  }

  function token({ body, headers }: SimulatorRequest): SimulatorAnswer {
    if (!isClient(headers['authorization'])) {
      return json(401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic realm="issuer"' })
    }
    const form = new URLSearchParams(body)
    const known = codes.get(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (known?.challenge !== challenge || known.redirectUri !== form.get('redirect_uri')) {
      return json(400, { error: 'invalid_grant' })
    }
    codes.delete(form.get('code') ?? '')
    const idToken = issue(known.nonce)
    return json(200, {
      access_token: 'an-access-token',
      token_type: 'Bearer',
      expires_in: 300,
      id_token: fake.lies.idToken ? fake.lies.idToken(idToken) : idToken,
    })
  }

  function issue(nonce: string): string {
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, aud: CLIENT_ID, iat: now, exp: now + 300, nonce, ...fake.person }
    const header = bent(fake.lies.header, { alg: 'RS256', typ: 'JWT', kid: `k${keyNumber}` })
    return seal(header, bent(fake.lies.claims, claims))
  }

  function seal(header: Claims, claims: Claims): string {
    const parts = [header, claims].map(encoded) as [string, string]
    if (header['alg'] === 'none') return `${parts.join('.')}.`
    if (header['alg'] === 'HS256') {
      return `${parts.join('.')}.${createHmac('sha256', CLIENT_SECRET).update(parts.join('.')).digest('base64url')}`
    }
    return signed(...parts, keys.privateKey)
  }
}

/** RFC 6749 section 2.3.1: both parts are form-encoded before they become basic authentication. */
export function isClient(authorization: string | string[] | undefined): boolean {
  const pair = Buffer.from(String(authorization).slice('Basic '.length), 'base64').toString()
  return decodeURIComponent(pair) === `${CLIENT_ID}:${CLIENT_SECRET}`
}

const bent = (lie: ((truth: Claims) => Claims) | undefined, truth: Claims) => (lie ? lie(truth) : truth)

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const signed = (header: string, claims: string, key: KeyObject) =>
  `${header}.${claims}.${sign('sha256', Buffer.from(`${header}.${claims}`), key).toString('base64url')}`

const jwk = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' })

export const json = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): SimulatorAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
