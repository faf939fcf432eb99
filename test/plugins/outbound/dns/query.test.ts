import t from 'tap'
import { RCODE } from '../../../../dns/wire/message.ts'
import { createDns } from '../../../../plugins/outbound/dns/index.ts'
import type { OutboundError } from '../../../../plugins/outbound/http-exchange.ts'
import { record, startDnsServer, type DnsTestServer } from '../../../helpers/dns-server.ts'

const dns = createDns({ allow: ['127.0.0.0/8'], resolvers: ['127.0.0.1:1'] })
t.teardown(() => dns.close())
const WWW = { name: 'www.example.com', type: 'A' }
const address = [record(WWW.name, 'A', '192.0.2.1')]

const start = (answer: DnsTestServer['answer']) => startDnsServer(t, answer)
const failure = (asking: Promise<unknown>): Promise<OutboundError> =>
  asking.then(
    () => t.fail('it answered'),
    (error: unknown) => error,
  ) as Promise<OutboundError>

void t.test('asks over UDP with EDNS and without recursion', async (t) => {
  const server = await start((query) => {
    t.match(query, { isRecursive: false, additionals: [{ type: 41, class: 1232, ttl: 0x8000 }] })
    return { isAuthoritative: true, answers: address, additionals: query.additionals }
  })
  const answer = await dns.query(server, { ...WWW, dnssecOk: true })
  t.match(answer, { rcode: RCODE.NOERROR, isAuthoritative: true, isTruncated: false, answers: address })
  t.equal(answer.additionals.length, 0, 'without OPT')
})

void t.test('asks over TCP after truncation, also of a message that ends within a record', async (t) => {
  const server = await start((query, transport) => {
    if (transport === 'tcp') return { answers: address }
    const header = Buffer.from([query.id >> 8, query.id & 255, 0x82, 0, 0, 1, 0, 9, 0, 0, 0, 0])
    const question = Buffer.from('\x03www\x07example\x03com\0\0\x01\0\x01', 'latin1')
    return Buffer.concat([header, question, Buffer.from([0xc0])])
  })
  t.match(await dns.query(server, WWW), { isTruncated: true, answers: address })
  t.strictSame(server.asked, ['udp 1 www.example.com', 'tcp 1 www.example.com'])
})

void t.test('asks again without EDNS where a server does not know it', async (t) => {
  const server = await start((query) =>
    query.additionals.length > 0 ? { rcode: RCODE.FORMERR, questions: [] } : { answers: address },
  )
  t.match(await dns.query(server, WWW), { rcode: RCODE.NOERROR, answers: address })
})

void t.test('an address without a route fails the query, and nothing else', async (t) => {
  // Linux refuses to connect to broadcast, as to an address it has no route for.
  const broadcast = createDns({ allow: ['255.255.255.255'], resolvers: ['127.0.0.1:1'] })
  t.teardown(() => broadcast.close())
  t.match(await failure(broadcast.query({ address: '255.255.255.255', port: 53 }, WWW)), {
    kind: 'unreachable',
  })
})

void t.test('knows codes beyond four bits', async (t) => {
  const badCookie = { name: '.', type: 41, class: 1232, ttl: 0x01_00_00_00, data: Buffer.of() }
  const server = await start(() => ({ rcode: 7, additionals: [badCookie] }))
  t.equal((await dns.query(server, WWW)).rcode, 23)
})

void t.test('ignores answers to other questions', async (t) => {
  let calls = 0
  const server = await start((query) => {
    calls++
    if (calls === 1) return { id: (query.id + 1) % 65_536, answers: address }
    return { answers: address }
  })
  t.match(await dns.query(server, WWW), { answers: address }, 'the second attempt')
  t.equal(calls, 2)

  const other = await start((query) => ({
    questions: query.questions.map((question) => ({ ...question, name: 'evil.example' })),
    answers: address,
  }))
  t.match(await failure(dns.query(other, WWW)), { kind: 'timeout' })
})

void t.test('says why there is no answer', async (t) => {
  const malformed = await start((query) => {
    const head = Buffer.from([query.id >> 8, query.id & 255, 0x80, 0, 0, 1, 0, 9, 0, 0, 0, 0])
    return Buffer.concat([head, Buffer.from('\x03www\x07example\x03com\0\0\x01\0\x01', 'latin1')])
  })
  t.match(await failure(dns.query(malformed, WWW)), { kind: 'unreachable', sent: true })
  t.match(await failure(dns.query({ address: '127.0.0.1', port: 1 }, WWW)), { kind: 'unreachable' })
  t.match(await failure(dns.resolve(WWW)), { kind: 'unreachable' })
  const silent = await start(() => null)
  const [begin] = [performance.now()]
  t.match(await failure(dns.query(silent, WWW, AbortSignal.timeout(100))), { kind: 'aborted' })
  t.ok(performance.now() - begin < 1_500)
})

void t.test('75. never asks what is not public', async (t) => {
  const server = await start(() => ({ answers: address }))
  const strict = createDns({ allow: [], resolvers: [`127.0.0.1:${server.port}`] })
  t.teardown(() => strict.close())
  for (const to of ['127.0.0.1', '10.0.0.1', '::1', '::ffff:127.0.0.1', 'localhost']) {
    t.match(await failure(strict.query({ address: to, port: server.port }, WWW)), { kind: 'blocked' }, to)
  }
  t.equal(server.asked.length, 0)
  t.match(await strict.resolve(WWW), { answers: address }, 'resolvers are the choice of the operator')
})

void t.test('spaces the queries to one server, not those to others', async (t) => {
  const servers = await Promise.all([
    start(() => ({ answers: address })),
    start(() => ({ answers: address })),
  ])
  const begin = performance.now()
  await Promise.all(servers.flatMap((server) => Array.from({ length: 11 }, () => dns.query(server, WWW))))
  const took = performance.now() - begin
  t.ok(took >= 495, `${took} ms`)
})
