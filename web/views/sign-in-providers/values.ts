import type { Schemas } from '../../api/schema.d.ts'

type Config = Schemas['OAuthProviderConfig']

export const ADDRESSES = ['wellKnownUrl', 'authorizeUrl', 'tokenUrl', 'userInfoUrl', 'issuer'] as const
export const FIELDS = ['subject', 'username', 'displayName', 'email', 'emailVerified', 'avatar'] as const
/** Required addresses; the others are hidden at first. */
export const NEEDED: Partial<Record<Config['providerId'], readonly Address[]>> = {
  oidc: ['wellKnownUrl'],
  custom: ['authorizeUrl', 'tokenUrl', 'userInfoUrl'],
}

export type Address = (typeof ADDRESSES)[number]
export type ProviderField = (typeof FIELDS)[number]

/** Form values; empty if not set. */
export interface Values {
  enabled: boolean
  name: string
  clientId: string
  clientSecret: string
  scope: string
  tokenAuthMethod: 'auto' | 'basic' | 'post'
  addresses: Record<Address, string>
  fields: Record<ProviderField, string>
}

const each = <K extends string>(keys: readonly K[], of: (key: K) => string) =>
  Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<K, string>

/** Standard claims of OpenID Connect (Core 1.0, section 5.1): defaults of a new provider. */
const STANDARD: Record<ProviderField, string> = {
  subject: 'sub',
  username: 'preferred_username',
  displayName: 'name',
  email: 'email',
  emailVerified: 'email_verified',
  avatar: 'picture',
}

/** Id and secret are never filled in. */
export const startOf = (config: Config | null): Values => ({
  enabled: config?.enabled ?? true,
  name: config?.name ?? '',
  clientId: '',
  clientSecret: '',
  scope: config?.scope ?? '',
  tokenAuthMethod: config?.tokenAuthMethod ?? 'auto',
  addresses: each(ADDRESSES, (key) => config?.[key] ?? ''),
  fields: each(FIELDS, (key) => (config ? (config.fields[key] ?? '') : STANDARD[key])),
})

/** Request body; `fields` only if the provider has no standard ones. */
export function sentOf(values: Values, isCustom: boolean) {
  const { enabled, name, clientId, clientSecret, scope, tokenAuthMethod, addresses, fields } = values
  const orNull = (text: string) => text.trim() || null
  const { subject, ...others } = fields
  return {
    enabled,
    name: orNull(name),
    clientId: clientId.trim(),
    clientSecret,
    ...(scope.trim() !== '' && { scope: scope.trim() }),
    tokenAuthMethod: tokenAuthMethod === 'auto' ? null : tokenAuthMethod,
    wellKnownUrl: orNull(addresses.wellKnownUrl),
    authorizeUrl: orNull(addresses.authorizeUrl),
    tokenUrl: orNull(addresses.tokenUrl),
    userInfoUrl: orNull(addresses.userInfoUrl),
    issuer: orNull(addresses.issuer),
    ...(isCustom &&
      subject.trim() !== '' && {
        fields: {
          subject: subject.trim(),
          username: orNull(others.username),
          displayName: orNull(others.displayName),
          email: orNull(others.email),
          emailVerified: orNull(others.emailVerified),
          avatar: orNull(others.avatar),
        },
      }),
  }
}
