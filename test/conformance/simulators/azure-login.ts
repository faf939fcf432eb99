import { randomBytes, randomUUID } from 'node:crypto'
import { AccessTokens } from './access-tokens.ts'
import { Refused, json, orRefused } from './answers.ts'
import { unauthenticated } from './azure-answers.ts'
import { startServer, type SimulatorAnswer, type SimulatorRequest, type SimulatorServer } from './server.ts'

export interface AzureClient {
  clientId: string
  clientSecret: string
}

const RESOURCE = 'https://management.azure.com'

/** Where applications of a tenant get their tokens (RFC 6749 section 4.4), by its first version and by its second. */
export class AzureLogin {
  readonly server: SimulatorServer
  readonly tenantId = randomUUID()
  readonly tokens: AccessTokens<AzureClient>
  readonly #clients = new Map<string, AzureClient>()

  private constructor(server: SimulatorServer, tokenSeconds: number) {
    this.server = server
    this.tokens = new AccessTokens(tokenSeconds, 'eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.')
  }

  static async start(tokenSeconds: number): Promise<AzureLogin> {
    const server = await startServer((request) => orRefused(() => login.#answer(request)))
    const login = new AzureLogin(server, tokenSeconds)
    return login
  }

  create(): AzureClient {
    const client = { clientId: randomUUID(), clientSecret: `8Q~${randomBytes(24).toString('base64url')}` }
    this.#clients.set(client.clientId, client)
    return client
  }

  /** Whose token the request has. Throws Refused. */
  holderOf(request: SimulatorRequest): AzureClient {
    const holder = this.tokens.holderOf(request)
    if (holder === undefined) throw unauthenticated()
    return holder
  }

  #answer({ method, path, headers, body }: SimulatorRequest): SimulatorAnswer {
    const [, tenant, version = ''] = /^\/([^/]+)\/oauth2\/(v2\.0\/)?token$/.exec(path) ?? []
    if (tenant === undefined || method !== 'POST') throw new Refused({ status: 404 })
    if (tenant !== this.tenantId)
      throw refused(400, 'invalid_request', 90_002, `Tenant '${tenant}' not found.`)
    if (!String(headers['content-type']).startsWith('application/x-www-form-urlencoded'))
      throw refused(400, 'invalid_request', 900_144, 'The request body must be a form.')
    const form = new URLSearchParams(body)
    const isFirst = version === ''
    const wanted = isFirst ? form.get('resource')?.replace(/\/$/, '') : form.get('scope')
    const grantType = form.get('grant_type')
    if (grantType !== 'client_credentials')
      throw refused(400, 'unsupported_grant_type', 70_003, `The grant type '${grantType}' is not supported.`)
    const client = this.#clients.get(form.get('client_id') ?? '')
    if (client === undefined)
      throw refused(400, 'unauthorized_client', 700_016, 'Application was not found in the directory.')
    if (client.clientSecret !== form.get('client_secret'))
      throw refused(401, 'invalid_client', 7_000_215, 'Invalid client secret provided.')
    if (wanted !== (isFirst ? RESOURCE : `${RESOURCE}/.default`))
      throw refused(400, 'invalid_resource', 500_011, 'The resource principal was not found in the tenant.')
    const { seconds } = this.tokens
    const granted = { token_type: 'Bearer', access_token: this.tokens.give(client) }
    // In the first version numbers are texts.
    return json(
      200,
      isFirst
        ? { ...granted, expires_in: String(seconds), ext_expires_in: String(seconds), resource: RESOURCE }
        : { ...granted, expires_in: seconds, ext_expires_in: seconds },
    )
  }
}

const refused = (status: number, error: string, code: number, description: string) =>
  new Refused(
    json(status, { error, error_description: `AADSTS${code}: ${description}`, error_codes: [code] }),
  )
