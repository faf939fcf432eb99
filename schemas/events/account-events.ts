import { Type } from '@sinclair/typebox'
import { entry } from './event-entry.ts'
import { named } from '../named.ts'
import { Nullable, OneOf, Timestamp, Uuid } from '../scalars.ts'

const FACTOR_CHANGES = {
  totp_enabled: 'An authenticator app was added',
  totp_disabled: 'The authenticator app was removed',
  email_enabled: 'Email codes were turned on',
  email_disabled: 'Email codes were turned off',
  passkey_added: 'A passkey was added',
  passkey_removed: 'A passkey was removed',
  recovery_codes_renewed: 'New recovery codes were created; the old ones are no longer valid',
  recovery_code_used: 'A recovery code was used',
}
export type FactorChange = keyof typeof FACTOR_CHANGES

const FactorChange = Type.Unsafe<FactorChange>({
  type: 'string',
  enum: Object.keys(FACTOR_CHANGES),
  examples: ['totp_enabled'],
})

const account = { username: Type.String({ description: 'User name of the account', examples: ['ada'] }) }
const address = { ip: Nullable(Type.String({ examples: ['203.0.113.7'] })) }
const Account = Type.Object({ ...account, ...address }, named('AccountMetadata'))
const NOT_YOU = 'If this was not you, change your password and check your sessions.'
export const ACCOUNT_EVENTS = {
  // The auth module always emails security events, regardless of the user's settings.
  'account.password_changed': entry({
    level: 'warning',
    audience: 'users',
    mail: false,
    metadata: Account,
    title: ({ username }) => `The password of ${username} was changed`,
    content: ({ username }) => `The password of account ${username} was changed. ${NOT_YOU}`,
  }),
  'account.second_factor_changed': entry({
    level: 'warning',
    audience: 'users',
    mail: false,
    metadata: Type.Object({ ...account, change: FactorChange }),
    title: ({ username }) => `The second factor of ${username} was changed`,
    content: ({ username, change }) => `Account ${username}: ${FACTOR_CHANGES[change]}. ${NOT_YOU}`,
  }),
  'account.identity_changed': entry({
    level: 'warning',
    audience: 'users',
    mail: false,
    metadata: Type.Object({
      ...account,
      providerId: Type.String({ examples: ['oidc'] }),
      change: OneOf(['bound', 'unbound']),
    }),
    title: ({ username, change }) => `An external identity of ${username} was ${change}`,
    content: ({ username, change, providerId }) =>
      `Account ${username}: an identity of ${providerId} was ${change}. ${NOT_YOU}`,
  }),
  'account.new_sign_in': entry({
    level: 'info',
    audience: 'users',
    mail: false,
    metadata: Type.Object({
      ...account,
      ...address,
      userAgent: Type.String({ examples: ['Mozilla/5.0'] }),
    }),
    title: ({ username }) => `New sign-in to account ${username}`,
    content: ({ username, ip, userAgent }) =>
      `Someone signed in to account ${username} from ${ip ?? 'an unknown address'} with ${userAgent || 'an unknown client'}. ${NOT_YOU}`,
  }),
  'account.token_expiring': entry({
    level: 'warning',
    audience: 'users',
    mail: true,
    metadata: Type.Object({
      ...account,
      tokenId: Uuid,
      tokenName: Type.String({ examples: ['router at home'] }),
      expiresAt: Timestamp,
    }),
    title: ({ username, tokenName }) => `Token ${tokenName} of ${username} expires soon`,
    content: ({ username, tokenName, expiresAt }) =>
      `The personal token ${tokenName} of account ${username} expires at ${expiresAt}. Rotate it and configure the new token in the program that uses it.`,
  }),
  'account.locked': entry({
    level: 'warning',
    audience: 'users',
    mail: false,
    metadata: Account,
    title: ({ username }) => `Sign-in to account ${username} is rate-limited`,
    content: ({ username }) =>
      `There were too many failed sign-in attempts for account ${username}. Further attempts must wait; existing sessions continue.`,
  }),
}
