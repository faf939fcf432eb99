import t from 'tap'
import dialect from '../../conformance/simulators/namecheap.ts'
import { startSimulator } from '../../conformance/simulators/simulator.ts'
import { isElements, parseXml, type Xml } from '../../conformance/simulators/xml.ts'

const sim = await startSimulator(dialect)
t.teardown(() => sim.close())
const domain = sim.createZone('example.co.uk')

type Params = Record<string, string>
const account = (at: typeof sim): Params => ({
  ApiUser: at.apiUser,
  ApiKey: at.apiKey,
  UserName: at.apiUser,
  ClientIp: at.clientIp,
})

/** What was answered: the elements below the root, by their names, and attributes as `@_name`. */
async function call(Command: string, own: Params = {}, { method = 'POST', at = sim } = {}) {
  const params = new URLSearchParams({ ...account(at), Command: `namecheap.${Command}`, ...own })
  const isGet = method === 'GET'
  const answer = isGet
    ? await fetch(`${at.apiUrl}?${params.toString()}`)
    : await fetch(at.apiUrl, { method, body: params })
  const text = await answer.text()
  const root = parseXml(text)?.['ApiResponse']
  return { status: answer.status, body: isElements(root) ? root : {}, text }
}
const refused = (Number: number) => ({
  status: 200,
  body: { '@_Status': 'ERROR', Errors: { Error: { '@_Number': String(Number), '#text': /./ } } },
})
const names = { SLD: 'example', TLD: 'co.uk' }
const result = (name: string, more: object) => ({ status: 200, body: { CommandResponse: { [name]: more } } })
const setHosts = (hosts: Params[], more: Params = {}) =>
  call('domains.dns.setHosts', {
    ...names,
    ...Object.fromEntries(
      hosts.flatMap((host, i) => Object.entries(host).map(([name, value]) => [`${name}${i + 1}`, value])),
    ),
    ...more,
  })
const host = (HostName: string, Address: string, RecordType = 'A'): Params => ({
  HostName,
  RecordType,
  Address,
})
const hosts = async (): Promise<Xml | undefined> => {
  const { CommandResponse } = (await call('domains.dns.getHosts', names)).body
  const found = isElements(CommandResponse) ? CommandResponse['DomainDNSGetHostsResult'] : undefined
  return isElements(found) ? found['host'] : undefined
}
const done = result('DomainDNSSetHostsResult', { '@_IsSuccess': 'true' })

void t.test('keys: whatever is wrong, the status is 200', async (t) => {
  const told = (own: Params) => call('domains.getList', own)
  t.match(await told({}), { status: 200, body: { '@_Status': 'OK' } })
  t.match(await told({ ApiKey: 'no' }), refused(1011102))
  t.match(await told({ ApiUser: '' }), refused(1010101))
  t.match(await told({ ClientIp: '' }), refused(1010105))
  t.match(await told({ ClientIp: '203.0.113.7' }), refused(1011150))
  t.match(await told({ UserName: 'other' }), refused(1016103))
  t.match(await call('domains.nothing'), refused(1010104))
  t.equal((await call('domains.getList', {}, { method: 'GET' })).status, 200)
})

void t.test('mail, and texts as they are', async (t) => {
  const all = [host('@', 'mx.example.net', 'MX'), host('@', 'a & <b> ü', 'TXT')]
  t.match(await setHosts(all), done)
  t.equal(domain.emailType, 'NONE', 'what is left out is lost')
  t.match(await hosts(), { '@_Type': 'TXT', '@_Address': 'a & <b> ü' }, 'and mail goes nowhere')
  t.match(await setHosts(all, { EmailType: 'MX', MXPref1: '5' }), done)
  t.match(await hosts(), [{ '@_Type': 'MX', '@_Address': 'mx.example.net.', '@_MXPref': '5' }, {}])
})

void t.test('what is refused', async (t) => {
  const before = domain.hosts
  for (const bad of [
    host('x', 'no'),
    host('x', '10 60 5060 sip.example.net', 'SRV'),
    host('@', 'ns1.example.net', 'NS'),
    host('x', 'say "hi"', 'TXT'),
    host('x', '.', 'MX'),
    { ...host('x', '192.0.2.1'), TTL: '59' },
    { ...host('x', '192.0.2.1'), TTL: '60001' },
    host('x..y', '192.0.2.1'),
  ])
    t.match(await setHosts([bad]), refused(2050900))
  t.match(await setHosts([host('x', 'a.test', 'CNAME'), host('x', '192.0.2.1')]), refused(2050900))
  t.same(domain.hosts, before)
  sim.createZone('elsewhere.example', { isOurs: false })
  const elsewhere = await setHosts([host('x', '192.0.2.1')], { SLD: 'elsewhere', TLD: 'example' })
  t.match(elsewhere, refused(2030288))
})

void t.test('too many calls, and too long ones', async (t) => {
  const long = await call('domains.getList', { SearchTerm: 'x'.repeat(9_000) }, { method: 'GET' })
  t.equal(long.status, 414)
  const narrow = await startSimulator(dialect, { perMinute: 1 })
  t.teardown(() => narrow.close())
  const get = () => call('domains.getList', {}, { at: narrow })
  t.equal((await get()).status, 200)
  t.match(await get(), { status: 405, text: /<html>/ })
})
