import t from 'tap'
import { RCODE, type Message, type ResourceRecord } from '../../dns/wire/message.ts'
import { typeCode } from '../../dns/wire/type-codes.ts'
import { createDns } from '../../plugins/outbound/dns/index.ts'
import { startApp } from '../helpers/app.ts'
import { record, startDnsServer, type Reply } from '../helpers/dns-server.ts'
import { idOf, POWERDNS } from '../helpers/zone.ts'
import { startPowerDns } from './powerdns.ts'

/*
 * DNSSEC of a zone that a real PowerDNS signs, below a parent of the test's own. A relay in front of it changes what it
 * answers.
 */
const ZONE = 'example.test'
const server = await startPowerDns()
t.teardown(() => server.close())
const RRSIG = typeCode('RRSIG')

let ds: string[] = []
const parent = await startDnsServer(
  t,
  (query): Reply =>
    query.questions[0]?.type === typeCode('DS')
      ? { isAuthoritative: true, answers: ds.map((value) => record(ZONE, 'DS', value)) }
      : { authorities: [record(ZONE, 'NS', 'ns.other.test')] },
  { address: '127.0.0.31' },
)
const { port } = parent
const direct = createDns({ allow: ['127.0.0.0/8'], resolvers: [] })
t.teardown(() => direct.close())

/** Changes the answers of PowerDNS. */
let alter: (answers: ResourceRecord[]) => ResourceRecord[] = (answers) => answers
const kept = new Map<string, Reply>()
const relay = await startDnsServer(
  t,
  (query): Reply => {
    const { name = '', type = 0 } = query.questions[0] ?? {}
    return kept.get(`${type} ${name}`) ?? { rcode: RCODE.SERVFAIL }
  },
  { address: '127.0.0.32', port },
)
/** The relay answers at once, so it is given what PowerDNS says before. */
async function fetchAnswers() {
  for (const type of ['SOA', 'NS', 'DNSKEY']) {
    const answer = await direct.query(
      { address: '127.0.0.1', port: server.dnsPort },
      { name: ZONE, type, dnssecOk: true },
    )
    kept.set(`${typeCode(type)} ${ZONE}`, { isAuthoritative: true, answers: alter(answer.answers) })
  }
}
const resolver = await startDnsServer(t, (query: Message): Reply => {
  const { name = '', type } = query.questions[0] ?? {}
  if (name === 'test' && type === 2) return { answers: [record('test', 'NS', 'ns.test')] }
  if (name === 'ns.test' && type === 1) return { answers: [record(name, 'A', parent.address)] }
  if (name === 'ns.other.test' && type === 1) return { answers: [record(name, 'A', relay.address)] }
  return {}
})

const { admin } = await startApp(t, {
  environment: { DNS_RESOLVERS: `127.0.0.1:${resolver.port}` },
  nameServerPort: port,
})
const config = await admin.post('/api/provider-configs', {
  providerId: POWERDNS,
  name: 'PowerDNS',
  credentials: { apiUrl: server.apiUrl, apiKey: server.apiKey },
  nameServers: ['ns.other.test'],
})
const id = idOf(
  await admin.post('/api/domains', { name: ZONE, providerConfigId: idOf(config), createZone: true }),
)
const check = async () => {
  await fetchAnswers()
  const { body } = await admin.post(`/api/domains/${id}/health/check`)
  return (body.findings as { code: string; params: Record<string, unknown> }[]).filter(({ code }) =>
    /^(delegation|dnssec)\./.test(code),
  )
}

// PowerDNS remembers for a minute that a zone has no keys, so it is not asked before.
void t.test('signed without a DS, and with it', async (t) => {
  const signed = await admin.put(`/api/domains/${id}/dnssec`, { signed: true })
  t.equal(signed.status, 200)
  t.match(await check(), [{ code: 'dnssec.key_without_ds' }])
  ds = signed.body.ds.map(({ value }: { value: string }) => value)
  t.same(await check(), [], 'the digest, and the signatures of DNSKEY and SOA, hold')
})

void t.test('a DS of another key', async (t) => {
  const right = ds
  ds = ds.map((value) => value.replace(/.$/, (last) => (last === '0' ? '1' : '0')))
  t.match(await check(), [{ code: 'dnssec.ds_without_key' }])
  ds = right
})

void t.test('signatures that do not hold', async (t) => {
  const changed = (data: Uint8Array, at: number, by: number) =>
    Uint8Array.from(data, (byte, i) => (i === (at < 0 ? data.length + at : at) ? byte ^ by : byte))
  const onSignatures = (at: number) => (answers: ResourceRecord[]) =>
    answers.map((one) => (one.type === RRSIG ? { ...one, data: changed(one.data, at, 1) } : one))
  alter = onSignatures(-1)
  t.match(await check(), [
    { code: 'dnssec.bogus', params: { rrset: /^(DNSKEY|SOA)$/ } },
    { code: 'dnssec.bogus', params: { rrset: /^(DNSKEY|SOA)$/ } },
  ])
  alter = (answers) => answers.filter(({ type }) => type !== RRSIG)
  t.match(await check(), [{ code: 'dnssec.bogus' }, { code: 'dnssec.bogus' }])
  // What was signed is changed, too.
  alter = (answers) =>
    answers.map((one) => (one.type === 6 ? { ...one, data: changed(one.data, -1, 1) } : one))
  t.match(await check(), [{ code: 'dnssec.bogus', params: { rrset: 'SOA' } }])
  alter = (answers) => answers
  t.same(await check(), [])
})
