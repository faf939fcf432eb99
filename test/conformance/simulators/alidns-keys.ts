import { randomBytes } from 'node:crypto'
import { failure, type Params } from './alidns-domain.ts'
import { acs3Signature, rpcSignature, rpcText } from './alidns-signature.ts'
import { sha256 } from './digests.ts'
import type { SimulatorRequest } from './server.ts'

/** What a call is, however it was signed. */
export interface AlidnsCall {
  action: string
  params: Params
}

interface Key {
  accessKeyId: string
  accessKeySecret: string
}

const VERSION = '2015-01-09'
const MAX_SKEW_MS = 15 * 60_000
const AUTHORIZATION =
  /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([a-z0-9;-]+),Signature=([0-9a-f]{64})$/
const TO_BE_SIGNED = [
  'host',
  'x-acs-action',
  'x-acs-content-sha256',
  'x-acs-date',
  'x-acs-signature-nonce',
  'x-acs-version',
]

const newKey = (): Key => ({
  accessKeyId: `LTAI${randomBytes(10).toString('hex')}`,
  accessKeySecret: randomBytes(15).toString('hex'),
})

const mismatch = (text: string) =>
  failure(
    400,
    'SignatureDoesNotMatch',
    `Specified signature is not matched with our calculation. server string to sign is:${text}`,
  )
export const unknownKey = () =>
  failure(404, 'InvalidAccessKeyId.NotFound', 'Specified access key is not found.')
export const forbidden = () =>
  failure(
    403,
    'Forbidden.RAM',
    "User not authorized to operate on the specified resource, or this API doesn't support RAM.",
  )

/** The parameters of query and form. */
export function paramsOf({ query, headers, body }: SimulatorRequest): Params {
  const isForm = String(headers['content-type']).startsWith('application/x-www-form-urlencoded')
  return Object.fromEntries([...query, ...(isForm ? new URLSearchParams(body) : [])])
}

export const actionOf = (request: SimulatorRequest): string =>
  String(request.headers['x-acs-action'] ?? paramsOf(request)['Action'] ?? '')

/** The keys of an account, and what is known of their use. */
export class AlidnsKeys {
  readonly owner = newKey()
  /** May not change anything. */
  readonly reader = newKey()
  #nonces = new Set<string>()

  /** Throws Refused where the call is not signed by one of them, by RPC or by ACS3. */
  verify(request: SimulatorRequest): AlidnsCall {
    const params = paramsOf(request)
    const call =
      request.headers.authorization === undefined ? this.#rpc(request, params) : this.#acs3(request, params)
    if (call.key === this.reader && !call.action.startsWith('Describe')) throw forbidden()
    return call
  }

  #rpc({ method }: SimulatorRequest, all: Params) {
    const { Signature, ...params } = all
    const needed = [
      'AccessKeyId',
      'SignatureMethod',
      'SignatureVersion',
      'SignatureNonce',
      'Timestamp',
      'Action',
    ]
    for (const name of needed)
      if (params[name] === undefined)
        throw failure(400, `Missing${name}`, `${name} is mandatory for this action.`)
    if (params['SignatureMethod'] !== 'HMAC-SHA1' || params['SignatureVersion'] !== '1.0')
      throw failure(400, 'InvalidSignatureMethod', 'Specified signature method is not valid.')
    // Without it the answer would be in XML.
    if (params['Format'] !== 'JSON') throw failure(400, 'InvalidFormat', 'Only JSON is answered here.')
    const key = this.#key(params['AccessKeyId'])
    this.#check(params['Version'], params['Timestamp'], params['SignatureNonce'])
    if (Signature !== rpcSignature(method, params, key.accessKeySecret))
      throw mismatch(rpcText(method, params))
    return { key, action: params['Action'] ?? '', params }
  }

  #acs3({ method, path, query, headers, bytes }: SimulatorRequest, params: Params) {
    const [, id, signedNames = '', signature] = AUTHORIZATION.exec(String(headers.authorization)) ?? []
    if (id === undefined || path !== '/')
      throw failure(400, 'IncompleteSignature', 'The request signature does not conform to the standards.')
    const key = this.#key(id)
    const header = (name: string) => (headers[name] === undefined ? undefined : String(headers[name]))
    this.#check(header('x-acs-version'), header('x-acs-date'), header('x-acs-signature-nonce'))
    const signed = signedNames.split(';')
    const isWhole = TO_BE_SIGNED.every((name) => signed.includes(name))
    const isInOrder = signed.toSorted().join(';') === signedNames
    const isOfBody = header('x-acs-content-sha256') === sha256(bytes)
    const wanted = acs3Signature({
      method,
      query: Object.fromEntries(query),
      headers,
      signed,
      secret: key.accessKeySecret,
    })
    if (!isWhole || !isInOrder || !isOfBody || signature !== wanted) throw mismatch('ACS3-HMAC-SHA256')
    return { key, action: header('x-acs-action') ?? '', params }
  }

  #key(id: string | undefined): Key {
    const key = [this.owner, this.reader].find(({ accessKeyId }) => accessKeyId === id)
    if (key === undefined) throw unknownKey()
    return key
  }

  #check(version: string | undefined, date: string | undefined, nonce: string | undefined): void {
    if (version !== VERSION) throw failure(400, 'InvalidVersion', 'Specified parameter Version is not valid.')
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(date ?? ''))
      throw failure(
        400,
        'InvalidTimeStamp.Format',
        'Specified time stamp or date value is not well formatted.',
      )
    if (Math.abs(Date.now() - Date.parse(date ?? '')) > MAX_SKEW_MS)
      throw failure(400, 'InvalidTimeStamp.Expired', 'Specified time stamp or date value is expired.')
    if (nonce === undefined || this.#nonces.has(nonce))
      throw failure(400, 'SignatureNonceUsed', 'Specified signature nonce was used already.')
    this.#nonces.add(nonce)
  }
}
