import t from 'tap'
import { conformance } from '../conformance/suite/index.ts'
import dialect from '../conformance/simulators/huawei.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'
import huawei from '../../modules/providers/adapters/huawei/index.ts'
import { sign } from '../../modules/providers/adapters/huawei/client.ts'

void t.test("a request is signed as Huawei's own client signs it", async (t) => {
  const host = 'dns.ap-southeast-1.myhuaweicloud.com'
  const path = '/v2.1/zones/zone123/recordsets'
  const request = {
    method: 'POST',
    url: new URL(`https://${host}${path}`),
    headers: { host, accept: 'application/json', 'content-type': 'application/json' },
    body: Buffer.from('{"name":"www.example.com.","type":"A","ttl":300,"records":["192.0.2.1"]}'),
  }
  const credentials = { accessKey: 'AKEXAMPLE', secretKey: 'SKEXAMPLE' }
  const signed = {
    'x-sdk-date': '20231114T221320Z',
    authorization:
      'SDK-HMAC-SHA256 Access=AKEXAMPLE, SignedHeaders=content-type;host;x-sdk-date, ' +
      'Signature=6e7d6213e71f94c000625bda2465bc08c98130e068e0f90019a9d52d8ce903bf',
  }
  const now = 1_700_000_000_999
  t.same(sign(request, credentials, { now }), signed)
  const behind = { ...request, url: new URL(`https://${host}/proxy${path}`) }
  t.same(sign(behind, credentials, { now, base: '/proxy' }), signed, 'without the path of a proxy')
})

void t.test('Huawei Cloud DNS', async (t) => {
  const { makeSubject } = await simulate(t, huawei, dialect)
  await conformance(t, 'conformance', makeSubject)
})
