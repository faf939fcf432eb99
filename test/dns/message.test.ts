import t from 'tap'
import {
  CLASS,
  decodeMessage,
  encodeMessage,
  OPCODE,
  RCODE,
  TYPE,
  type ResourceRecord,
} from '../../dns/wire/message.ts'
import { typeCode } from '../../dns/wire/type-codes.ts'
import { typeOf } from '../../dns/types/index.ts'
import { WireError } from '../../dns/wire/wire.ts'
import vectors from './tsig-vectors.json' with { type: 'json' }

const type = (name: string) => typeCode(name) ?? 0
const { IN, NONE, ANY } = CLASS

void t.test('an update as others write it, with compressed names', async (t) => {
  const read = decodeMessage(Buffer.from(vectors.update, 'hex'))
  t.match(read, { id: 0x1234, opcode: OPCODE.UPDATE, isResponse: false, rcode: RCODE.NOERROR, tsig: null })
  t.strictSame(read.questions, [{ name: 'example.com', type: TYPE.SOA, class: IN }])
  t.strictSame(read.answers, [])
  const updates: ResourceRecord[] = [
    { name: 'old.example.com', type: type('A'), class: ANY, ttl: 0, data: Buffer.of() },
    { name: 'gone.example.com', type: type('TXT'), class: NONE, ttl: 0, data: typeOf('TXT').toWire('x') },
    { name: 'www.example.com', type: type('A'), class: IN, ttl: 300, data: Buffer.of(192, 0, 2, 10) },
    {
      name: 'example.com',
      type: type('MX'),
      class: IN,
      ttl: 3600,
      data: typeOf('MX').toWire('10 mail.example.com'),
    },
  ]
  t.same(read.authorities, updates)

  const written = encodeMessage({
    id: 0x1234,
    opcode: OPCODE.UPDATE,
    questions: read.questions,
    authorities: updates,
  })
  t.same(decodeMessage(written), read, 'and as we write it')
})

void t.test('all of a header and of its sections is read as written', async (t) => {
  const data = Buffer.of(192, 0, 2, 1)
  const message = {
    id: 0xffff,
    opcode: OPCODE.QUERY,
    isResponse: true,
    isAuthoritative: true,
    isTruncated: true,
    isRecursive: true,
    isAuthentic: true,
    rcode: RCODE.NXDOMAIN,
    questions: [{ name: '.', type: TYPE.ANY, class: IN }],
    answers: [{ name: 'a\\.b.example.com', type: 1, class: IN, ttl: 2 ** 32 - 1, data }],
    authorities: [{ name: '\\000\\255.example', type: 65_534, class: IN, ttl: 0, data: Buffer.alloc(300) }],
    additionals: [{ name: '.', type: 41, class: 1232, ttl: 0, data: Buffer.of() }],
  }
  t.same(decodeMessage(encodeMessage(message)), { ...message, tsig: null })
})

void t.test('data is expanded, and keeps its case', async (t) => {
  const name = (text: string) => typeOf('CNAME').toWire(text)
  const head = encodeMessage({ id: 1, questions: [{ name: 'example.com', type: 2, class: IN }] })
  head[13] = 'E'.charCodeAt(0)
  const pointer = Buffer.of(0xc0, 12)
  const naptr = Buffer.of(0, 1, 0, 2, 1, 0x53, 0, 0)
  for (const [kind, compressed, expanded] of [
    ['NS', pointer, name('example.com')],
    ['MX', Buffer.concat([Buffer.of(0, 5), pointer]), Buffer.concat([Buffer.of(0, 5), name('example.com')])],
    ['RP', Buffer.concat([pointer, pointer]), Buffer.concat([name('example.com'), name('example.com')])],
    ['NAPTR', Buffer.concat([naptr, pointer]), Buffer.concat([naptr, name('example.com')])],
    ['TXT', pointer, pointer],
  ] as const) {
    const record = Buffer.concat([
      Buffer.of(0, 0, type(kind), 0, IN, 0, 0, 0, 1, 0, compressed.length),
      compressed,
    ])
    const message = Buffer.concat([head, record])
    message[7] = 1
    const data = Buffer.from(decodeMessage(message).answers[0]?.data ?? [])
    t.equal(data.toString('latin1').toLowerCase(), expanded.toString('latin1').toLowerCase(), kind)
    t.equal(data.includes('Example'), kind !== 'TXT', 'as it came')
  }
})

void t.test('what is no message is refused', async (t) => {
  const whole = Buffer.from(vectors.signed['hmac-sha256'].request, 'hex')
  for (let length = 0; length < whole.length; length++) {
    t.throws(() => decodeMessage(whole.subarray(0, length)), WireError, `cut at ${length}`)
  }
  t.throws(() => decodeMessage(Buffer.concat([whole, Buffer.of(0)])), WireError, 'too long')
  const twice = Buffer.concat([whole, whole.subarray(decodeMessage(whole).tsig?.at)])
  twice.writeUInt16BE(2, 10)
  t.throws(() => decodeMessage(twice), { message: /signature/ }, 'a TSIG before another')
  const loop = Buffer.concat([encodeMessage({ id: 1, questions: [] }), Buffer.of(0xc0, 12, 0, 1, 0, 1)])
  loop[5] = 1
  t.throws(() => decodeMessage(loop), WireError, 'a name that points to itself')
})
