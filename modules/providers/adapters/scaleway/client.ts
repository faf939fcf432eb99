import { Type, type Static, type TProperties } from '@sinclair/typebox'
import type { ProviderErrorKind } from '../../contract.ts'
import { ApiFailure, type Answer, type Failure } from '../../client/client.ts'
import { isObject, textOf } from '../../client/json.ts'

/** A page of a list. */
export const Page = <P extends TProperties>(list: P) => Type.Object({ ...list, total_count: Type.Integer() })

/** A zone is named by subdomain, which may be empty, and domain. */
export const RawZone = Type.Object({
  domain: Type.String(),
  subdomain: Type.String(),
  ns: Type.Optional(Type.Array(Type.String())),
  status: Type.Optional(Type.String()),
  message: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

export type RawZone = Static<typeof RawZone>

const Config = Type.Optional(Type.Unknown())

export const RawRecord = Type.Object({
  id: Type.String(),
  /** As in zone files; an MX with its priority or without. */
  data: Type.String(),
  /** Relative to the zone; empty for the apex. */
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

/** Records changed after they were read: one has a new id, or a record to be created exists. */
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

/** The type of the error tells what a failure means. */
export function explain({ status, body }: Answer): Failure | undefined {
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
  if (resource === 'record') return { kind: 'conflict', code: NO_RECORD, reason: 'a record no longer exists' }
  if (resource !== 'domain')
    return { kind: 'not_found', message: 'Scaleway does not have this zone, or not in this project' }
  const reason = 'zones can only be created below domains that are registered or validated at Scaleway'
  return { kind: 'rejected', reason }
}

const detailsOf = (details: unknown): string[] =>
  (Array.isArray(details) ? details : [])
    .filter(isObject)
    .map((one) => `${textOf(one['argument_name'])} ${textOf(one['help_message'])}`.trim())
    .filter((text) => text !== '')
