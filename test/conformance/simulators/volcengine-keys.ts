import { randomBytes } from 'node:crypto'
import type { SimulatorRequest } from './server.ts'
import { sigV4, type SigV4Words } from './sigv4.ts'
import { badSignature, badTime, unknownKey } from './volcengine-answers.ts'

export interface VolcengineKey {
  accessKeyId: string
  secretAccessKey: string
}

export const VOLCENGINE: SigV4Words = { algorithm: 'HMAC-SHA256', prefix: '', end: 'request' }

const MAX_SKEW_MS = 15 * 60_000
const HEADER =
  /^HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/(dns|DNS)\/request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

export const newKey = (): VolcengineKey => ({
  accessKeyId: `AKLT${randomBytes(16).toString('hex')}`,
  secretAccessKey: Buffer.from(randomBytes(16).toString('hex')).toString('base64'),
})

/** Which of the keys the request is signed by. Throws Refused. */
export function signerOf(request: SimulatorRequest, keys: VolcengineKey[]): VolcengineKey {
  const { authorization, 'x-date': date } = request.headers
  const [, id, day, region = '', service = '', headers = '', signature] =
    HEADER.exec(String(authorization)) ?? []
  if (id === undefined || typeof date !== 'string') throw badSignature()
  const key = keys.find(({ accessKeyId }) => accessKeyId === id)
  if (key === undefined) throw unknownKey()
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (day !== date.slice(0, 8) || !(Math.abs(at - Date.now()) < MAX_SKEW_MS)) throw badTime()
  const signed = headers.split(';')
  const isWhole = ['host', 'x-date'].every((name) => signed.includes(name))
  if (!isWhole || sigV4(request, { ...key, region, service }, date, signed, VOLCENGINE) !== signature)
    throw badSignature()
  return key
}
