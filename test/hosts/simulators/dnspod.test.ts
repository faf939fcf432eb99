import t from 'tap'
import dialect from '../../conformance/simulators/dnspod.ts'
import { send, startSimulator } from '../../conformance/simulators/simulator.ts'

const sim = await startSimulator(dialect)
t.teardown(() => sim.close())
const domain = sim.createZone('example.test')

interface Answer {
  Error?: { Code: string }
  RecordList?: object[]
}
interface Options {
  headers?: Record<string, string>
  at?: typeof sim
}
async function call(action: string, body: object, { headers = {}, at = sim }: Options = {}) {
  const own = { 'x-tc-action': action, 'x-tc-version': '2021-03-23' }
  const answer = await send(at, 'POST', '/', body, { ...own, ...headers })
  t.equal(answer.status, 200, 'whatever it says')
  return (answer.body as { Response: Answer }).Response
}
const reader = { ...sim, keyId: sim.readId, secret: sim.readSecret }
const Domain = 'example.test'
const record = (more: object) => ({
  Domain,
  RecordLine: '默认',
  RecordType: 'A',
  Value: '192.0.2.1',
  ...more,
})
const refused = (Code: string) => ({ Error: { Code } })

void t.test('keys and signatures', async (t) => {
  t.match(await call('DescribeUserDetail', {}), { UserInfo: { Status: 'enabled' }, RequestId: /-/ })
  const { authorization = '', 'x-tc-timestamp': time = '' } = sim.requests.at(-1)?.headers ?? {}
  const reused = { authorization: String(authorization), 'x-tc-timestamp': String(time) }
  const cases: [Options, string][] = [
    [{ at: { ...sim, secret: 'no' } }, 'AuthFailure.SignatureFailure'],
    [{ at: { ...sim, keyId: 'AKIDno' } }, 'AuthFailure.SecretIdNotFound'],
    [{ headers: { 'x-tc-timestamp': String(Number(time) - 400) } }, 'AuthFailure.SignatureExpire'],
    [{ headers: { authorization: 'Bearer x' } }, 'AuthFailure.InvalidAuthorization'],
    [{ headers: { 'x-tc-version': '2020-01-01' } }, 'NoSuchVersion'],
    // Signed for another content type.
    [
      { headers: { ...reused, 'content-type': 'application/json; charset=utf-8' } },
      'AuthFailure.SignatureFailure',
    ],
  ]
  for (const [options, code] of cases) t.match(await call('DescribeUserDetail', {}, options), refused(code))
  t.match(await call('DescribeDomain', { Domain }, { at: reader }), { DomainInfo: { Domain } })
  const written = await call('CreateRecord', record({}), { at: reader })
  t.match(written, refused('AuthFailure.UnauthorizedOperation'))
  t.equal((await fetch(sim.apiUrl, { method: 'POST', body: '{}' })).status, 200)
})

void t.test('parameters', async (t) => {
  t.match(await call('Describe', {}), refused('InvalidAction'))
  t.match(await call('CreateRecord', { Domain }), refused('MissingParameter'))
  t.match(await call('CreateRecord', record({ Name: 'www' })), refused('UnknownParameter'))
  t.match(await call('CreateRecord', record({ TTL: '600' })), refused('InvalidParameter'))
})

void t.test('what is refused', async (t) => {
  const cases: [object, string][] = [
    [{ TTL: 599 }, 'LimitExceeded.RecordTtlLimit'],
    [{ RecordLine: 'Default' }, 'InvalidParameter.RecordLineInvalid'],
    [{ RecordLineId: '10=9' }, 'InvalidParameter.RecordLineInvalid'],
    [{ RecordType: 'PTR' }, 'InvalidParameter.RecordTypeInvalid'],
    [{ Value: 'x' }, 'InvalidParameter.RecordValueInvalid'],
    [{ RecordType: 'TXT', Value: '' }, 'InvalidParameter.RecordValueInvalid'],
    [{ RecordType: 'MX', Value: 'mx.test.' }, 'InvalidParameter.MxInvalid'],
    [{ RecordType: 'MX', MX: 0, Value: '.' }, 'InvalidParameter.RecordValueInvalid'],
    [{ SubDomain: '-.' }, 'InvalidParameter.SubdomainInvalid'],
  ]
  for (const [more, code] of cases) t.match(await call('CreateRecord', record(more)), refused(code), code)
  const [ns] = domain.records
  t.match(await call('DeleteRecord', { Domain, RecordId: ns?.RecordId }), refused('FailedOperation'))
})

void t.test('lines and weights', async (t) => {
  const lines = { SubDomain: 'lines' }
  await call('CreateRecord', record(lines))
  await call('CreateRecord', record({ ...lines, RecordLine: '电信', Weight: 10 }))
  await call('CreateRecord', record({ ...lines, RecordLineId: '10=1', Weight: 0 }))
  const { RecordList } = await call('DescribeRecordList', { Domain, Subdomain: 'lines' })
  t.match(RecordList, [
    { LineId: '0', Weight: null },
    { LineId: '10=0', Line: '电信', Weight: 10 },
    { LineId: '10=1', Line: '联通', Weight: null },
  ])
})

void t.test('pages', async (t) => {
  const paged = sim.createZone('paged.test')
  for (let i = 0; i < 148; i++)
    paged.create({ RecordType: 'A', RecordLine: '默认', SubDomain: `h${i}`, Value: '192.0.2.1' })
  const list = (more: object) => call('DescribeRecordList', { Domain: 'paged.test', ...more })
  t.equal((await list({})).RecordList?.length, 100)
  t.match(await list({ Limit: 3000, Offset: 100 }), { RecordCountInfo: { TotalCount: 150, ListCount: 50 } })
  t.ok((await list({ Limit: 3001 })).Error)
  t.match(await list({ Offset: 150 }), refused('ResourceNotFound.NoDataOfRecord'))
})

void t.test('too many calls of one action', async (t) => {
  const at = await startSimulator(dialect, { perSecond: 1 })
  t.teardown(() => at.close())
  const told = async (action: string) => (await call(action, {}, { at })).Error?.Code
  t.equal(await told('DescribeUserDetail'), undefined)
  t.equal(await told('DescribeUserDetail'), 'RequestLimitExceeded')
  t.equal(await told('DescribeDomainList'), 'ResourceNotFound.NoDataOfDomain')
})
