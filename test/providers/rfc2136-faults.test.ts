import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { CLASS, decodeMessage, encodeMessage, RCODE, type Message } from '../../dns/wire/message.ts'
import { Client } from '../../modules/providers/adapters/rfc2136/client.ts'
import type { AdapterContext } from '../../modules/providers/context.ts'
import rfc2136 from '../../modules/providers/adapters/rfc2136/index.ts'
import { createHttp } from '../../plugins/outbound/http.ts'
import { createTcp } from '../../plugins/outbound/tcp.ts'
import { adapterContext } from '../conformance/adapter-context.ts'
import { fakeClock } from '../conformance/fake-clock.ts'
import { add, edit, expectError, open, zonesOf, type Subject } from '../conformance/suite/subject.ts'

/* What can't be had from real servers: answers that are lost, broken, or not signed. */

const ZONE = { id: 'example.com', name: 'example.com' }
const EDITS = [edit('www', 'A', [add('192.0.2.1')])]
const SECRET = Buffer.from('a secret that is in no message').toString('base64')

/** What the server does with a message; a number is an answer with that code and without a signature. */
type Answer = (request: Message) => Buffer | number | 'close' | 'silence'

const sockets = new Set<Socket>()
let answer: Answer = () => 'silence'
const server = createServer((socket) => {
  sockets.add(socket.on('error', () => {}))
  let left = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    left = Buffer.concat([left, chunk])
    while (left.length >= 2 && left.length >= 2 + left.readUInt16BE(0)) {
      const end = 2 + left.readUInt16BE(0)
      reply(socket, decodeMessage(left.subarray(2, end)))
      left = left.subarray(end)
    }
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
t.teardown(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

function reply(socket: Socket, request: Message): void {
  const said = answer(request)
  if (said === 'silence') return
  if (said === 'close') return void socket.destroy()
  const bytes = typeof said === 'number' ? plain(request, said) : said
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  socket.write(Buffer.concat([length, bytes]))
}

const plain = ({ id, opcode, questions }: Message, rcode: number) =>
  encodeMessage({ id, opcode, isResponse: true, isAuthoritative: true, rcode, questions })

const credentials = {
  server: '127.0.0.1',
  port: String((server.address() as AddressInfo).port),
  keyName: 'zonekeeper',
  algorithm: 'hmac-sha256',
  secret: SECRET,
  zones: 'example.com',
}
const subject = { provider: rfc2136, credentials } as Partial<Subject> as Subject

/** All that an adapter asks, each of which must fail so. */
async function expectAll(t: Test, kind: Parameters<typeof expectError>[3]) {
  const adapter = await open(t, subject)
  for (const call of [
    () => adapter.verify(),
    () => zonesOf(adapter),
    () => adapter.listRRsets(ZONE)[Symbol.asyncIterator]().next(),
    () => adapter.readRRset(ZONE, 'www', 'A'),
    () => adapter.readSoa?.(ZONE) ?? Promise.resolve(),
    () => adapter.apply(ZONE, EDITS),
  ]) {
    await expectError(t, subject, call(), kind)
  }
}

void t.test('answers that are not to be believed', async (t) => {
  const unbelieved: Record<string, Answer> = {
    'no signature': () => RCODE.NOERROR,
    'no signature, and nothing there': () => RCODE.NXDOMAIN,
    'no DNS': () => Buffer.from('HTTP/1.1 400 Bad Request'),
    'an answer to another message': ({ id, ...request }) => plain({ ...request, id: id ^ 0x8000 }, 0),
    'an answer to another question': (request) =>
      plain({ ...request, questions: [{ name: 'example.org', type: 1, class: CLASS.IN }] }, 0),
    'a question for an answer': ({ id, questions }) => encodeMessage({ id, questions }),
    'nothing more': () => 'close',
    'a failure': () => RCODE.SERVFAIL,
  }
  for (const [name, wrong] of Object.entries(unbelieved)) {
    await t.test(name, async (t) => {
      answer = wrong
      await expectAll(t, 'unavailable')
    })
  }
})

void t.test('what a server refuses without a signature', async (t) => {
  answer = () => RCODE.REFUSED
  const adapter = await open(t, subject)
  for (const call of [() => adapter.verify(), () => adapter.apply(ZONE, EDITS)])
    await expectError(t, subject, call(), 'forbidden')
  answer = () => RCODE.NOTAUTH
  t.same(await adapter.findZones('example.com'), [])
  await expectError(t, subject, adapter.listRRsets(ZONE)[Symbol.asyncIterator]().next(), 'not_found')
})

function clientOf(t: Test, given: Partial<AdapterContext>, port = Number(credentials.port)): Client {
  const allow = ['127.0.0.0/8']
  const [http, tcp] = [createHttp({ allow }), createTcp({ allow })]
  t.teardown(() => http.close())
  t.teardown(() => tcp.close())
  const key = {
    name: 'zonekeeper',
    algorithm: 'hmac-sha256',
    secret: Buffer.from(SECRET, 'base64'),
  } as const
  return new Client({ host: '127.0.0.1', port, key }, adapterContext({ http, tcp, ...given }))
}

const data = Buffer.of(192, 0, 2, 1)
const updates = [{ name: 'www.example.com', type: 1, class: CLASS.IN, ttl: 300, data }]
const UPDATE = { prerequisites: [], updates }

void t.test('a message without effect is sent again, but no update whose answer is lost', async (t) => {
  const clock = fakeClock()
  const retrying = { clock, maxTries: 3, deadline: clock.now() + 15_000 }
  const client = clientOf(t, retrying)
  const said: (number | 'close')[] = []
  const saying = (...answers: (number | 'close')[]) => {
    said.splice(0, Infinity, ...answers)
    answer = () => said.shift() ?? 'close'
  }
  const question = { name: 'www.example.com', type: 1, class: CLASS.IN }
  saying(RCODE.SERVFAIL, 'close', RCODE.REFUSED)
  t.match(await client.query([question]), [{ rcode: RCODE.REFUSED }])
  saying('close', RCODE.SERVFAIL, RCODE.REFUSED)
  await expectError(t, subject, client.update('example.com', { prerequisites: [], updates: [] }), 'forbidden')
  let transfers = 0
  saying('close', RCODE.NOTAUTH, RCODE.SERVFAIL)
  const transfer = client.transfer('example.com', async (chunks) => {
    transfers++
    for await (const _ of chunks) return
  })
  await expectError(t, subject, transfer, 'not_found')
  t.equal(transfers, 2)
  t.equal(clock.waits.length, 5)

  saying('close', RCODE.NOTAUTH)
  await expectError(t, subject, client.update('example.com', UPDATE), 'unavailable', 'unknown')
  t.equal(said.length, 1, 'it was sent once')
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const { port } = gone.address() as AddressInfo
  await new Promise((resolve) => gone.close(resolve))
  const unsent = clientOf(t, retrying, port).update('example.com', UPDATE)
  await expectError(t, subject, unsent, 'unavailable', 'not_applied')
  t.equal(clock.waits.length, 7, 'what was never sent is sent again')
})

void t.test('an update whose answer is lost may have been made', async (t) => {
  const update = (budgetMs = 20_000) =>
    clientOf(t, { signal: AbortSignal.timeout(budgetMs) }).update('example.com', UPDATE)
  for (const said of ['close', RCODE.NOERROR, RCODE.NXRRSET, RCODE.SERVFAIL] as const) {
    answer = () => said
    await expectError(t, subject, update(), 'unavailable', 'unknown')
  }
  answer = () => 'silence'
  await expectError(t, subject, update(200), 'timeout', 'unknown')
  for (const said of [RCODE.NOTZONE, RCODE.NOTIMP, RCODE.FORMERR]) {
    answer = () => said
    await expectError(t, subject, update(), 'rejected')
  }
})
