import { RCODE, type Message } from '../../dns/wire/message.ts'
import { typeName } from '../../dns/wire/type-codes.ts'
import { record, startDnsServer, type DnsTestServer, type Reply } from '../../test/helpers/dns-server.ts'

export interface NameServers {
  /** Knows all names, except those that nobody uses at a hosting service; says nothing of delegations. */
  resolver: DnsTestServer
  /** Has the zone of yesterday. */
  old: DnsTestServer
  silent: DnsTestServer
  close(): void
}

/** Name servers besides PowerDNS, each on an address of its own. */
export async function startNameServers(): Promise<NameServers> {
  const ends: (() => unknown)[] = []
  const owner = { teardown: (end: () => unknown) => ends.push(end) }
  const start = (address: string, answer: DnsTestServer['answer']) =>
    startDnsServer(owner, answer, { address })
  const [resolver, old, silent] = await Promise.all([
    start('127.0.0.1', resolve),
    start('127.0.0.2', (query) => ({ isAuthoritative: true, ...addressOf(query, '192.0.2.31') })),
    start('127.0.0.3', () => null),
  ])
  return { resolver, old, silent, close: () => ends.forEach((end) => end()) }
}

function resolve(query: Message): Reply {
  const [{ name, type } = { name: '', type: 0 }] = query.questions
  if (name.endsWith('.azurewebsites.net')) return { rcode: RCODE.NXDOMAIN }
  return typeName(type) === 'A' ? addressOf(query, '192.0.2.200') : { rcode: RCODE.SERVFAIL }
}

const addressOf = ({ questions: [question] }: Message, address: string): Partial<Message> => ({
  answers: [record(question?.name ?? '', 'A', address)],
})
