import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Params } from '../../conformance/simulators/alidns-domain.ts'
import { acs3Signature, rpcSignature, rpcText } from '../../conformance/simulators/alidns-signature.ts'
import { startAlidnsSimulator } from '../../conformance/simulators/alidns.ts'
import { sha256 } from '../../conformance/simulators/digests.ts'

const sim = await startAlidnsSimulator()
t.teardown(() => sim.close())
sim.createDomain('example.test')

interface Answer {
  RecordId?: string
  TaskId?: number
  TotalCount?: number
  DomainRecords?: { Record: { RecordId: string; Value: string }[] }
}
interface Signed {
  key?: { accessKeyId: string; accessKeySecret: string }
  at?: typeof sim
  more?: Params
}
const now = () => new Date().toISOString().replace(/\.\d+Z/, 'Z')
const answered = async (answer: Response) => ({
  status: answer.status,
  body: (await answer.json()) as Answer,
})

async function call(Action: string, own: Params, { key = sim, at = sim, more = {} }: Signed = {}) {
  const params = {
    ...own,
    Action,
    Version: '2015-01-09',
    Format: 'JSON',
    AccessKeyId: key.accessKeyId,
    SignatureMethod: 'HMAC-SHA1',
    SignatureVersion: '1.0',
    SignatureNonce: randomUUID(),
    Timestamp: now(),
    ...more,
  }
  const Signature = rpcSignature('POST', params, key.accessKeySecret)
  return answered(
    await fetch(at.apiUrl, { method: 'POST', body: new URLSearchParams({ ...params, Signature }) }),
  )
}

async function acs3(action: string, own: Params, more: Params = {}, body = '') {
  const headers: Params = {
    host: new URL(sim.apiUrl).host,
    'x-acs-action': action,
    'x-acs-content-sha256': sha256(body),
    'x-acs-date': now(),
    'x-acs-signature-nonce': randomUUID(),
    'x-acs-version': '2015-01-09',
    ...more,
  }
  const signed = Object.keys(headers)
  const secret = sim.accessKeySecret
  const signature = acs3Signature({ method: 'POST', query: own, headers, signed, secret })
  const authorization = `ACS3-HMAC-SHA256 Credential=${sim.accessKeyId},SignedHeaders=${signed.join(';')},Signature=${signature}`
  const url = `${sim.apiUrl}/?${new URLSearchParams(own).toString()}`
  return answered(await fetch(url, { method: 'POST', body, headers: { ...headers, authorization } }))
}

const DomainName = 'example.test'
const record = (more: Params): Params => ({ DomainName, RR: 'www', Type: 'A', Value: '192.0.2.1', ...more })
const refused = (Code: string, status = 400) => ({ status, body: { Code, HostId: /./, RequestId: /./ } })

void t.test('the signatures are those of the vectors', async (t) => {
  const params = {
    AccessKeyId: 'testid',
    Action: 'AddDomainRecord',
    DomainName: 'example.com',
    Format: 'JSON',
    RR: '_acme.www',
    SignatureMethod: 'HMAC-SHA1',
    SignatureNonce: 'f59ed6a9-83fc-473b-9cc6-99c95df3856e',
    SignatureVersion: '1.0',
    TTL: '600',
    Timestamp: '2016-03-24T16:41:54Z',
    Type: 'TXT',
    Value: 'a b+c*d~e/f="x"',
    Version: '2015-01-09',
  }
  t.equal(rpcSignature('POST', params, 'testsecret'), 'xHijiqCOSikUCxHvyD0xU70uAfk=')
  t.match(rpcText('POST', params), /Value%3Da%2520b%252Bc%252Ad~e%252Ff%253D%2522x%2522%26Version/)
  const headers = {
    host: 'alidns.cn-hangzhou.aliyuncs.com',
    'x-acs-action': 'AddDomainRecord',
    'x-acs-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-acs-date': '2023-10-26T10:22:32Z',
    'x-acs-signature-nonce': '3156853299f313e23d1673dc12e1703d',
    'x-acs-version': '2015-01-09',
  }
  const signature = acs3Signature({
    method: 'POST',
    query: { DomainName: 'example.com', RR: 'www', Type: 'A', Value: '192.0.2.1', TTL: '600' },
    headers,
    signed: Object.keys(headers),
    secret: 'YourAccessKeySecret',
  })
  t.equal(signature, '32377d7338a7be1263dcd340440df1ebdefbc1c932d32a3ad9ac524f162c9a6e')
})

