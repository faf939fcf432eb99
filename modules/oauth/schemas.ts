import { problemsWith } from '../../plugins/openapi/problems.ts'
import { Type } from '@sinclair/typebox'
import { AccessToken, ExpiresIn } from '../../schemas/people/sign-in.ts'
import { ref } from '../../schemas/ref.ts'
import { Label, Nullable, Timestamp, Uuid } from '../../schemas/scalars.ts'
import { Username, UserSummary } from '../../schemas/people/user.ts'
import { FAILURES } from './errors.ts'
import { PROVIDER_IDS, type Check, type ProviderId } from './identity-providers/contract.ts'
import { named } from '../../schemas/named.ts'

const ProviderIdName = Type.Unsafe<ProviderId>({
  ...named('OAuthProviderId'),
  type: 'string',
  enum: [...PROVIDER_IDS],
  description:
    'codehost_a is GitHub, codehost_b GitLab, idp_a Google, chat_a DingTalk, chat_b Feishu/Lark; oidc is any ' +
    'OpenID provider with discovery, custom any OAuth 2.0 server with explicit endpoints',
  examples: ['oidc'],
})

/** Checked in the handler, because a path with an unknown id is 404. */
export const ProviderParams = Type.Object({
  providerId: Type.String({ maxLength: 50, description: 'As in the list of providers', examples: ['oidc'] }),
})

const Kind = Type.Unsafe<'oidc' | 'oauth2'>({
  ...named('OAuthKind'),
  type: 'string',
  enum: ['oidc', 'oauth2'],
  examples: ['oidc'],
})
const Name = Type.String({ examples: ['OpenID Connect'] })
const Address = (description: string, example: string) => Type.String({ description, examples: [example] })

const homepageUrl = Address('Site address to register at the identity provider', 'https://dns.example.com')
const redirectUrl = Address(
  'Callback address to register at the identity provider',
  'https://dns.example.com/oauth/oidc',
)

export const PublicProviders = Type.Object({
  providers: Type.Array(Type.Object({ providerId: ProviderIdName, name: Name, type: Kind })),
})

export const CallbackAddresses = Type.Object({
  providerId: ProviderIdName,
  homepageUrl,
  redirectUrl,
  siteUrl: Address('The public address of this service', 'https://dns.example.com'),
  callbackUrl: redirectUrl,
})

/** For the description only: the answer is always a redirect. */
export const CallbackQuery = Type.Partial(
  Type.Object({
    code: Type.String({ description: 'From the provider', examples: ['SplxlOBeZQQYbYS6WxSbIA'] }),
    authCode: Type.String({
      description: 'Used by DingTalk instead',
      examples: ['SplxlOBeZQQYbYS6WxSbIA'],
    }),
    state: Type.String({ description: 'As sent to the provider', examples: ['Aa2yJ9…'] }),
    iss: Type.String({ description: 'The issuer (RFC 9207)', examples: ['https://login.example.com'] }),
    error: Type.String({ description: 'Instead of a code', examples: ['access_denied'] }),
  }),
)

export const LogoutBody = Type.Object({
  logout_token: Type.Optional(
    Type.String({
      maxLength: 8192,
      description: 'A signed JSON Web Token',
      examples: ['eyJhbGciOiJSUzI1NiJ9.…'],
    }),
  ),
})

/** Error of a refused logout token, with the members of RFC 6749 section 5.2. */
export const LogoutProblem = problemsWith('LogoutProblem', {
  error: Type.Optional(Type.String({ description: 'With 400', examples: ['invalid_request'] })),
  error_description: Type.Optional(Type.String({ examples: ['The logout token is not valid'] })),
})

export const ToProvider = Type.Null({
  description:
    'To the authorization page of the provider, with a cookie required for the callback; or, if that is not ' +
    'possible, to `/auth/callback?error=…` of the site',
})

export const ToSite = Type.Null({
  description:
    'To `/auth/callback` of the site. Signed in: `ticket=…`. Invitation required: `needs_invite=true` and ' +
    '`pending_token=…` and `provider_id=…`. Linked: `bound=1` and `provider_id=…`. Otherwise: `error=` and one of ' +
    FAILURES.join(', '),
})

const Secret43 = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    description,
    examples: ['wGxJq6v0c9mXKp3uT1nYbH5sRzLdE8aFoV2iQkMt7Uc'],
  })

export const TicketBody = Type.Object({ ticket: Secret43('From the redirect; works once, for a minute') })

export const RegisterBody = Type.Object({
  pendingToken: Secret43('`pending_token` of the redirect; works once, for 15 minutes'),
  inviteCode: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, examples: ['Xw3kQ1s9Zb7LmN0pRtYvUa2c'] }),
  ),
  code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Alias of `inviteCode`',
      examples: ['Xw3kQ1s9Zb7LmN0pRtYvUa2c'],
    }),
  ),
  username: Type.Optional(
    Type.String({ ...Username, description: 'By default similar to the name at the provider' }),
  ),
})

export const RegisterAnswer = Type.Object({
  accessToken: AccessToken,
  expiresIn: ExpiresIn,
  user: ref(UserSummary),
})

export const BindAnswer = Type.Object({
  authorizeUrl: Address(
    'The address to send the browser to',
    'https://login.example.com/authorize?client_id=…',
  ),
  callbackUrl: redirectUrl,
  redirectUrl,
})

