import { Type, type Static } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../contract.ts'
import { ApiClient, ApiFailure, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'
import { RawSet } from './record-set.ts'
import { signatureOf } from './signature.ts'

/** Namespace of all requests. */
export const NAMESPACE = 'https://route53.amazonaws.com/doc/2013-04-01/'

/** Elements that may be repeated. */
const LISTS = ['HostedZone', 'ResourceRecordSet', 'ResourceRecord', 'NameServer', 'member']

/** The API of Route 53 (https://docs.aws.amazon.com/Route53/latest/APIReference/). */
export function openApi(credentials: Credentials, context: AdapterContext): ApiClient {
  const { accessKeyId, secretAccessKey, sessionToken, apiUrl } = credentials
  const address = addressOf(OWN_URL, apiUrl)
  const key = {
    accessKeyId,
    secretAccessKey,
    sessionToken,
    region: credentials.region || regionOf(address.url),
  }
  return new ApiClient(
    {
      provider: 'AWS Route 53',
      ...address,
      secrets: [secretAccessKey, sessionToken ?? ''],
      xmlLists: LISTS,
      authenticate: (request) => signatureOf(request, key, context.clock.now()),
      explain,
    },
    context,
  )
}

/** Each partition of AWS has one address, which expects signatures for one region. */
function regionOf(url: string): string {
  const { hostname } = new URL(url)
  if (hostname.endsWith('.amazonaws.com.cn')) return 'cn-northwest-1'
  return hostname.endsWith('.us-gov.amazonaws.com') ? 'us-gov-west-1' : 'us-east-1'
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

const RawDelegation = Type.Object({
  NameServers: Type.Object({ NameServer: Type.Array(Type.String()) }),
})
export type RawDelegation = Static<typeof RawDelegation>

/** A single zone, although lists have several. */
const OneZone = Type.Object({
  HostedZone: Type.Array(RawZone, { minItems: 1, maxItems: 1 }),
  /** Missing for private zones. */
  DelegationSet: Type.Optional(RawDelegation),
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

const KINDS: Record<string, ProviderErrorKind> = {
  Throttling: 'rate_limited',
  ThrottlingException: 'rate_limited',
  RequestLimitExceeded: 'rate_limited',
  TooManyRequestsException: 'rate_limited',
  PriorRequestNotComplete: 'locked',
  ConcurrentModification: 'locked',
  AccessDenied: 'forbidden',
  AccessDeniedException: 'forbidden',
  NotAuthorized: 'forbidden',
  NotAuthorizedException: 'forbidden',
  OptInRequired: 'forbidden',
  InvalidClientTokenId: 'auth',
  UnrecognizedClientException: 'auth',
  InvalidAccessKeyId: 'auth',
  SignatureDoesNotMatch: 'auth',
  InvalidSignatureException: 'auth',
  IncompleteSignature: 'auth',
  MissingAuthenticationToken: 'auth',
  ExpiredToken: 'auth',
  ExpiredTokenException: 'auth',
  RequestExpired: 'auth',
  NoSuchHostedZone: 'not_found',
  NoSuchChange: 'not_found',
  HostedZoneAlreadyExists: 'conflict',
  ConflictingDomainExists: 'conflict',
  TooManyHostedZones: 'quota',
  LimitsExceeded: 'quota',
}

/** The code tells what a failure means, and may come with several statuses; throttling is 400. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300) return undefined
  const error = errorOf(body)
  // Not an answer of Route 53: the address is wrong.
  if (error === null) return status === 404 ? { kind: 'unavailable' } : {}
  const { code, reason } = error
  const kind = KINDS[code]
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
