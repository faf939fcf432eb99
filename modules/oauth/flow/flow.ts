import { randomBytes } from 'node:crypto'
import { randomPKCECodeVerifier } from 'openid-client'
import { createCalls, parseObject } from './calls.ts'
import type { OAuthContext } from '../context.ts'
import { insertFlow, takeFlow } from './flow-queries.ts'
import { isProviderId, identityProvider } from '../identity-providers/registry.ts'
import type { AuthorizationFlow, ProviderId } from '../identity-providers/contract.ts'
import type { ProviderRow } from '../queries.ts'
import { redirectUrlOf, settingsOf } from '../administration/settings.ts'

/** Time allowed at the identity provider. */
const FLOW_SECONDS = 10 * 60

const STATE_CONTEXT = 'oauth/state'
const MAX_STATE_LENGTH = 1000

/** The user who links, and their session. */
export interface Binder {
  userId: string
  sessionId: string
}

/** 256 bits, as text for a URL or a cookie. */
export const randomToken = () => randomBytes(32).toString('base64url')

/** Starts a flow for the browser with the cookie. Rejects with IdentityError. */
export async function beginFlow(
  context: OAuthContext,
  row: ProviderRow,
  cookie: string,
  binder: Binder | null,
): Promise<URL> {
  const { db, secrets, installation } = context
  const providerId = row.provider_id
  const id = randomToken()
  const flow: AuthorizationFlow = {
    redirectUri: redirectUrlOf(installation, providerId),
    state: sealState(context, id, providerId),
    codeVerifier: randomPKCECodeVerifier(),
    nonce: randomToken(),
  }
  const provider = identityProvider(providerId)
  const url = await provider.authorizationUrl(settingsOf(row, secrets), flow, httpAccessOf(context))
  const { codeVerifier, nonce } = flow
  const hash = secrets.digest(id)
  await insertFlow(
    db,
    {
      hash,
      provider_id: providerId,
      cookie_hash: secrets.digest(cookie),
      user_id: binder?.userId ?? null,
      session_id: binder?.sessionId ?? null,
      secrets: secrets.seal(JSON.stringify({ codeVerifier, nonce }), flowContext(hash)),
    },
    FLOW_SECONDS,
  )
  return url
}

export interface TakenFlow {
  providerId: ProviderId
  flow: AuthorizationFlow
  /** Null: to sign in. */
  binder: Binder | null
}

/**
 * Ends the flow of the state, once, for the browser that started it. Null if the state is invalid, used or
 * expired, or the cookie is another one.
 */
export async function endFlow(
  context: OAuthContext,
  state: string,
  cookie: string | undefined,
): Promise<TakenFlow | null> {
  const { db, secrets, installation } = context
  const opened = openState(context, state)
  if (opened === null || cookie === undefined) return null
  const hash = secrets.digest(opened.flow)
  const row = await takeFlow(db, hash, secrets.digest(cookie))
  if (row?.provider_id !== opened.provider) return null
  const { codeVerifier, nonce } = JSON.parse(
    secrets.open(row.secrets, flowContext(hash)),
  ) as AuthorizationFlow
  const flow = { redirectUri: redirectUrlOf(installation, opened.provider), state, codeVerifier, nonce }
  const { user_id: userId, session_id: sessionId } = row
  const binder = userId === null || sessionId === null ? null : { userId, sessionId }
  return { providerId: opened.provider, flow, binder }
}

export const httpAccessOf = ({ http, identityMetadata }: OAuthContext) => ({
  calls: createCalls(http),
  metadata: identityMetadata,
})

const flowContext = (hash: Buffer) => `oauth_flows/${hash.toString('hex')}`

const sealState = ({ secrets }: OAuthContext, flow: string, provider: ProviderId) =>
  secrets.seal(JSON.stringify({ flow, provider }), STATE_CONTEXT).toString('base64url')

/** Returns a well-formed state; otherwise null. */
function openState(
  { secrets }: Pick<OAuthContext, 'secrets'>,
  state: string,
): { flow: string; provider: ProviderId } | null {
  if (state.length > MAX_STATE_LENGTH) return null
  const sealed = Buffer.from(state, 'base64url')
  if (sealed.toString('base64url') !== state) return null
  try {
    const opened = parseObject(secrets.open(sealed, STATE_CONTEXT))
    const { flow, provider } = opened as { flow: string; provider: string }
    return isProviderId(provider) ? { flow, provider } : null
  } catch {
    return null
  }
}
