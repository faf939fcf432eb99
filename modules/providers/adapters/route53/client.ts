import { Type, type Static } from '@sinclair/typebox'
import {
  ApiFailure,
  type Answer,
  type ApiClient,
  type Failure,
  type FinishedRequest,
} from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import { basicTime, signed } from '../../client/signing.ts'
import type { Account } from '../../shared/define-provider.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import { kindsOf } from '../../client/kinds.ts'
import type { Credentials } from './index.ts'
import { RawSet } from './record-set.ts'

/** Namespace of all requests. */
export const NAMESPACE = 'https://route53.amazonaws.com/doc/2013-04-01/'

/** Elements that may be repeated. */
const LISTS = ['HostedZone', 'ResourceRecordSet', 'ResourceRecord', 'NameServer', 'member']

/** The API of Route 53 (https://docs.aws.amazon.com/Route53/latest/APIReference/). */
export function openApi(account: Account<Credentials>): ApiClient {
  const { credentials, context, url } = account
  const key = { ...credentials, region: credentials.region || regionOf(url) }
  return clientOf(account, {
    secrets: [credentials.secretAccessKey, credentials.sessionToken ?? ''],
    xmlLists: LISTS,
    authenticate: (request) => sign(request, key, context.clock.now()),
    explain,
  })
}

/** Each partition of AWS has one address, which expects signatures for one region. */
function regionOf(url: string): string {
  const { hostname } = new URL(url)
  if (hostname.endsWith('.amazonaws.com.cn')) return 'cn-northwest-1'
  return hostname.endsWith('.us-gov.amazonaws.com') ? 'us-gov-west-1' : 'us-east-1'
}

/**
 * The headers that sign a request (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
 * `now`: milliseconds since 1970; AWS accepts a difference of 5 minutes.
 */
export function sign(
  request: FinishedRequest,
  { accessKeyId, secretAccessKey, sessionToken = '', region }: Credentials,
  now: number,
): Record<string, string> {
  const date = basicTime(now)
  const added = { 'x-amz-date': date, ...(sessionToken !== '' && { 'x-amz-security-token': sessionToken }) }
  const scope = [date.slice(0, 8), region ?? '', 'route53', 'aws4_request']
  const { url, headers } = request
  const authorization = signed(request, {
    algorithm: 'AWS4-HMAC-SHA256',
    // Characters that are escaped in the request are escaped twice here.
    path: url.pathname.split('/').map(encodeURIComponent).join('/'),
    headers: { host: headers['host'] ?? url.host, ...added },
    stamps: [date, scope.join('/')],
    secret: `AWS4${secretAccessKey}`,
    scope,
    credential: `Credential=${accessKeyId}/${scope.join('/')}`,
  })
  return { ...added, authorization }
}

/** An empty list is an element without children. */
const Items = <T extends Parameters<typeof Type.Array>[0]>(name: string, item: T) =>
  Type.Union([Type.String(), Type.Object({ [name]: Type.Optional(Type.Array(item)) })])

const RawZone = Type.Object({
  /** With `/hostedzone/` before it. */
  Id: Type.String(),
  Name: Type.String(),
  Config: Type.Optional(Type.Unknown()),
})
export type RawZone = Static<typeof RawZone>

const isTruncated = Type.Union([Type.Literal('true'), Type.Literal('false')])

export const RawZones = Type.Object({
  ListHostedZonesResponse: Type.Object({
    HostedZones: Items('HostedZone', RawZone),
    IsTruncated: isTruncated,
    NextMarker: Type.Optional(Type.String()),
  }),
})

export const RawZonesByName = Type.Object({
  ListHostedZonesByNameResponse: Type.Object({ HostedZones: Items('HostedZone', RawZone) }),
})

/** A single zone, although lists have several. */
const OneZone = Type.Object({
  HostedZone: Type.Array(RawZone, { minItems: 1, maxItems: 1 }),
  /** Missing for private zones. */
  DelegationSet: Type.Optional(
    Type.Object({ NameServers: Type.Object({ NameServer: Type.Array(Type.String()) }) }),
  ),
})
export type OneZone = Static<typeof OneZone>

