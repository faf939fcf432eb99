import { Type } from '@sinclair/typebox'
import { named } from '../named.ts'
import { Nullable, OneOf, Uuid } from '../scalars.ts'

/** Origins that a client may claim; see plugins/security/access/credentials.ts. */
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
  'enforce',
  'failover',
] as const

export type Origin = (typeof ORIGINS)[number]

export const OriginSchema = OneOf(ORIGINS, {
  ...named('Origin'),
  description:
    'How the request came in. The service knows the protocols (`ddns`, `acme`, `external-dns`, `powerdns-api`, `dns-update`) and itself (`schedule`: scheduled tasks; `failover`: failover monitors; `sync`: automatic sync; `enforce`: changes made at the provider are put back). `console`, `cli` and `mcp` are claimed by the client in the header `Zonekeeper-Client`; `api` is any other client',
  examples: ['api'],
})

/** The personal token used for an action. */
export const TokenMark = Type.Object(
  {
    id: Uuid,
    name: Type.String({ description: 'Name at that time', examples: ['deploy'] }),
    suffix: Nullable(
      Type.String({
        description: 'Last 4 characters; null for tokens from before they were stored',
        examples: ['x7Qd'],
      }),
    ),
  },
  named('TokenMark'),
)

/** Origin and token of an action. */
export const provenance = {
  origin: { ...Nullable(OriginSchema), description: 'Null in entries from before it was recorded' },
  token: { ...Nullable(TokenMark), description: 'Null when no personal token was used' },
}

/** Filters by origin and token. */
export const provenanceFilters = {
  token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Id or name of the personal token used',
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
