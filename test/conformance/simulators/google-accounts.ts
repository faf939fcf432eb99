import { createPublicKey, generateKeyPairSync, randomBytes, verify } from 'node:crypto'
import { AccessTokens } from './access-tokens.ts'
import { Refused, json, orRefused } from './answers.ts'
import { unauthenticated } from './google-answers.ts'
import { startServer, type SimulatorAnswer, type SimulatorRequest, type SimulatorServer } from './server.ts'

/** A service account's key, as it is downloaded. */
export interface ServiceAccountKey {
  type: 'service_account'
  project_id: string
  private_key_id: string
  private_key: string
  client_email: string
  token_uri: string
}

interface Holder {
  email: string
  scopes: string[]
}

export const SCOPES = ['ndev.clouddns.readwrite', 'ndev.clouddns.readonly', 'cloud-platform'].map(
  (name) => `https://www.googleapis.com/auth/${name}`,
)
const HOUR = 3600
/** Seconds that a clock may be wrong. */
const SKEW = 300

/** Google's token endpoint, which gives access tokens to service accounts (RFC 7523). */
export class GoogleAccounts {
  readonly server: SimulatorServer
  readonly #keys = new Map<string, ServiceAccountKey>()
  readonly tokens: AccessTokens<Holder>

  private constructor(server: SimulatorServer, tokenSeconds: number) {
    this.server = server
    this.tokens = new AccessTokens(tokenSeconds, 'ya29.c.')
  }

  static async start(tokenSeconds: number): Promise<GoogleAccounts> {
    const server = await startServer((request) => orRefused(() => accounts.#answer(request)))
    const accounts = new GoogleAccounts(server, tokenSeconds)
    return accounts
  }

  create(name: string, project: string): ServiceAccountKey {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key: ServiceAccountKey = {
      type: 'service_account',
      project_id: project,
      private_key_id: randomBytes(20).toString('hex'),
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      client_email: `${name}@${project}.iam.gserviceaccount.com`,
      token_uri: `${this.server.url}/token`,
    }
    this.#keys.set(key.client_email, key)
    return key
  }

  /** Whose token the request has. Throws Refused. */
  holderOf(request: SimulatorRequest): Holder {
    const holder = this.tokens.holderOf(request)
    if (holder === undefined) throw unauthenticated()
    return holder
  }

  #answer({ method, path, headers, body }: SimulatorRequest): SimulatorAnswer {
    if (path !== '/token' || method !== 'POST') throw new Refused({ status: 404 })
    if (!String(headers['content-type']).startsWith('application/x-www-form-urlencoded'))
      throw refused('invalid_request', 'The body must be a form')
    const form = new URLSearchParams(body)
    const grantType = form.get('grant_type')
    if (grantType !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
      throw refused('unsupported_grant_type', `Invalid grant_type: ${grantType}`)
    const token = this.tokens.give(this.#judge(form.get('assertion') ?? ''))
    return json(200, { access_token: token, expires_in: this.tokens.seconds, token_type: 'Bearer' })
  }

  #judge(assertion: string): Holder {
    const [head = '', payload = '', signature = ''] = assertion.split('.')
    const [header, claims] = [readPart(head), readPart(payload)]
    if (header === null || claims === null) throw refused('invalid_request', 'Bad Request')
    const key = this.#keys.get(String(claims['iss']))
    if (key === undefined) throw refused('invalid_grant', 'Invalid grant: account not found')
    const isOfKey = header['kid'] === undefined || header['kid'] === key.private_key_id
    const signed = Buffer.from(`${head}.${payload}`)
    const isSigned =
      header['alg'] === 'RS256' &&
      verify('RSA-SHA256', signed, createPublicKey(key.private_key), Buffer.from(signature, 'base64url'))
    if (!isOfKey || !isSigned) throw refused('invalid_grant', 'Invalid JWT Signature.')
    if (claims['aud'] !== key.token_uri)
      throw refused(
        'invalid_grant',
        `Invalid JWT: Failed audience check. The right audience is ${key.token_uri}`,
      )
    const [from, to, now] = [Number(claims['iat']), Number(claims['exp']), Date.now() / 1000]
    if (!(from <= now + SKEW && to > now - SKEW && to > from && to - from <= HOUR))
      throw refused('invalid_grant', TIMES)
    const scopes = String(claims['scope']).split(' ')
    if (!scopes.every((scope) => SCOPES.includes(scope)))
      throw refused('invalid_scope', 'Invalid OAuth scope or ID token audience provided.')
    return { email: key.client_email, scopes }
  }
}

const TIMES =
  'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.'

const refused = (error: string, description: string) =>
  new Refused(json(400, { error, error_description: description }))

/** A part of a JWT; null: not JSON. */
function readPart(part: string): Record<string, unknown> | null {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  } catch {
    return null
  }
}
