import { Type } from '@sinclair/typebox'
import { entry } from './event-entry.ts'
import { named } from '../named.ts'
import { Nullable, Timestamp, Uuid } from '../scalars.ts'

const FACTOR_CHANGES = {
  totp_enabled: 'An authenticator app was added',
  totp_disabled: 'The authenticator app was removed',
  email_enabled: 'Codes by e-mail were turned on',
  email_disabled: 'Codes by e-mail were turned off',
  passkey_added: 'A passkey was added',
  passkey_removed: 'A passkey was removed',
  recovery_codes_renewed: 'New recovery codes were made; the old ones no longer count',
  recovery_code_used: 'A recovery code was used',
}
export type FactorChange = keyof typeof FACTOR_CHANGES

const FactorChange = Type.Unsafe<FactorChange>({
  type: 'string',
  enum: Object.keys(FACTOR_CHANGES),
  examples: ['totp_enabled'],
})

const account = { username: Type.String({ description: 'Whose account it is', examples: ['ada'] }) }
const address = { ip: Nullable(Type.String({ examples: ['203.0.113.7'] })) }
const Account = Type.Object({ ...account, ...address }, named('AccountMetadata'))
const NOT_YOU = 'If this was not its holder: change the password and look at the sessions.'
export const ACCOUNT_EVENTS = {
  // What concerns the safety of an account is mailed by the area itself, whatever the user's settings are.
  'account.password_changed': entry({
    level: 'warning',
    audience: 'users',
    mail: false,
    metadata: Account,
    title: ({ username }) => `The password of ${username} was changed`,
    content: ({ username }) => `The password of the account ${username} was changed. ${NOT_YOU}`,
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
      change: Type.Unsafe<'bound' | 'unbound'>({
        type: 'string',
        enum: ['bound', 'unbound'],
        examples: ['bound'],
      }),
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
    title: ({ username }) => `New sign-in to the account ${username}`,
    content: ({ username, ip, userAgent }) =>
      `Somebody signed in to the account ${username} from ${ip ?? 'an unknown address'} with ${userAgent || 'an unknown program'}. ${NOT_YOU}`,
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
    title: ({ username, tokenName }) => `The token ${tokenName} of ${username} ends soon`,
    content: ({ username, tokenName, expiresAt }) =>
      `The personal token ${tokenName} of the account ${username} ends at ${expiresAt}. Rotate it, and give the new one to the program that uses it.`,
  }),
  'account.locked': entry({
    level: 'warning',
    audience: 'users',
    mail: false,
    metadata: Account,
    title: ({ username }) => `Signing in to the account ${username} is slowed down`,
    content: ({ username }) =>
      `There were too many failed tries to sign in to the account ${username}, so further ones must wait. Its sessions go on.`,
  }),
}
