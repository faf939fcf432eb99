import { calculatePKCECodeChallenge } from 'openid-client'
import { failed, IdentityError } from '../errors.ts'
import { codeText } from './client.ts'
import { credentialsRefused, credentialsTaken } from './checks.ts'
import type { AuthorizationFlow, Check, ProviderSettings } from './contract.ts'

/** For providers with their own token endpoint: the parts of the flow that follow OAuth. */

/** Returns the authorization request of RFC 6749 section 4.1.1. */
export function requestAt(
  authorizeUrl: string,
  { clientId, scope }: ProviderSettings,
  { redirectUri, state }: AuthorizationFlow,
  more: Record<string, string> = {},
): URL {
  const url = new URL(authorizeUrl)
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    ...(scope !== '' && { scope }),
    state,
    ...more,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

/** RFC 7636 section 4.3. */
export const challengeOf = async ({ codeVerifier }: AuthorizationFlow) => ({
  code_challenge: await calculatePKCECodeChallenge(codeVerifier),
  code_challenge_method: 'S256',
})

/** Returns the code of a callback, under one of these names; each may occur once (section 3.1). */
export function codeOf(callback: URLSearchParams, names: readonly string[]): string {
  const errors = callback.getAll('error')
  if (errors.length > 0) {
    if (errors.length === 1 && errors[0] === 'access_denied')
      throw new IdentityError('denied', 'access_denied')
    throw failed(`The provider sent the browser back with ${codeText(errors[0] ?? '')}`)
  }
  const codes = names.map((name) => callback.getAll(name))
  if (codes.some((values) => values.length > 1)) throw failed('The callback repeats a parameter')
  const code = codes.flat().find((value) => value !== '')
  if (code === undefined) throw failed('The callback has no code')
  return code
}

/** Checks the credentials with a token request for an invalid code: if only that is refused, they are right. */
export async function checkCredentialsBy(areRefused: () => Promise<boolean>): Promise<Check[]> {
  const name = 'credentials'
  try {
    const refused = await areRefused()
    return [{ name, ok: !refused, detail: refused ? credentialsRefused : credentialsTaken }]
  } catch (error) {
    return [{ name, ok: false, detail: (error as Error).message }]
  }
}
