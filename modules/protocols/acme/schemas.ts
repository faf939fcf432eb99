import { Type } from '@sinclair/typebox'
import { problemsWith } from '../../../plugins/openapi/problems.ts'
import { named } from '../../../schemas/named.ts'
import { Nullable, Timestamp, Uuid } from '../../../schemas/scalars.ts'
import { CHALLENGE_VALUE } from './challenge.ts'

/** A full name, with or without the final dot. */
const FullName = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 254, description, examples: [example] })

const value = Type.String({
  pattern: CHALLENGE_VALUE,
  maxLength: 43,
  description: 'A SHA-256 in base64url: 43 characters',
  examples: ['LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM'],
})

export const ChallengeBody = Type.Object(
  {
    fqdn: Type.Optional(FullName('Name of the TXT record; with `value`', '_acme-challenge.example.com.')),
    value: Type.Optional(value),
    domain: Type.Optional(
      FullName('In mode RAW instead: name the certificate is for; with `keyAuth`', 'example.com'),
    ),
    token: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'In mode RAW; not used',
        examples: ['DGyRejmCefe7v4NfDGDKfA'],
      }),
    ),
    keyAuth: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'The key authorization (RFC 8555 section 8.1)',
        examples: ['DGyRejmCefe7v4NfDGDKfA.9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI'],
      }),
    ),
  },
  named('AcmeChallengeInput'),
)

export const ChallengeAnswer = Type.Object(
  {
    fqdn: Type.String({ description: 'With its final dot', examples: ['_acme-challenge.example.com.'] }),
    value,
  },
  named('AcmeChallenge'),
)

const allowfrom = Type.Array(Type.String({ maxLength: 50, examples: ['192.0.2.0/24'] }), {
  maxItems: 50,
  description: 'Client networks (CIDR) that may update; empty for all',
})

export const RegisterBody = Nullable(
  Type.Object({ allowfrom: Type.Optional(allowfrom) }, named('AcmeDnsRegistrationInput')),
)

export const BaseParams = Type.Object({
  domain: FullName('Domain, or name in a domain, that the new name is below', 'acme.example.com'),
})

const subdomain = Type.String({ format: 'uuid', examples: ['8e5700ea-a4bf-41c7-8a77-e990661dcc6a'] })

export const RegisterAnswer = Type.Object(
  {
    username: Uuid,
    password: Type.String({
      description: 'Shown only once',
      examples: ['htB9mR9DYgcu9bX_afHF62erXaH2TS7bg9KW3F7Z'],
    }),
    fulldomain: Type.String({
      description: 'Target for the CNAME at `_acme-challenge` of the name the certificate is for',
      examples: ['_acme-challenge.8e5700ea-a4bf-41c7-8a77-e990661dcc6a.acme.example.com'],
    }),
    subdomain,
    allowfrom,
  },
  named('AcmeDnsAccount'),
)

export const UpdateHeaders = Type.Object({
  'x-api-user': Type.Optional(
    Type.String({
      description: '`username` of the registration',
      examples: ['0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'],
    }),
  ),
  'x-api-key': Type.Optional(
    Type.String({
      description: '`password` of the registration',
      examples: ['htB9mR9DYgcu9bX_afHF62erXaH2TS7bg9KW3F7Z'],
    }),
  ),
})

export const UpdateBody = Type.Object(
  {
    subdomain: Type.String({ maxLength: 253, examples: ['8e5700ea-a4bf-41c7-8a77-e990661dcc6a'] }),
    txt: Type.String({ maxLength: 255, examples: ['LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM'] }),
  },
  named('AcmeDnsUpdate'),
)

export const UpdateAnswer = Type.Object({ txt: value }, named('AcmeDnsValue'))

const Registration = Type.Object(
  {
    id: Uuid,
    domainId: Uuid,
    fulldomain: RegisterAnswer.properties.fulldomain,
    subdomain,
    allowfrom,
    tokenId: { ...Nullable(Uuid), description: 'Personal token that the registration depends on' },
    createdAt: Timestamp,
    lastUsedAt: Nullable(Timestamp),
  },
  named('AcmeDnsRegistration'),
)

export const RegistrationList = Type.Object(
  { registrations: Type.Array(Registration) },
  named('AcmeDnsRegistrationList'),
)

/** A problem document with the error code of acme-dns. */
export const AcmeDnsProblem = problemsWith('AcmeDnsProblem', {
  error: Type.String({
    description:
      'Code of acme-dns, such as `bad_subdomain`, `bad_txt` or `forbidden`; otherwise the same as `code`',
    examples: ['bad_txt'],
  }),
})
