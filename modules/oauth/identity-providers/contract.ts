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

/** Addresses of a preset that a configuration can replace. */
export interface Endpoints {
  /** The discovery document of an OpenID provider. */
  wellKnownUrl: string | null
  authorizeUrl: string | null
  tokenUrl: string | null
  userInfoUrl: string | null
}

/** A configuration ready to use: secret decrypted, preset defaults filled in. */
export interface ProviderSettings extends Endpoints {
  clientId: string
  clientSecret: string
  /** Separated by spaces. */
  scope: string
  /** Expected `iss` of a callback, without a discovery document. */
  issuer: string | null
  /** How the client authenticates; null: as discovery says, otherwise basic (RFC 6749 section 2.3.1). */
  tokenAuthMethod: 'basic' | 'post' | null
  fields: ProfileFields
}

/** Values that tie together one browser's way to the identity provider and back. */
export interface AuthorizationFlow {
  /** Built from the public address of the site, never from a request. */
  redirectUri: string
  state: string
  /** RFC 7636 section 4.1. */
  codeVerifier: string
  nonce: string
}

/** Content of a validated logout token; at least one of subject and session is set. */
export interface ExternalLogout {
  tokenId: string
  subject: string | null
  session: string | null
}

/** One check, described for the administrator. */
export interface Check {
  name: 'configuration' | 'discovery' | 'keys' | 'credentials' | 'userInfo'
  ok: boolean
  detail: string
}

/** What a provider can use: one time budget for all calls of a flow, and cached metadata. */
export interface HttpAccess {
  calls: Calls
  metadata: MetadataCache
}

/**
 * A kind of identity provider. Authorization code grant (RFC 6749 section 4.1); every failure is an
 * IdentityError.
 */
export interface IdentityProvider {
  readonly id: ProviderId
  /** Display name. */
  readonly name: string
  readonly type: 'oidc' | 'oauth2'
  readonly defaults: Endpoints & { scope: string }
  /** Endpoints a configuration must have, unless `defaults` has them. */
  readonly needs: readonly (keyof Endpoints)[]
  /** Returns the address to send the browser to. Makes calls only for discovery. */
  authorizationUrl(settings: ProviderSettings, flow: AuthorizationFlow, httpAccess: HttpAccess): Promise<URL>
  /**
   * Returns the identity. `callback` is the query as received; only its state is verified. Its code is used
   * up, so this is never repeated.
   */
  identify(
    settings: ProviderSettings,
    flow: AuthorizationFlow,
    callback: URLSearchParams,
    httpAccess: HttpAccess,
  ): Promise<ExternalIdentity>
  /** Validates a back-channel logout token. Missing: not supported by the provider. */
  verifyLogout?(settings: ProviderSettings, token: string, httpAccess: HttpAccess): Promise<ExternalLogout>
  /** Runs all checks possible without a person. Never rejects. */
  check(settings: ProviderSettings, redirectUri: string, httpAccess: HttpAccess): Promise<Check[]>
}
