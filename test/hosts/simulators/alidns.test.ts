import t from 'tap'
import dialect from '../../conformance/simulators/alidns.ts'
import { sha256 } from '../../conformance/simulators/signatures.ts'
import { send, startSimulator } from '../../conformance/simulators/simulator.ts'

const sim = await startSimulator(dialect)
t.teardown(() => sim.close())
sim.createZone('example.test')

type Params = Record<string, string>
interface Answer {
  status: number
  body: { RecordId?: string; DomainRecords?: { Record: object[] } }
}
async function call(action: string, params: Params, headers: Params = {}, at = sim): Promise<Answer> {
  const query = Object.entries(params).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const own = { 'x-acs-action': action, ...headers }
  const { status, body } = await send(at, 'POST', `/?${query.join('&')}`, undefined, own)
  return { status, body: body as Answer['body'] }
}

const reader = { ...sim, keyId: sim.readId, secret: sim.readSecret }
const DomainName = 'example.test'
const record = (more: Params): Params => ({ DomainName, RR: 'www', Type: 'A', Value: '192.0.2.1', ...more })
const refused = (Code: string, status = 400) => ({ status, body: { Code, HostId: /./, RequestId: /./ } })

void t.test('keys and signatures', async (t) => {
  const list = (headers: Params, at = sim) => call('DescribeDomains', {}, headers, at)
  t.match(await list({}), { status: 200, body: { TotalCount: 1, Domains: { Domain: [{ DomainName }] } } })
  t.match(await list({}, { ...sim, secret: 'no' }), refused('SignatureDoesNotMatch'))
  t.match(await list({}, { ...sim, keyId: 'no' }), refused('InvalidAccessKeyId.NotFound', 404))
  t.match(await list({ authorization: 'Bearer x' }), refused('IncompleteSignature'))
  t.match(await list({ 'x-acs-date': '2016-03-24T16:41:54Z' }), refused('InvalidTimeStamp.Expired'))
  t.match(await list({ 'x-acs-date': '2016-03-24' }), refused('InvalidTimeStamp.Format'))
  t.match(await list({ 'x-acs-content-sha256': sha256('other') }), refused('SignatureDoesNotMatch'))
  t.match(await list({ 'x-acs-version': '2014' }), refused('InvalidVersion'))
  const once = { 'x-acs-signature-nonce': 'once' }
  t.equal((await list(once)).status, 200)
  t.match(await list(once), refused('SignatureNonceUsed'))
  t.match(await call('Describe', {}), refused('InvalidAction.NotFound', 404))
  t.equal((await list({}, reader)).status, 200)
  t.match(await call('AddDomainRecord', record({}), {}, reader), refused('Forbidden.RAM', 403))
  t.match(await call('DescribeDomainInfo', { DomainName }), { status: 200, body: { VersionCode: 'mianfei' } })
})

void t.test('what is refused, and what is changed without a word', async (t) => {
  const cases: [Params, string][] = [
    [{ TTL: '599' }, 'SubDomainInvalid.TTL'],
    [{ Line: 'moon' }, 'UnsupportedLine'],
    [{ RR: 'grüße' }, 'InvalidRR.Format'],
    [{ Type: 'NS', RR: '@', Value: 'ns1.example.net' }, 'InvalidRR.NSEmpty'],
    [{ Type: 'MX', Value: 'mx.test', Priority: '51' }, 'InvalidParameter'],
    [{ Type: 'TXT', Value: 'x'.repeat(513) }, 'InvalidParameter'],
  ]
  for (const [more, code] of cases) t.match(await call('AddDomainRecord', record(more)), refused(code), code)
  const { body } = await call('AddDomainRecord', record({ Type: 'TXT', Value: ' "say hi" ' }))
  const { RecordId = '' } = body
  const listed = await call('DescribeDomainRecords', { DomainName, TypeKeyWord: 'TXT' })
  t.match(listed.body.DomainRecords?.Record, [{ RecordId, Value: 'say hi' }])
  await call('DeleteDomainRecord', { RecordId })
})

void t.test('lists', async (t) => {
  const DomainName = 'paged.test'
  const paged = sim.createZone(DomainName)
  for (let i = 0; i < 501; i++) paged.add({ RR: `h${i}`, Type: 'A', Value: '192.0.2.1' })
  const get = (more: Params) => call('DescribeDomainRecords', { DomainName, ...more })
  t.equal((await get({})).body.DomainRecords?.Record.length, 20)
  t.equal((await get({ PageSize: '500', PageNumber: '2' })).body.DomainRecords?.Record.length, 1)
  t.match(await get({ PageSize: '501' }), refused('InvalidParameter'))
  t.match(await get({ RRKeyWord: 'h50' }), { body: { TotalCount: 2 } }, 'by a part of the name')
  t.match(await get({ RRKeyWord: 'h50', SearchMode: 'COMBINATION' }), { body: { TotalCount: 1 } })
})
