import { Type, type Static } from '@sinclair/typebox'
import { named } from '../../../schemas/named.ts'
import { Nullable } from '../../../schemas/scalars.ts'

/** Media type of version 1 of the protocol; external-dns compares it as text. */
export const MEDIA_TYPE = 'application/external.dns.webhook+json;version=1'

/** Maximum endpoints in each list of a call. */
export const MAX_ENDPOINTS = 50_000
export const MAX_BYTES = 16 * 1024 * 1024

const Property = Type.Object({
  name: Type.Optional(
    Type.String({ maxLength: 500, examples: ['external-dns.alpha.kubernetes.io/cloudflare-proxied'] }),
  ),
  value: Type.Optional(Type.String({ maxLength: 10_000, examples: ['true'] })),
})

export const Endpoint = Type.Object(
  {
    dnsName: Type.String({ maxLength: 1000, examples: ['shop.example.com'] }),
    targets: Type.Optional(
      Nullable(
        Type.Array(Type.String({ maxLength: 70_000, examples: ['192.0.2.10'] }), {
          maxItems: 1_000,
          description: 'In the form of the type: MX "10 mail.example.com", TXT in quotes',
        }),
      ),
    ),
    recordType: Type.String({ maxLength: 50, examples: ['A'] }),
    setIdentifier: Type.Optional(Type.String({ maxLength: 1000, examples: [''] })),
    recordTTL: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Seconds; 0 or missing if not set',
        examples: [300],
      }),
    ),
    labels: Type.Optional(
      Nullable(
        Type.Record(Type.String(), Type.String({ maxLength: 10_000 }), {
          description: 'Kept by external-dns in its TXT records',
          examples: [{ owner: 'default' }],
        }),
      ),
    ),
    providerSpecific: Type.Optional(Nullable(Type.Array(Property, { maxItems: 100 }))),
  },
  named('ExternalDnsEndpoint'),
)
export type Endpoint = Static<typeof Endpoint>

const List = Type.Array(Endpoint, { maxItems: MAX_ENDPOINTS })
// Named, because generators would give two members that differ only in case the same name.
const Wishes = Type.Optional(
  Nullable(Type.Array(Endpoint, { maxItems: MAX_ENDPOINTS, ...named('ExternalDnsWishes') })),
)

/** Go accepts field names in either case. */
export const Changes = Type.Object(
  {
    create: Wishes,
    updateOld: Wishes,
    updateNew: Wishes,
    delete: Wishes,
    Create: Wishes,
    UpdateOld: Wishes,
    UpdateNew: Wishes,
    Delete: Wishes,
  },
  // Go may omit empty lists.
  { minProperties: 0 },
)
export type Changes = Static<typeof Changes>

export const Endpoints = List

const Filter = Type.Object({
  include: Type.Array(
    Type.String({
      description: 'A name and everything below it; with a leading dot, only names below it',
      examples: ['example.com'],
    }),
  ),
})

const content = (schema: object) => ({ content: { [MEDIA_TYPE]: { schema } } })

export const FilterContent = content(Filter)
export const EndpointsContent = content(List)
