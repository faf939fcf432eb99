import type { ExternalIdentity, ProfileFields } from '../../../db/tables/index.ts'
import type { Calls } from '../flow/calls.ts'
import type { MetadataCache } from '../flow/metadata.ts'

export type { ExternalIdentity, ProfileFields } from '../../../db/tables/index.ts'

export const PROVIDER_IDS = [
  'oidc',
  'custom',
  'codehost_a',
  'codehost_b',
  'idp_a',
  'chat_a',
  'chat_b',
] as const
export type ProviderId = (typeof PROVIDER_IDS)[number]

/** Addresses that a preset brings and a configuration may replace. */
export interface Endpoints {
  /** The discovery document of an OpenID provider. */
  wellKnownUrl: string | null
  authorizeUrl: string | null
  tokenUrl: string | null
  userInfoUrl: string | null
}

/** A configuration ready for use: its secret opened, the defaults of its preset filled in. */
export interface ProviderSettings extends Endpoints {
  clientId: string
  clientSecret: string
  /** Separated by spaces. */
  scope: string
  /** What `iss` of a callback must be, where no discovery document says so. */
  issuer: string | null
  /** How the client shows its secret; null: as discovery says, else basic (RFC 6749 section 2.3.1). */
  tokenAuthMethod: 'basic' | 'post' | null
  fields: ProfileFields
}

/** What one browser's way to the identity provider and back is tied together by. */
export interface AuthorizationFlow {
  /** Built from the public address of the site, never from a request. */
  redirectUri: string
  state: string
  /** RFC 7636 section 4.1. */
  codeVerifier: string
  nonce: string
}

/** What a validated logout token says; at least one of subject and session is there. */
export interface ExternalLogout {
  tokenId: string
  subject: string | null
  session: string | null
}

/** One thing that was tried, in words for the administrator. */
export interface Check {
  name: 'configuration' | 'discovery' | 'keys' | 'credentials' | 'userInfo'
  ok: boolean
  detail: string
}

/** What a provider may use: one budget of time for all calls of a flow, and what is known from earlier. */
export interface HttpAccess {
  calls: Calls
  metadata: MetadataCache
}

/**
 * One kind of identity provider. Authorization code grant (RFC 6749 section 4.1); whatever goes wrong is
 * an IdentityError, and nothing else.
 */
export interface IdentityProvider {
  readonly id: ProviderId
  /** For people. */
  readonly name: string
  readonly type: 'oidc' | 'oauth2'
  readonly defaults: Endpoints & { scope: string }
  /** Endpoints without which a configuration is not complete, as far as `defaults` has none. */
  readonly needs: readonly (keyof Endpoints)[]
  /** Where the browser goes. Calls out only where there is something to discover. */
  authorizationUrl(settings: ProviderSettings, flow: AuthorizationFlow, httpAccess: HttpAccess): Promise<URL>
  /**
   * Who came back. `callback` is the query as it arrived; its state is checked already, all else is not.
   * The code in it is spent, so this is never repeated.
   */
  identify(
    settings: ProviderSettings,
    flow: AuthorizationFlow,
    callback: URLSearchParams,
    httpAccess: HttpAccess,
  ): Promise<ExternalIdentity>
  /** Validates a token of back-channel logout. Missing: the provider has no such thing. */
  verifyLogout?(settings: ProviderSettings, token: string, httpAccess: HttpAccess): Promise<ExternalLogout>
  /** Tries what can be tried without a person. Never rejects. */
  check(settings: ProviderSettings, redirectUri: string, httpAccess: HttpAccess): Promise<Check[]>
}
