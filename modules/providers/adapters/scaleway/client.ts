import { Type, type Static, type TProperties } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../contract.ts'
import { ApiClient, ApiFailure, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject, textOf } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'

/** Scaleway's Domains and DNS API, v2beta1 (https://www.scaleway.com/en/developers/api/domains-and-dns/). */
export const openApi = ({ secretKey, apiUrl }: Credentials, context: AdapterContext): ApiClient =>
  new ApiClient(
    {
      provider: 'Scaleway',
      ...addressOf(OWN_URL, apiUrl),
      secrets: [secretKey],
      authenticate: () => ({ 'x-auth-token': secretKey }),
      explain,
    },
    context,
  )

/** A page of a list. */
export const Page = <P extends TProperties>(list: P) => Type.Object({ ...list, total_count: Type.Integer() })

/** Its name is subdomain and domain, of which the first may be ''. */
export const RawZone = Type.Object({
  domain: Type.String(),
  subdomain: Type.String(),
  ns: Type.Optional(Type.Array(Type.String())),
  status: Type.Optional(Type.String()),
  message: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

export type RawZone = Static<typeof RawZone>

const Config = Type.Optional(Type.Unknown())

/** A record as Scaleway has it. */
export const RawRecord = Type.Object({
  id: Type.String(),
  /** As master files have it, that of MX with its priority or without. */
  data: Type.String(),
  /** Relative to the zone; '' for the apex. */
  name: Type.String(),
  priority: Type.Optional(Type.Integer()),
  ttl: Type.Integer(),
  type: Type.String(),
  comment: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  geo_ip_config: Config,
  http_service_config: Config,
  weighted_config: Config,
  view_config: Config,
})

export type RawRecord = Static<typeof RawRecord>

/** The records are others than those that were read: one has another id now, or one that is to be made is there. */
export const isOutdated = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure &&
  error.outcome === 'not_applied' &&
  (error.code === NO_RECORD || error.kind === 'rejected' || error.kind === 'conflict')

const NO_RECORD = 'no_record'

const KINDS: Record<string, ProviderErrorKind> = {
  denied_authentication: 'auth',
  permissions_denied: 'forbidden',
  quotas_exceeded: 'quota',
  transient_state: 'locked',
}

/** What Scaleway means, by the type of its error. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body)) return undefined
  const type = textOf(body['type'])
  if (type === 'not_found') return explainMissing(textOf(body['resource']))
  const kind = KINDS[type]
  return {
    reason: [textOf(body['message']), ...detailsOf(body['details'])].join('; '),
    ...(kind && { kind }),
  }
}

function explainMissing(resource: string): Failure {
  if (resource === 'record')
    return { kind: 'conflict', code: NO_RECORD, reason: 'a record is there no longer' }
  if (resource !== 'domain')
    return { kind: 'not_found', message: 'Scaleway does not have this zone, or not in this project' }
  const reason = 'zones can be made below domains that are registered or validated there'
  return { kind: 'rejected', reason }
}

const detailsOf = (details: unknown): string[] =>
  (Array.isArray(details) ? details : [])
    .filter(isObject)
    .map((one) => `${textOf(one['argument_name'])} ${textOf(one['help_message'])}`.trim())
    .filter((text) => text !== '')
