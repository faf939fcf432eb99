import t from 'tap'
import { RCODE, type Message } from '../../../../dns/wire/message.ts'
import { createDns } from '../../../../plugins/outbound/dns/index.ts'
import { OutboundError } from '../../../../plugins/outbound/http-exchange.ts'
import { record, startDnsServer, type Reply } from '../../../helpers/dns-server.ts'

// A resolver, the servers of "test" (the first is lame), and those of "example.test", which delegate on.
const lame = await startDnsServer(t, () => ({ rcode: RCODE.REFUSED }), { address: '127.0.0.11' })
const { port } = lame
const asks = (query: Message, name: string, type: number) =>
  query.questions.some((question) => question.name === name && question.type === type)

await startDnsServer(
  t,
  (query): Reply => {
    const name = query.questions[0]?.name ?? ''
    if (name === 'missing.test') return { rcode: RCODE.NXDOMAIN, isAuthoritative: true }
    if (name === 'both.test') return { isAuthoritative: true, answers: [record(name, 'NS', 'b.ns.test')] }
    const cut = name === 'example.test' || name.endsWith('.example.test') ? 'example.test' : name
    return {
      authorities: [record(cut, 'NS', `ns.${cut}`), record(cut, 'NS', 'out.ns.test')],
      additionals: [record(`ns.${cut}`, 'A', '127.0.0.13')],
    }
  },
  { address: '127.0.0.12', port },
)
await startDnsServer(
  t,
  (query) => ({ authorities: [record(query.questions[0]?.name ?? '', 'NS', 'deep.ns.test')] }),
  { address: '127.0.0.13', port },
)
const resolver = await startDnsServer(t, (query): Reply => {
  t.ok(query.isRecursive)
  const name = query.questions[0]?.name ?? ''
  if (asks(query, 'test', 2))
    return { answers: [record(name, 'NS', 'a.ns.test'), record(name, 'NS', 'b.ns.test')] }
  if (asks(query, 'a.ns.test', 1)) return { answers: [record(name, 'A', '127.0.0.11')] }
  if (asks(query, 'b.ns.test', 1)) return { answers: [record(name, 'A', '127.0.0.12')] }
  if (asks(query, 'out.ns.test', 1)) return { answers: [record(name, 'A', '127.0.0.14')] }
  return { rcode: RCODE.NXDOMAIN }
})
const dns = createDns({
  allow: ['127.0.0.0/8'],
  resolvers: [`127.0.0.1:${resolver.port}`],
  nameServerPort: port,
})
t.teardown(() => dns.close())

void t.test('the referral of the parent, with glue and addresses', async (t) => {
  t.strictSame(await dns.delegation('example.test'), {
    parent: 'test',
    parentServers: [
      { address: '127.0.0.11', port },
      { address: '127.0.0.12', port },
    ],
    servers: [
      { name: 'ns.example.test', glue: ['127.0.0.13'], addresses: ['127.0.0.13'] },
      { name: 'out.ns.test', glue: [], addresses: ['127.0.0.14'] },
    ],
  })
})

void t.test('follows referrals of zones that the resolver does not know', async (t) => {
  t.match(await dns.delegation('a.b.example.test'), {
    parent: 'example.test',
    servers: [{ name: 'deep.ns.test', glue: { length: 0 }, addresses: { length: 0 } }],
  })
})

void t.test('a server of parent and child answers itself', async (t) => {
  t.match(await dns.delegation('both.test'), {
    parent: 'test',
    servers: [{ name: 'b.ns.test', addresses: ['127.0.0.12'] }],
  })
})

void t.test('not delegated, or not known', async (t) => {
  t.equal(await dns.delegation('missing.test'), null)
  await t.rejects(dns.delegation('example.nowhere'), OutboundError)
})
