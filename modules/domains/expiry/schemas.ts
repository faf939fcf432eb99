import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Timestamp } from '../../../schemas/scalars.ts'
import { named } from '../../../schemas/named.ts'

export const PreviewBody = Type.Object({
  domain: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'In Unicode or punycode. For a name below a registrable domain, that domain is looked up',
    examples: ['example.com'],
  }),
})

export const LookupAnswer = Type.Object(
  {
    success: Type.Boolean({ description: 'Whether the registry knows the domain', examples: [true] }),
    domain: Type.String({ description: 'The registrable domain', examples: ['example.com'] }),
    expiresAt: Nullable(
      Type.Unsafe<string>({ ...Timestamp, description: 'Null if the registry publishes no date' }),
    ),
    registrar: Nullable(Type.String({ examples: ['Example Registrar Ltd'] })),
    nameServers: Type.Array(Type.String({ examples: ['ns1.example.net'] })),
    status: Type.Array(Type.String({ examples: ['clientTransferProhibited'] }), {
      description: 'EPP status codes',
    }),
    source: Nullable(
      Type.Unsafe<'rdap' | 'whois'>({
        ...named('LookupSource'),
        type: 'string',
        enum: ['rdap', 'whois'],
        examples: ['rdap'],
      }),
    ),
    error: Nullable(
      Type.String({
        description: 'Why nothing was found, for example because the domain is not registered',
        examples: [null],
      }),
    ),
  },
  named('ExpiryLookup'),
)
export type LookupAnswer = Static<typeof LookupAnswer>