void t.test('keys and signatures', async (t) => {
  const told = (signed: Signed) => call('DescribeDomains', {}, signed)
  t.match(await told({}), { status: 200, body: { TotalCount: 1, Domains: { Domain: [{ DomainName }] } } })
  const wrong = { accessKeyId: sim.accessKeyId, accessKeySecret: 'no' }
  t.match(await told({ key: wrong }), refused('SignatureDoesNotMatch'))
  t.match(await told({ key: { ...wrong, accessKeyId: 'no' } }), refused('InvalidAccessKeyId.NotFound', 404))
  t.match(await told({ more: { Timestamp: '2016-03-24T16:41:54Z' } }), refused('InvalidTimeStamp.Expired'))
  const more = { SignatureNonce: 'once' }
  t.equal((await told({ more })).status, 200)
  t.match(await told({ more }), refused('SignatureNonceUsed'))
  t.match(await call('Describe', {}), refused('InvalidAction.NotFound', 404))
  t.equal((await told({ key: sim.reader })).status, 200)
  t.match(await call('AddDomainRecord', record({}), { key: sim.reader }), refused('Forbidden.RAM', 403))
})

void t.test('the same by ACS3', async (t) => {
  t.match(await acs3('DescribeDomainInfo', { DomainName }), { status: 200, body: { VersionCode: 'mianfei' } })
  const other = { 'x-acs-content-sha256': sha256('other') }
  t.match(await acs3('DescribeDomains', {}, other), refused('SignatureDoesNotMatch'))
  t.match(await acs3('DescribeDomains', {}, { 'x-acs-version': '2014' }), refused('InvalidVersion'))
})

void t.test('what is refused, and what is changed without a word', async (t) => {
  const told = async (more: Params) => (await call('AddDomainRecord', record(more))).body
  t.match(await told({ TTL: '599' }), { Code: 'SubDomainInvalid.TTL' })
  t.match(await told({ Line: 'moon' }), { Code: 'UnsupportedLine' })
  t.match(await told({ RR: 'grüße' }), { Code: 'InvalidRR.Format' })
  t.match(await told({ Type: 'NS', RR: '@', Value: 'ns1.example.net' }), { Code: 'InvalidRR.NSEmpty' })
  t.match(await told({ Type: 'MX', Value: 'mx.test', Priority: '51' }), { Code: 'InvalidParameter' })
  t.match(await told({ Type: 'TXT', Value: 'x'.repeat(513) }), { Code: 'InvalidParameter' })
  const { RecordId = '' } = await told({ Type: 'TXT', Value: ' "say hi" ' })
  t.match((await call('DescribeDomainRecordInfo', { RecordId })).body, { Value: 'say hi' })
  await call('DeleteDomainRecord', { RecordId })
})

void t.test('lists', async (t) => {
  const DomainName = 'paged.test'
  const paged = sim.createDomain(DomainName)
  for (let i = 0; i < 501; i++) paged.add({ RR: `h${i}`, Type: 'A', Value: '192.0.2.1' })
  const get = (more: Params) => call('DescribeDomainRecords', { DomainName, ...more })
  t.equal((await get({})).body.DomainRecords?.Record.length, 20)
  t.equal((await get({ PageSize: '500', PageNumber: '2' })).body.DomainRecords?.Record.length, 1)
  t.match(await get({ PageSize: '501' }), refused('InvalidParameter'))
  t.match(await get({ RRKeyWord: 'h50' }), { body: { TotalCount: 2 } }, 'by a part of the name')
  t.match(await get({ RRKeyWord: 'h50', SearchMode: 'COMBINATION' }), { body: { TotalCount: 1 } })
  t.match(await call('DescribeSubDomainRecords', { SubDomain: 'h50.paged.test' }), {
    body: { TotalCount: 1 },
  })
})
