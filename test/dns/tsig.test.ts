import t from 'tap'
import { decodeMessage, encodeMessage } from '../../dns/wire/message.ts'
import {
  signMessage,
  TsigVerifier,
  type TsigAlgorithm,
  type TsigFault,
  type TsigKey,
} from '../../dns/wire/tsig.ts'
import vectors from './tsig-vectors.json' with { type: 'json' }

const NOW = vectors.about.time
const bytes = (hex: string) => Buffer.from(hex, 'hex')
const keyOf = (algorithm: TsigAlgorithm): TsigKey => ({
  name: 'update-key',
  algorithm,
  secret: Buffer.from(vectors.about.secret, 'base64'),
})
const KEY = keyOf('hmac-sha256')
const { requestMac, response } = vectors.signed['hmac-sha256']

const our = (fault: TsigFault) => ({ message: `The signature of the answer is not valid: ${fault}` })
const said = (fault: TsigFault) => ({ message: `The other side reports ${fault}` })

/** A verifier of the answer to the request of the vectors, and a way to feed it. */
function verifier(mac = requestMac, { key = KEY, now = NOW } = {}) {
  const inner = new TsigVerifier(key, bytes(mac), () => now)
  return {
    verify: (message: Buffer) => inner.verify(message, decodeMessage(message)),
    finish: () => inner.finish(),
  }
}

/** The answer with other contents of its TSIG; offsets count from the end, behind the MAC. */
function altered(change: (message: Buffer) => void): Buffer {
  const message = bytes(response)
  change(message)
  return message
}

void t.test('requests are signed and answers verified as others do', async (t) => {
  for (const [algorithm, vector] of Object.entries(vectors.signed)) {
    const key = keyOf(algorithm as TsigAlgorithm)
    const { message, mac } = signMessage(bytes(vectors.update), key, NOW)
    t.equal(message.toString('hex'), vector.request, algorithm)
    t.equal(mac.toString('hex'), vector.requestMac)
    const { verify, finish } = verifier(vector.requestMac, { key })
    verify(bytes(vector.response))
    finish()
  }
})

void t.test('a transfer of several messages', async (t) => {
  const messages = vectors.transfer.responses.map(bytes)
  const [first, second, third] = messages as [Buffer, Buffer, Buffer]
  const start = () => verifier(vectors.transfer.queryMac)
  const { verify, finish } = start()
  for (const message of messages) verify(message)
  finish()

  t.throws(() => start().finish(), our('UNSIGNED'), 'nothing came')
  const skipping = start()
  skipping.verify(first)
  t.throws(() => skipping.verify(third), our('BADSIG'), 'one is missing')
  t.throws(() => start().verify(second), our('BADSIG'), 'the first is missing')
  const inserted = start()
  inserted.verify(first)
  inserted.verify(encodeMessage({ id: 1, questions: [] }))
  t.throws(() => inserted.finish(), our('UNSIGNED'), 'the last is not signed')
  t.throws(() => inserted.verify(second), our('BADSIG'), 'one was put in between')
  const many = start()
  many.verify(first)
  for (let i = 0; i < 99; i++) many.verify(encodeMessage({ id: 1, questions: [] }))
  t.throws(() => many.verify(encodeMessage({ id: 1, questions: [] })), our('UNSIGNED'), '100 unsigned')
})

void t.test('what is not to be believed', async (t) => {
  const end = bytes(response).length
  // Behind the MAC: original id, error, and the length of nothing.
  const macEnd = end - 6
  t.throws(() => verifier().verify(encodeMessage({ id: 1, questions: [] })), our('UNSIGNED'))
  for (const at of [3, 14, macEnd - 1, macEnd - 40]) {
    const wrong = altered((message) => message.writeUInt8(message.readUInt8(at) ^ 1, at))
    t.throws(
      () => verifier().verify(wrong),
      { name: 'TsigError', message: /signature of the answer/ },
      `octet ${at}`,
    )
  }
  t.throws(() => verifier('00'.repeat(32)).verify(bytes(response)), our('BADSIG'), 'of another request')
  const secret = Buffer.from('another')
  t.throws(() => verifier(requestMac, { key: { ...KEY, secret } }).verify(bytes(response)), our('BADSIG'))
  t.throws(
    () => verifier(requestMac, { key: { ...KEY, name: 'other' } }).verify(bytes(response)),
    our('BADKEY'),
  )
  const sha512 = keyOf('hmac-sha512')
  t.throws(() => verifier(requestMac, { key: sha512 }).verify(bytes(response)), our('BADKEY'))
  for (const now of [NOW - 301, NOW + 301])
    t.throws(() => verifier(requestMac, { now }).verify(bytes(response)), our('BADTIME'))
  for (const now of [NOW - 300, NOW + 300]) verifier(requestMac, { now }).verify(bytes(response))

  const id = altered((message) => message.writeUInt16BE(0xabcd, 0))
  verifier().verify(id)
  t.pass('the original id counts, which a forwarder may replace (RFC 8945 section 5.5)')
})

void t.test('a MAC that was cut', async (t) => {
  const whole = bytes(response)
  const tsig = decodeMessage(whole).tsig
  const macAt = whole.length - 6 - 32
  for (const [length, fault] of [
    [16, 'BADTRUNC'],
    [0, 'BADTRUNC'],
    [33, 'FORMERR'],
  ] as const) {
    const mac = Buffer.concat([whole.subarray(macAt, macAt + length), Buffer.alloc(Math.max(0, length - 32))])
    const message = Buffer.concat([
      whole.subarray(0, macAt),
      mac.subarray(0, length),
      whole.subarray(macAt + 32),
    ])
    message.writeUInt16BE(length, macAt - 2)
    // Of the record: its length stands before its data.
    const dataAt = whole.length - (tsig?.record.data.length ?? 0)
    message.writeUInt16BE((tsig?.record.data.length ?? 0) - 32 + length, dataAt - 2)
    t.throws(() => verifier().verify(message), our(fault), `${length} octets`)
  }
})

void t.test('what the other side says of us', async (t) => {
  const refusal = (error: number, mac: Buffer, other = Buffer.of()) => {
    const { message } = signMessage(encodeMessage({ id: 7, rcode: 9, questions: [] }), KEY, NOW)
    const head = message.subarray(0, message.length - 6 - 32 - 2)
    const tail = Buffer.alloc(8)
    tail.writeUInt16BE(mac.length, 0)
    tail.writeUInt16BE(7, 2)
    tail.writeUInt16BE(error, 4)
    tail.writeUInt16BE(other.length, 6)
    const whole = Buffer.concat([head, tail.subarray(0, 2), mac, tail.subarray(2), other])
    const dataAt = message.length - (decodeMessage(message).tsig?.record.data.length ?? 0)
    whole.writeUInt16BE(whole.length - dataAt, dataAt - 2)
    return whole
  }
  for (const [error, fault] of [
    [16, 'BADSIG'],
    [17, 'BADKEY'],
    [22, 'BADTRUNC'],
  ] as const) {
    t.throws(() => verifier().verify(refusal(error, Buffer.of())), said(fault))
  }
  const time = Buffer.of(0, 0, 0x65, 0x54, 0, 0)
  const forged = refusal(18, Buffer.alloc(32), time)
  t.throws(() => verifier().verify(forged), our('BADSIG'), 'BADTIME is signed')
})
