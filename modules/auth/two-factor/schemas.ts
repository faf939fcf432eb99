import { Type } from '@sinclair/typebox'
import { SecondFactorMethod, type FactorMethod } from '../../../schemas/people/user.ts'
import { PasswordAgain } from '../../../schemas/people/sign-in.ts'
import { Assertion } from '../passkeys/schemas.ts'
import { named } from '../../../schemas/named.ts'

const Code = Type.String({ minLength: 1, maxLength: 64, examples: ['492039'] })

export const TwoFactorAnswer = Type.Object({
  enabled: Type.Boolean({ description: 'Sign-in requires a second factor', examples: [true] }),
  required: Type.Boolean({
    description:
      'The service requires a second factor of this account (`REQUIRE_SECOND_FACTOR`): the last one can’t be removed',
    examples: [false],
  }),
  methods: Type.Array(SecondFactorMethod),
  passkeys: Type.Integer({ description: 'How many', examples: [1] }),
  recoveryCodesLeft: Type.Integer({ examples: [10] }),
})

export const TotpSetupAnswer = Type.Object({
  secret: Type.String({
    description: 'Base32, for manual entry',
    examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
  }),
  otpauthUrl: Type.String({
    examples: ['otpauth://totp/Zonekeeper:ada?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Zonekeeper'],
  }),
  qrCode: Type.String({
    description: 'The otpauthUrl as an SVG data URL, to show as an image',
    examples: ['data:image/svg+xml;base64,PHN2Zz48L3N2Zz4='],
  }),
})

export const EnableBody = Type.Object(
  { code: Code, password: Type.Optional(PasswordAgain) },
  named('EnableFactor'),
)

const RecoveryCodes = Type.Array(Type.String({ examples: ['7krw-pq3h-x2vd-m9tc'] }))

export const EnabledAnswer = Type.Object(
  {
    recoveryCodes: {
      ...RecoveryCodes,
      description:
        'With the first factor 10 codes, each for one sign-in and returned only once. With a further factor ' +
        'none: the existing codes stay valid',
    },
  },
  named('RecoveryCodes'),
)

export const RecoveryCodesAnswer = Type.Object(
  {
    recoveryCodes: { ...RecoveryCodes, description: 'Each works for one sign-in, and is returned only once' },
  },
  named('RecoveryCodes'),
)

export const SentAnswer = Type.Object({
  sentTo: Type.String({
    description: 'The address, with its local part masked',
    examples: ['a***@example.com'],
  }),
})

export const VerifyBody = Type.Object({
  method: Type.Unsafe<FactorMethod | 'recovery'>({
    type: 'string',
    enum: ['totp', 'email', 'passkey', 'recovery'],
    examples: ['totp'],
  }),
  code: Type.Optional({
    ...Code,
    description: 'From the authenticator app or the email, or a recovery code; not with a passkey',
  }),
  credential: Type.Optional(Assertion),
})
