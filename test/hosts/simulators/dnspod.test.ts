import t from 'tap'
import { failure } from '../../conformance/simulators/dnspod-domain.ts'
import { tc3Signature } from '../../conformance/simulators/dnspod-signature.ts'
import { startDnspodSimulator } from '../../conformance/simulators/dnspod.ts'

const sim = await startDnspodSimulator()
t.teardown(() => sim.close())
const domain = sim.createDomain('example.test')

interface Answer {
  Response: {
    Error?: { Code: string }
    RecordId?: number
    JobId?: number
    RecordList?: { Name: string; Value: string; RecordId: number }[]
    RecordCountInfo?: object
    DetailList?: object[]
  }
}
interface Signed {
  key?: { secretId: string; secretKey: string }
  timestamp?: number
  headers?: Record<string, string>
  at?: typeof sim
}
async function call(
  action: string,
  body: object,
  { key = sim, timestamp = Math.floor(Date.now() / 1000), headers = {}, at = sim }: Signed = {},
) {
  const text = JSON.stringify(body)
  const host = new URL(at.apiUrl).host
  const signed = ['content-type', 'host']
  const type = 'application/json'
  const signature = tc3Signature({
    secretKey: key.secretKey,
    timestamp,
    headers: { 'content-type': type, host },
    signed,
    body: text,
  })
  const scope = `${new Date(timestamp * 1000).toISOString().slice(0, 10)}/dnspod/tc3_request`
  const answer = await fetch(at.apiUrl, {
    method: 'POST',
    body: text,
    headers: {
      'content-type': type,
      'x-tc-action': action,
      'x-tc-version': '2021-03-23',
      'x-tc-timestamp': String(timestamp),
      authorization: `TC3-HMAC-SHA256 Credential=${key.secretId}/${scope}, SignedHeaders=${signed.join(';')}, Signature=${signature}`,
      ...headers,
    },
  })
  t.equal(answer.status, 200, 'whatever it says')
  return ((await answer.json()) as Answer).Response
}
const Domain = 'example.test'
const record = (more: object) => ({
  Domain,
  RecordLine: '默认',
  RecordType: 'A',
  Value: '192.0.2.1',
  ...more,
})
const refused = (Code: string) => ({ Error: { Code } })

void t.test('the signature is that of the vectors', async (t) => {
  const body =
    '{"Domain":"example.com","SubDomain":"www","RecordType":"A","RecordLine":"默认","Value":"192.0.2.1","TTL":600}'
  const signature = tc3Signature({
    secretKey: 'SECRETEXAMPLE',
    timestamp: 1_700_000_000,
    headers: { 'content-type': 'application/json', host: 'dnspod.tencentcloudapi.com' },
    signed: ['content-type', 'host'],
    body,
  })
  t.equal(signature, 'c3046b66b83a2a7dc5e1c3913585a31db1fb0e8ca0fcdb19c38382ac77cde2fa')
})

void t.test('keys and signatures', async (t) => {
  const wrong = { secretId: sim.secretId, secretKey: 'no' }
  t.match(await call('DescribeUserDetail', {}), { UserInfo: { Status: 'enabled' }, RequestId: /-/ })
  const told = async (signed: Signed) => (await call('DescribeUserDetail', {}, signed)).Error?.Code
  t.equal(await told({ key: wrong }), 'AuthFailure.SignatureFailure')
  t.equal(await told({ key: { ...wrong, secretId: 'AKIDno' } }), 'AuthFailure.SecretIdNotFound')
  t.equal(await told({ timestamp: Math.floor(Date.now() / 1000) - 400 }), 'AuthFailure.SignatureExpire')
  t.equal(await told({ headers: { authorization: 'Bearer x' } }), 'AuthFailure.InvalidAuthorization')
  t.equal(await told({ headers: { 'x-tc-version': '2020-01-01' } }), 'NoSuchVersion')
  const other = { 'content-type': 'application/json; charset=utf-8' }
  t.equal(await told({ headers: other }), 'AuthFailure.SignatureFailure', 'signed for another one')
  t.match(await call('DescribeDomain', { Domain }, { key: sim.reader }), { DomainInfo: { Domain } })
  t.match(
    await call('CreateRecord', record({}), { key: sim.reader }),
    refused('AuthFailure.UnauthorizedOperation'),
  )
  const { answer } = failure('InvalidParameter', '')
  t.equal((await fetch(sim.apiUrl, { method: 'POST', body: '{}' })).status, answer.status)
})

void t.test('parameters', async (t) => {
  t.match(await call('Describe', {}), refused('InvalidAction'))
  t.match(await call('CreateRecord', { Domain }), refused('MissingParameter'))
  t.match(await call('CreateRecord', record({ Name: 'www' })), refused('UnknownParameter'))
  t.match(await call('CreateRecord', record({ TTL: '600' })), refused('InvalidParameter'))
})

void t.test('what is refused', async (t) => {
  const told = async (more: object) => (await call('CreateRecord', record(more))).Error?.Code
  t.equal(await told({ TTL: 599 }), 'LimitExceeded.RecordTtlLimit')
  t.equal(await told({ RecordLine: 'Default' }), 'InvalidParameter.RecordLineInvalid')
  t.equal(await told({ RecordLineId: '10=9' }), 'InvalidParameter.RecordLineInvalid')
  t.equal(await told({ RecordType: 'PTR' }), 'InvalidParameter.RecordTypeInvalid')
  t.equal(await told({ Value: 'x' }), 'InvalidParameter.RecordValueInvalid')
  t.equal(await told({ RecordType: 'TXT', Value: '' }), 'InvalidParameter.RecordValueInvalid')
  t.equal(await told({ RecordType: 'MX', Value: 'mx.test.' }), 'InvalidParameter.MxInvalid')
  t.equal(await told({ RecordType: 'MX', MX: 0, Value: '.' }), 'InvalidParameter.RecordValueInvalid')
  t.equal(await told({ SubDomain: '-.' }), 'InvalidParameter.SubdomainInvalid')
  const [ns] = domain.records
  const { Error } = await call('DeleteRecord', { Domain, RecordId: ns?.RecordId })
  t.equal(Error?.Code, 'FailedOperation')
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
  const paged = sim.createDomain('paged.test')
  for (let i = 0; i < 148; i++)
    paged.create({ RecordType: 'A', RecordLine: '默认', SubDomain: `h${i}`, Value: '192.0.2.1' })
  const list = (more: object) => call('DescribeRecordList', { Domain: 'paged.test', ...more })
  t.equal((await list({})).RecordList?.length, 100)
  t.match(await list({ Limit: 3000, Offset: 100 }), { RecordCountInfo: { TotalCount: 150, ListCount: 50 } })
  t.ok((await list({ Limit: 3001 })).Error)
  t.match(await list({ Offset: 150 }), refused('ResourceNotFound.NoDataOfRecord'))
})

void t.test('too many calls of one action', async (t) => {
  const narrow = await startDnspodSimulator({ perSecond: 1 })
  t.teardown(() => narrow.close())
  const told = async (action: string) => (await call(action, {}, { key: narrow, at: narrow })).Error?.Code
  t.equal(await told('DescribeUserDetail'), undefined)
  t.equal(await told('DescribeUserDetail'), 'RequestLimitExceeded')
  t.equal(await told('DescribeDomainList'), 'ResourceNotFound.NoDataOfDomain')
})