export const Bindings = Type.Object({
  bindings: Type.Array(
    Type.Object({
      providerId: ProviderIdName,
      name: Name,
      subject: Type.String({ description: 'The name at the provider', examples: ['248289761001'] }),
      displayName: Nullable(Type.String({ examples: ['Ada Lovelace'] })),
      email: Nullable(Type.String({ examples: ['ada@example.com'] })),
      avatar: Nullable(Type.String({ examples: ['https://login.example.com/ada.png'] })),
      boundAt: Timestamp,
    }),
  ),
})

const path = (example: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$', maxLength: 100, examples: [example] })

const Fields = Type.Object(
  {
    subject: path('sub'),
    username: Nullable(path('preferred_username')),
    displayName: Nullable(path('name')),
    email: Nullable(path('email')),
    emailVerified: Nullable(path('email_verified')),
    avatar: Nullable(path('picture')),
  },
  {
    ...named('UserInfoFields'),
    description:
      'For custom: maps members of the user info answer, with dots for nested ones. ' +
      'Without `emailVerified`, no address is verified.',
  },
)

const Url = (description: string, example: string) =>
  Nullable(Type.String({ maxLength: 2000, description, examples: [example] }))

const endpoints = {
  wellKnownUrl: Url(
    'OIDC discovery document (or its issuer)',
    'https://login.example.com/.well-known/openid-configuration',
  ),
  authorizeUrl: Url(
    'Explicit endpoint, replacing the discovered or default one',
    'https://login.example.com/auth',
  ),
  tokenUrl: Url('Explicit endpoint', 'https://login.example.com/token'),
  userInfoUrl: Url('Explicit endpoint', 'https://login.example.com/me'),
  issuer: Url('For providers without discovery: expected `iss` of a callback', 'https://login.example.com'),
}

const Method = Nullable(
  Type.Unsafe<'basic' | 'post'>({
    ...named('TokenAuthMethod'),
    type: 'string',
    enum: ['basic', 'post'],
    description: 'How the client authenticates; null: as discovery says, otherwise basic',
    examples: ['basic'],
  }),
)

const scope = Type.String({
  maxLength: 1000,
  pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E ]*$',
  description: 'Separated by spaces; by default those of the provider',
  examples: ['openid profile email'],
})

const enabled = Type.Boolean({ examples: [true] })
const ownName = Nullable(Label(60, ['Company login']))

export const OAuthProviderConfig = Type.Object(
  {
    id: Uuid,
    providerId: ProviderIdName,
    name: Nullable(Type.String({ description: 'Null: the default name', examples: ['Company login'] })),
    enabled,
    clientIdMasked: Type.String({ examples: ['zone••••prod'] }),
    scope: Type.String({ examples: ['openid profile email'] }),
    ...endpoints,
    tokenAuthMethod: Method,
    fields: Fields,
    homepageUrl,
    redirectUrl,
    boundUsers: Type.Integer({ description: 'Number of users with a linked identity', examples: [3] }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  named('OAuthProviderConfig'),
)

export const OAuthProviderConfigs = Type.Object({
  providers: Type.Array(OAuthProviderConfig),
  availableProviders: Type.Array(Type.Object({ id: ProviderIdName, name: Name, type: Kind })),
  homepageUrl,
  oidcUrls: Type.Object({ homepageUrl, redirectUrl }),
})

// Visible characters only, because it becomes a header.
const visible = '^[\\x20-\\x7E]*$'
const clientId = { maxLength: 500, pattern: visible, examples: ['zonekeeper-prod'] }
const clientSecret = { maxLength: 1000, pattern: visible, examples: ['a-long-random-secret'] }

const optional = Type.Partial(
  Type.Object({
    name: ownName,
    scope,
    enabled,
    ...endpoints,
    tokenAuthMethod: Method,
    fields: Type.Partial(Fields, named('UserInfoFieldsChange')),
  }),
)

export const CreateProviderBody = Type.Object({
  providerId: ProviderIdName,
  clientId: Type.String({ minLength: 1, ...clientId }),
  clientSecret: Type.String({ minLength: 1, ...clientSecret }),
  ...optional.properties,
})

export const UpdateProviderBody = Type.Partial(
  Type.Object({
    providerId: ProviderIdName,
    clientId: Type.String({ description: 'Empty: stays', ...clientId }),
    clientSecret: Type.String({ description: 'Empty: stays', ...clientSecret }),
    ...optional.properties,
  }),
)

export const ConfirmHeaders = Type.Object({
  'x-confirm-delete': Type.Optional(
    Type.String({ description: '`true`: even if users have linked identities', examples: ['true'] }),
  ),
})

export const ProviderTestReport = Type.Object({
  success: Type.Boolean({ examples: [true] }),
  redirectUrl,
  checks: Type.Array(
    Type.Object({
      name: Type.Unsafe<Check['name']>({
        type: 'string',
        enum: ['configuration', 'discovery', 'keys', 'credentials', 'userInfo'],
        examples: ['discovery'],
      }),
      ok: Type.Boolean({ examples: [true] }),
      detail: Type.String({ examples: ['The issuer is https://login.example.com'] }),
    }),
  ),
})