export const ZoneRead = Type.Object({ GetHostedZoneResponse: OneZone })
export const ZoneCreated = Type.Object({ CreateHostedZoneResponse: OneZone })

export const RawSets = Type.Object({
  ListResourceRecordSetsResponse: Type.Object({
    ResourceRecordSets: Items('ResourceRecordSet', RawSet),
    IsTruncated: isTruncated,
    NextRecordName: Type.Optional(Type.String()),
    NextRecordType: Type.Optional(Type.String()),
    NextRecordIdentifier: Type.Optional(Type.String()),
  }),
})

export const DnssecRead = Type.Object({
  GetDNSSECResponse: Type.Object({
    Status: Type.Object({ ServeSignature: Type.String() }),
    /** Missing for keys that are no longer in use. */
    KeySigningKeys: Items(
      'member',
      Type.Object({ Status: Type.String(), DSRecord: Type.Optional(Type.String()) }),
    ),
  }),
})

const ChangeInfo = Type.Object({
  ChangeInfo: Type.Object({
    /** With `/change/` before it. */
    Id: Type.String(),
    Status: Type.Union([Type.Literal('PENDING'), Type.Literal('INSYNC')]),
  }),
})

export const Changed = Type.Object({ ChangeResourceRecordSetsResponse: ChangeInfo })
export const ChangeRead = Type.Object({ GetChangeResponse: ChangeInfo })

/** The sets changed after they were read. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof ApiFailure &&
  error.code === 'InvalidChangeBatch' &&
  /Tried to (?:create|delete) resource record set/i.test(error.message)

const kindOf = kindsOf({
  rate_limited: 'Throttling ThrottlingException RequestLimitExceeded TooManyRequestsException',
  locked: 'PriorRequestNotComplete ConcurrentModification',
  forbidden: 'AccessDenied AccessDeniedException NotAuthorized NotAuthorizedException OptInRequired',
  auth: [
    'InvalidClientTokenId UnrecognizedClientException InvalidAccessKeyId',
    'SignatureDoesNotMatch InvalidSignatureException IncompleteSignature',
    'MissingAuthenticationToken ExpiredToken ExpiredTokenException RequestExpired',
  ],
  not_found: 'NoSuchHostedZone NoSuchChange',
  conflict: 'HostedZoneAlreadyExists ConflictingDomainExists',
  quota: 'TooManyHostedZones LimitsExceeded',
})

/** The code tells what a failure means, and may come with several statuses; throttling is 400. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300) return undefined
  const error = errorOf(body)
  // Not an answer of Route 53: the address is wrong.
  if (error === null) return status === 404 ? { kind: 'unavailable' } : {}
  const { code, reason } = error
  const kind = kindOf(code)
  if (kind === 'auth') {
    if (/Signature (?:expired|not yet current)|RequestExpired/.test(`${code} ${reason}`))
      return { kind, code, message: 'AWS refuses the signature because the clock of this service is wrong' }
    if (code.startsWith('ExpiredToken'))
      return { kind, code, message: 'AWS refuses the credentials: the session token is no longer valid' }
  }
  if (code === 'NoSuchHostedZone') return { kind: 'not_found', code, message: NO_ZONE }
  return { ...(kind && { kind }), code, reason }
}

const NO_ZONE = 'AWS Route 53 does not have this hosted zone in this account'

/** Null if the answer is not from Route 53. Several messages have an element of their own. */
function errorOf(body: unknown): { code: string; reason: string } | null {
  if (!isObject(body)) return null
  const { ErrorResponse: envelope, InvalidChangeBatch: batch } = body
  if (isObject(batch)) return { code: 'InvalidChangeBatch', reason: textsOf(batch).join(' ') }
  const error = isObject(envelope) ? envelope['Error'] : undefined
  if (!isObject(error) || typeof error['Code'] !== 'string') return null
  const { Code: code, Message: message } = error
  return { code, reason: textsOf(message).join(' ') }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => (name.startsWith('@') ? [] : textsOf(inner)))
}
