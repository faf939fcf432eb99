import t from 'tap'
import { simulate } from '../conformance/simulators/simulated-subject.ts'
import { conformance } from '../conformance/suite/index.ts'
import dialect from '../conformance/simulators/alidns.ts'
import alidns from '../../modules/providers/adapters/alidns/index.ts'
import { sign } from '../../modules/providers/adapters/alidns/client.ts'

void t.test("a request is signed as Alibaba's own client signs it", async (t) => {
  const host = 'alidns.cn-hangzhou.aliyuncs.com'
  const request = {
    method: 'POST',
    url: new URL(`https://${host}/?TTL=600&DomainName=example.com&RR=www&Type=A&Value=192.0.2.1`),
    headers: {
      host,
      accept: 'application/json',
      'x-acs-action': 'AddDomainRecord',
      'x-acs-version': '2015-01-09',
    },
    body: new Uint8Array(),
  }
  const credentials = { accessKeyId: 'YourAccessKeyId', accessKeySecret: 'YourAccessKeySecret' }
  const once = { now: Date.parse('2023-10-26T10:22:32.500Z'), nonce: '3156853299f313e23d1673dc12e1703d' }
  t.match(sign(request, credentials, once), {
    'x-acs-date': '2023-10-26T10:22:32Z',
    'x-acs-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    authorization:
      'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,' +
      'Signature=32377d7338a7be1263dcd340440df1ebdefbc1c932d32a3ad9ac524f162c9a6e',
  })
})

void t.test('Alibaba Cloud DNS', async (t) => {
  const { makeSubject } = await simulate(t, alidns, dialect)
  await conformance(t, 'conformance', makeSubject)
})
