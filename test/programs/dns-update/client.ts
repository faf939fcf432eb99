import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import {
  CLASS,
  decodeMessage,
  encodeMessage,
  OPCODE,
  RCODE,
  TYPE,
  type Message,
  type NewMessage,
  type ResourceRecord,
} from '../../../dns/wire/message.ts'
import { typeCode } from '../../../dns/wire/type-codes.ts'
import { signMessage, TsigVerifier, type TsigKey } from '../../../dns/wire/tsig.ts'
import { call, type Client, type TestApp } from '../../helpers/app.ts'

/* A client of DNS updates that can do what honest ones don't. */

export interface Place {
  address: string
  port: number
}

export const SOA_CLASS = { type: TYPE.SOA, class: CLASS.IN }
export const now = () => Math.round(Date.now() / 1000)

/** Opens a listener on loopback. */
export async function listen({ app }: Pick<TestApp, 'app'>): Promise<Place> {
  const [place = ''] = await app.dnsUpdates.listen([{ host: '127.0.0.1', port: 0 }])
  return { address: '127.0.0.1', port: Number(place.split(':')[1]) }
}

/** A token of the client's, and a key of the token. */
export async function makeKey(
  { app }: Pick<TestApp, 'app'>,
  client: Client,
  restrictions: object | null = null,
  {
    permissions = ['records:read', 'records:write'],
    algorithm = 'hmac-sha256',
    from = '127.0.0.1',
  }: { permissions?: string[]; algorithm?: string; /** The client's address. */ from?: string } = {},
): Promise<{ key: TsigKey; keyId: string; token: string; tokenId: string }> {
  const made = await client.post('/api/auth/me/tokens', { name: 'DHCP at home', permissions, restrictions })
  const { id: tokenId, token } = made.body as { id: string; token: string }
  const { status, body } = await call(app, {
    method: 'POST',
    url: '/api/v1/token/tsig-keys',
    remoteAddress: from,
    headers: { authorization: `Bearer ${token}` },
    payload: { algorithm },
  })
  if (status !== 201) throw new Error(`No key: ${JSON.stringify(body)}`)
  const { name, secret, id: keyId } = body
  return { key: { name, algorithm, secret: Buffer.from(secret, 'base64') } as TsigKey, keyId, token, tokenId }
}

const record = (
  name: string,
  type: number,
  of: number,
  ttl = 0,
  data: Buffer = Buffer.of(),
): ResourceRecord => ({
  name,
  type,
  class: of,
  ttl,
  data,
})
const codeOf = (type: string) => (type === 'ANY' ? TYPE.ANY : (typeCode(type) as number))
const dataOf = (type: RecordType, value: string) => typeOf(type).toWire(value)

export const add = (name: string, type: RecordType, value: string, ttl = 300) =>
  record(name, codeOf(type), CLASS.IN, ttl, dataOf(type, value))
export const deleteSet = (name: string, type: string) => record(name, codeOf(type), CLASS.ANY)
export const deleteName = (name: string) => deleteSet(name, 'ANY')
export const deleteValue = (name: string, type: RecordType, value: string) =>
  record(name, codeOf(type), CLASS.NONE, 0, dataOf(type, value))
/** Of a name with ANY as type. */
export const exists = (name: string, type: string) => record(name, codeOf(type), CLASS.ANY)
export const missing = (name: string, type: string) => record(name, codeOf(type), CLASS.NONE)
export const is = (name: string, type: RecordType, value: string) =>
  record(name, codeOf(type), CLASS.IN, 0, dataOf(type, value))

let lastId = 0

export const updateOf = (
  zone: string,
  updates: ResourceRecord[],
  prerequisites: ResourceRecord[] = [],
): NewMessage => ({
  id: ++lastId,
  opcode: OPCODE.UPDATE,
  questions: [{ name: zone, ...SOA_CLASS }],
  answers: prerequisites,
  authorities: updates,
})

export const queryOf = (name: string, type: number, more: Partial<NewMessage> = {}): NewMessage => ({
  id: ++lastId,
  questions: [{ name, type, class: CLASS.IN }],
  ...more,
})

