import { failed, IdentityError } from '../errors.ts'
import type { IdentityProvider, ProviderSettings, HttpAccess } from './contract.ts'
import {
  authorizationUrlBy,
  checkPlain,
  fetchInfo,
  redeemCode,
  requireEndpoints,
  serverBy,
} from './oauth2.ts'
import { toIdentity } from './profile.ts'

const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }

/** GitHub, or GitHub Enterprise Server with explicit endpoints (`https://host/api/v3/user` as user info). */
export const codehostA: IdentityProvider = {
  id: 'codehost_a',
  name: 'GitHub',
  type: 'oauth2',
  defaults: {
    scope: 'read:user user:email',
    wellKnownUrl: null,
    authorizeUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    userInfoUrl: 'https://api.github.com/user',
  },
  needs: ['authorizeUrl', 'tokenUrl', 'userInfoUrl'],

  authorizationUrl: async (settings, flow, httpAccess) =>
    authorizationUrlBy(server(settings), settings, flow, httpAccess),

  async identify(settings, flow, callback, httpAccess) {
    const token = await redeemCode(server(settings), settings, flow, callback, httpAccess, true)
    const { userInfoUrl } = requireEndpoints(settings)
    const user = await fetchInfo(userInfoUrl, token, httpAccess, HEADERS)
    // The login name can be reassigned; the number can't.
    if (typeof user['id'] !== 'number') throw failed('The user has no numeric id')
    const email = await primaryEmail(`${userInfoUrl}/emails`, token, httpAccess)
    return toIdentity({
      subject: user['id'],
      username: user['login'],
      displayName: user['name'] ?? user['login'],
      email,
      emailVerified: email !== null,
      avatar: user['avatar_url'],
    })
  },

  check: async (settings, redirectUri, httpAccess) =>
    checkPlain(server(settings), settings, redirectUri, httpAccess),
}

/** `https://github.com/login/oauth`, sent as `iss` in callbacks since 2026-04. */
const server = (settings: ProviderSettings) =>
  serverBy(settings, settings.issuer ?? requireEndpoints(settings).authorizeUrl.replace(/\/authorize$/, ''))

/**
 * Returns the primary address if verified. The profile's public address may be unverified and is not used.
 */
async function primaryEmail(url: string, token: string, { calls }: HttpAccess): Promise<string | null> {
  const headers = { ...HEADERS, authorization: `Bearer ${token}` }
  const { status, body } = await calls.request({ method: 'GET', url, headers })
  // An app without permission to read addresses, or a user who did not grant it: sign-in works without.
  if (status === 401 || status === 403 || status === 404) return null
  const entries = status === 200 ? parseEntries(body) : null
  if (entries === null) throw new IdentityError('failed', `The list of addresses answered ${status}`)
  const email = entries.find((entry) => entry.primary === true && entry.verified === true)?.email
  return typeof email === 'string' ? email : null
}

interface Entry {
  email?: unknown
  primary?: unknown
  verified?: unknown
}

function parseEntries(body: string): Entry[] | null {
  try {
    const value: unknown = JSON.parse(body)
    if (!Array.isArray(value)) return null
    return value.filter((entry): entry is Entry => typeof entry === 'object' && entry !== null)
  } catch {
    return null
  }
}
