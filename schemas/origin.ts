import { Type } from '@sinclair/typebox'
import { named } from './named.ts'
import { Nullable, Uuid } from './scalars.ts'

/** What a client may say that it is; see plugins/security/access/origin.ts. */
export const CLIENTS = ['console', 'cli', 'mcp'] as const

export const ORIGINS = [
  ...CLIENTS,
  'api',
  'ddns',
  'acme',
  'external-dns',
  'powerdns-api',
  'dns-update',
  'schedule',
  'sync',
] as const

export type Origin = (typeof ORIGINS)[number]

/** By which way something was done. */
export const OriginSchema = Type.Unsafe<Origin>({
  ...named('Origin'),
  type: 'string',
  enum: [...ORIGINS],
  description:
    'How the request came in. Protocols (`ddns`, `acme`, `external-dns`, `powerdns-api`, `dns-update`) and the service itself (`schedule`: scheduled tasks; `sync`: automatic sync) are facts. `console`, `cli` and `mcp` are what the client says by the header `Zonekeeper-Client`; `api` is any other client',
  examples: ['api'],
})

/** The personal token that something was done with. */
export const TokenMark = Type.Object(
  {
    id: Uuid,
    name: Type.String({ description: 'As it was then', examples: ['deploy'] }),
    suffix: Nullable(
      Type.String({
        description: 'Its last 4 characters; null for a token from before they were kept',
        examples: ['x7Qd'],
      }),
    ),
  },
  named('TokenMark'),
)

/** What says by which way and token something was done. */
export const provenance = {
  origin: { ...Nullable(OriginSchema), description: 'Null in entries from before it was recorded' },
  token: { ...Nullable(TokenMark), description: 'Null when no personal token was used' },
}

/** The filters by it. */
export const provenanceFilters = {
  token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Id or name of the personal token it was done with',
      examples: ['deploy'],
    }),
  ),
  origin: Type.Optional(OriginSchema),
}

interface ProvenanceRow {
  origin: Origin | null
  token_id: string | null
  token_name: string | null
  token_suffix: string | null
}

export const toProvenance = (row: ProvenanceRow) => ({
  origin: row.origin,
  token:
    row.token_id === null ? null : { id: row.token_id, name: row.token_name ?? '', suffix: row.token_suffix },
})
