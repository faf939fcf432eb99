import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Label, Nullable, Timestamp, Uuid } from '../../../schemas/scalars.ts'
import { PasswordAgain } from '../../../schemas/people/sign-in.ts'
import { named } from '../../../schemas/named.ts'

const Base64Url = (maxLength: number, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$', examples: [example] })

const CredentialId = Base64Url(1364, 'pRqLSk9PTiqDPZh_tLpEjNQ6xKz0GmJ3u1x3Ej6v2hM')
// Limits far above what authenticators send (some hundred bytes), and below what is allowed before sign-in.
const ClientData = Base64Url(4096, 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoi4oCmIn0')
const AuthenticatorData = Base64Url(4096, 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAg')

/** Browsers send more members with each WebAuthn level; unknown ones are ignored. */
const OPEN = { additionalProperties: true }

const credential = <T extends TSchema>(name: string, response: T, from: string) =>
  Type.Object(
    {
      id: CredentialId,
      rawId: CredentialId,
      type: Type.Literal('public-key'),
      authenticatorAttachment: Type.Optional(
        Nullable(Type.String({ maxLength: 32, examples: ['platform'] })),
      ),
      clientExtensionResults: Type.Optional(Type.Unsafe<object>({ type: 'object', examples: [{}] })),
      response,
    },
    { ...OPEN, ...named(name), description: `Result of ${from}, by its toJSON() (WebAuthn Level 3)` },
  )

/** An authenticator's answer to registration. */
export const Attestation = credential(
  'PasskeyAttestation',
  Type.Object(
    {
      clientDataJSON: ClientData,
      attestationObject: Base64Url(16_384, 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViU'),
      transports: Type.Optional(
        Type.Array(Type.String({ maxLength: 32, examples: ['internal'] }), { maxItems: 10 }),
      ),
    },
    OPEN,
  ),
  'navigator.credentials.create()',
)
export type Attestation = Static<typeof Attestation>

/** An authenticator's answer to a sign-in. */
export const Assertion = credential(
  'PasskeyAssertion',
  Type.Object(
    {
      clientDataJSON: ClientData,
      authenticatorData: AuthenticatorData,
      signature: Base64Url(2048, 'MEUCIQDx5l3fcZP1fWkPcyHpBkWUxZ2hqPw0e0iNn1E9T0Yx7wIgKx'),
      userHandle: Type.Optional(Nullable(Type.String({ maxLength: 128, examples: ['MDE5M2ExYzI'] }))),
    },
    OPEN,
  ),
  'navigator.credentials.get()',
)
export type Assertion = Static<typeof Assertion>

const CHALLENGE = 'mT1xkQ0z2pJ5aV7cN9sYbH4wGq6Rd8eLfUo3iKtXvBA'

/** An open object, because browsers add members over time. */
const options = <T>(parser: string, example: object) =>
  Type.Unsafe<T>({
    type: 'object',
    additionalProperties: true,
    description: `For PublicKeyCredential.${parser}() (WebAuthn Level 3); works once, for 5 minutes`,
    examples: [example],
  })

export const CreationOptions = options<PublicKeyCredentialCreationOptionsJSON>(
  'parseCreationOptionsFromJSON',
  {
    rp: { id: 'dns.example.com', name: 'Zonekeeper' },
    user: { id: 'MDE5M2ExYzItN2Q0MA', name: 'ada', displayName: 'Ada Lovelace' },
    challenge: CHALLENGE,
    pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
    timeout: 300_000,
    attestation: 'none',
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  },
)

export const RequestOptions = options<PublicKeyCredentialRequestOptionsJSON>('parseRequestOptionsFromJSON', {
  rpId: 'dns.example.com',
  challenge: CHALLENGE,
  timeout: 300_000,
  userVerification: 'required',
})

const Name = Label(64, ['Phone'])

export const AddBody = Type.Object({
  name: Name,
  credential: Attestation,
  password: Type.Optional(PasswordAgain),
})

export const RenameBody = Type.Object({ name: Name })

export const SignInBody = Type.Object({
  credential: Assertion,
  rememberMe: Type.Boolean({
    default: false,
    description: 'Keep the session for 30 days',
    examples: [false],
  }),
})

export const Passkey = Type.Object(
  {
    id: Uuid,
    name: Type.String({ examples: ['Phone'] }),
    transports: Type.Array(Type.String({ examples: ['internal'] })),
    backedUp: Type.Boolean({
      description: 'Synced by its provider, so it survives the loss of the device',
      examples: [true],
    }),
    createdAt: Timestamp,
    lastUsedAt: Nullable(Timestamp),
  },
  named('Passkey'),
)
export type Passkey = Static<typeof Passkey>

export const AddedPasskey = Type.Object({
  ...Passkey.properties,
  recoveryCodes: Type.Array(Type.String({ examples: ['7kq3-m8xd-2nwp-hc5t'] }), {
    description: 'With the first second factor of the account: returned only once. Otherwise empty',
  }),
})

export const PasskeysAnswer = Type.Object({ passkeys: Type.Array(Passkey) })
