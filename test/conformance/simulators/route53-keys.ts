import { randomBytes } from 'node:crypto'
import { invalidToken, refusal } from './route53-answers.ts'
import type { SimulatorRequest } from './server.ts'
import { sigV4 } from './sigv4.ts'

export interface AccessKey {
  accessKeyId: string
  secretAccessKey: string
  /** Of temporary credentials; '' for lasting ones. */
  sessionToken: string
}

const SERVICE = { region: 'us-east-1', service: 'route53' }
const MAX_SKEW_MS = 15 * 60_000
const HEADER =
  /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/([\w-]+)\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

export const newKey = (kind: 'AKIA' | 'ASIA'): AccessKey => ({
  accessKeyId: `${kind}${randomBytes(8).toString('hex').toUpperCase()}`,
  secretAccessKey: randomBytes(30).toString('base64'),
  sessionToken: kind === 'ASIA' ? randomBytes(60).toString('base64') : '',
})

/** Which of the keys the request is signed by, as AWS Signature Version 4 has it. Throws Refused. */
export function signerOf(request: SimulatorRequest, keys: AccessKey[]): AccessKey {
  const { authorization, 'x-amz-date': date, 'x-amz-security-token': token = '' } = request.headers
  if (authorization === undefined || typeof date !== 'string')
    throw refusal(403, 'MissingAuthenticationToken', 'Missing Authentication Token')
  const [, id, day, region, service, headers = '', signature] = HEADER.exec(String(authorization)) ?? []
  if (id === undefined)
    throw refusal(403, 'IncompleteSignature', 'The Authorization header is not as it must be')
  const key = keys.find(({ accessKeyId }) => accessKeyId === id)
  if (key === undefined || token !== key.sessionToken) throw invalidToken()
  const mismatch = (reason: string) => refusal(403, 'SignatureDoesNotMatch', reason)
  if (region !== SERVICE.region || service !== SERVICE.service)
    throw mismatch(`Credential should be scoped to a valid region, not '${region}'.`)
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (day !== date.slice(0, 8) || !(Math.abs(at - Date.now()) < MAX_SKEW_MS))
    throw mismatch(`Signature expired: ${date} is not near ${new Date().toISOString()}`)
  const signed = headers.split(';')
  const needed = ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))]
  const isWhole = needed.every((name) => signed.includes(name))
  if (!isWhole || sigV4(request, { ...key, ...SERVICE }, date, signed) !== signature)
    throw mismatch(
      'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.',
    )
  return key
}
