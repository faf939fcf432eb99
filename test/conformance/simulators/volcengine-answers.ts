import { randomUUID } from 'node:crypto'
import { Refused, json } from './answers.ts'

/* How Volcengine says what it did, and what went wrong. */

export const VERSION = '2018-08-01'

const metadata = (Action: string) => ({
  RequestId: randomUUID(),
  Action,
  Version: VERSION,
  Service: 'DNS',
  Region: 'cn-beijing',
})

export const done = (action: string, Result: object | null) =>
  json(200, { ResponseMetadata: metadata(action), ...(Result !== null && { Result }) })

export const failure = (status: number, CodeN: number, Code: string, Message: string) =>
  new Refused(json(status, { ResponseMetadata: { ...metadata(''), Error: { CodeN, Code, Message } } }))

export const invalid = (reason: string) =>
  failure(400, 400_102, 'ErrParamInvalid', `validation fail: ${reason}`)
export const unparsed = (name: string) =>
  failure(400, 400_100, 'ErrParsingParams', `error parsing params: ${name}`)
export const notFound = (what: string) => failure(400, 400_104, 'ErrDBNotFound', `record not found :${what}`)
export const duplicated = (what: string) => failure(409, 400_103, 'ErrDBDuplicated', `duplicated: ${what}`)
export const noZone = () => failure(400, 400_105, 'ErrZoneNotFound', 'zone not found')
export const unfit = (what: string) =>
  failure(400, 400_135, 'ErrSpecNotValid', `record ${what} not valid when creating record`)
export const internal = () => failure(500, 500_100, 'ErrInternalServer', 'internal server error')

/* Of the gateway before all services. */

export const badSignature = () =>
  failure(
    401,
    100_010,
    'SignatureDoesNotMatch',
    'The request signature we calculated does not match the signature you provided. Check your Secret Access Key and signing method.',
  )
export const unknownKey = () =>
  failure(401, 100_009, 'InvalidAccessKey', 'The access key is not found or is not active.')
export const badTime = () =>
  failure(400, 100_006, 'InvalidTimestamp', 'The signature has expired or the timestamp is not valid.')
export const forbidden = () =>
  failure(403, 100_013, 'AccessDenied', 'User is not authorized to perform: DNS:CreateRecord')
export const throttled = () =>
  failure(
    429,
    100_018,
    'FlowLimitExceeded',
    'Request was rejected because the request speed is over the limit.',
  )
export const unknownAction = (action: string) =>
  failure(404, 100_008, 'InvalidActionOrVersion', `Could not find operation ${action} for version.`)