/** Sends octets over UDP, and returns the answer; null for none in that time. */
export async function sendUdp({ address, port }: Place, bytes: Buffer, ms = 20_000): Promise<Buffer | null> {
  const socket = createSocket('udp4')
  try {
    socket.send(bytes, port, address)
    const signal = AbortSignal.timeout(ms)
    const [answer] = (await once(socket, 'message', { signal }).catch(() => [null])) as [Buffer | null]
    return answer
  } finally {
    socket.close()
  }
}

/** Sends messages over one TCP connection, and returns all that comes until it ends or `count` messages came. */
export async function sendTcp(
  { address, port }: Place,
  messages: Buffer[],
  count: number,
): Promise<Buffer[]> {
  const socket = connect(port, address)
  for (const message of messages) {
    const prefix = Buffer.alloc(2)
    prefix.writeUInt16BE(message.length)
    socket.write(Buffer.concat([prefix, message]))
  }
  const answers: Buffer[] = []
  let held: Buffer = Buffer.of()
  try {
    for await (const chunk of socket) {
      held = Buffer.concat([held, chunk as Buffer])
      while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
        const end = 2 + held.readUInt16BE(0)
        answers.push(held.subarray(2, end))
        held = held.subarray(end)
      }
      if (answers.length >= count) break
    }
  } finally {
    socket.destroy()
  }
  return answers
}

export const sign = (message: NewMessage, key: TsigKey, time = now()) =>
  signMessage(encodeMessage(message), key, time)

/** How often a client repeats a message that was lost. */
const TRIES = 10

/** Sends a signed message over UDP, verifies the signature of the answer, and returns it. */
export async function ask(
  place: Place,
  key: TsigKey,
  message: NewMessage,
  patienceMs = 20_000,
): Promise<Message> {
  const { message: bytes, mac } = sign(message, key)
  let answer: Buffer | null = null
  for (let tries = 1; !answer && tries <= TRIES; tries++) answer = await sendUdp(place, bytes, patienceMs)
  if (!answer) throw new Error('No answer')
  const decoded = decodeMessage(answer)
  new TsigVerifier(key, mac, now).verify(answer, decoded)
  return decoded
}

const NAMES = new Map<number, string>(Object.entries(RCODE).map(([name, code]) => [code, name]))
export const nameOf = (rcode: number) => NAMES.get(rcode) ?? String(rcode)

/** Sends an update, and returns the name of its RCODE. */
export const update = async (
  place: Place,
  key: TsigKey,
  zone: string,
  updates: ResourceRecord[],
  prerequisites: ResourceRecord[] = [],
): Promise<string> => nameOf((await ask(place, key, updateOf(zone, updates, prerequisites))).rcode)

/** Returns the records of all messages of a zone transfer, whose signatures are verified; or the RCODE. */
export async function transfer(
  place: Place,
  key: TsigKey,
  message: NewMessage,
): Promise<{ rcode: string; records: ResourceRecord[]; messages: number }> {
  const { message: bytes, mac } = sign(message, key)
  const socket = connect(place.port, place.address)
  const prefix = Buffer.alloc(2)
  prefix.writeUInt16BE(bytes.length)
  socket.write(Buffer.concat([prefix, bytes]))
  const verifier = new TsigVerifier(key, mac, now)
  const records: ResourceRecord[] = []
  let held: Buffer = Buffer.of()
  let messages = 0
  try {
    for await (const chunk of socket) {
      held = Buffer.concat([held, chunk as Buffer])
      while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
        const end = 2 + held.readUInt16BE(0)
        const answer = Buffer.from(held.subarray(2, end))
        held = held.subarray(end)
        const decoded = decodeMessage(answer)
        verifier.verify(answer, decoded)
        messages++
        records.push(...decoded.answers)
        const isEnd = records.length > 1 && records.at(-1)?.type === TYPE.SOA
        if (decoded.rcode !== 0 || isEnd || (messages === 1 && records.length === 1)) {
          verifier.finish()
          return { rcode: nameOf(decoded.rcode), records, messages }
        }
      }
    }
  } finally {
    socket.destroy()
  }
  throw new Error('The transfer ended early')
}
