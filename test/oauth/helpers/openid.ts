import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { freePort } from '../../peers/processes.ts'
import { CLIENT_ID, CLIENT_SECRET } from './service.ts'

interface Owner {
  teardown(end: () => unknown): void
}

export interface OpenIdServer {
  issuer: string
  wellKnownUrl: string
  /** Who signs in there next; null: they refuse. */
  account: string | null
  /** How back-channel logouts ended: `delivered`, or what went wrong. */
  logouts: string[]
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/**
 * A certified OpenID provider with one client; whoever comes is signed in as `account` and consents. With
 * `pages` it asks, by its own pages, and takes any password.
 */
export async function startOpenId(
  t: Owner,
  redirectUri: string,
  { pages = false, logoutUri }: { pages?: boolean; logoutUri?: string } = {},
): Promise<OpenIdServer> {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const state: OpenIdServer = {
    issuer,
    wellKnownUrl: `${issuer}/.well-known/openid-configuration`,
    account: 'alice',
    logouts: [],
  }
  const provider = new Provider(issuer, {
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }],
    },
    cookies: { keys: ['one', 'two'] },
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        ...(logoutUri !== undefined && {
          backchannel_logout_uri: logoutUri,
          backchannel_logout_session_required: true,
        }),
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username', 'picture'],
    },
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: pages },
      backchannelLogout: { enabled: logoutUri !== undefined },
    },
    pkce: { required: () => true },
    // Its own guard allows no address of this machine.
    fetch: (url, options) => {
      const given = { ...options } as Record<string, unknown>
      delete given['dispatcher']
      return fetch(url, given)
    },
    ...(!pages && {
      interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    }),
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: async () => ({
        sub: id,
        email: `${id}@example.test`,
        email_verified: !id.startsWith('unverified'),
        name: `${id} of the tests`,
        preferred_username: id,
        picture: `https://example.test/${id}.png`,
      }),
    }),
  })
  provider.on('backchannel.success', () => void state.logouts.push('delivered'))
  provider.on('backchannel.error', (_ctx, error) => void state.logouts.push(error.message))
  const callback = provider.callback()

  const interact = async (...[req, res]: Parameters<typeof callback>) => {
    const { prompt, session, params } = await provider.interactionDetails(req, res)
    if (state.account === null) {
      const refusal = { error: 'access_denied', error_description: 'The person said no' }
      return provider.interactionFinished(req, res, refusal, { mergeWithLastSubmission: false })
    }
    if (prompt.name === 'login') {
      const login = { login: { accountId: state.account } }
      return provider.interactionFinished(req, res, login, { mergeWithLastSubmission: false })
    }
    const grant = new provider.Grant({
      accountId: session?.accountId as string,
      clientId: params['client_id'] as string,
    })
    grant.addOIDCScope('openid email profile')
    const consent = { consent: { grantId: await grant.save() } }
    return provider.interactionFinished(req, res, consent, { mergeWithLastSubmission: true })
  }

  const server = createServer((req, res) => {
    const answered =
      !pages && req.url?.startsWith('/interaction/') === true ? interact(req, res) : callback(req, res)
    answered.catch((error: unknown) => {
      console.error(error)
      res.writeHead(500).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return state
}
