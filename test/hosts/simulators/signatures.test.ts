import t from 'tap'
import { ACS3 } from '../../conformance/simulators/alidns.ts'
import { TC3 } from '../../conformance/simulators/dnspod.ts'
import { SDK_HMAC } from '../../conformance/simulators/huawei.ts'
import { sha256, sign, type SignatureScheme } from '../../conformance/simulators/signatures.ts'
import { VOLCENGINE } from '../../conformance/simulators/volcengine.ts'

interface Vector {
  scheme: SignatureScheme
  secret: string
  method?: string
  target?: string
  headers: Record<string, string>
  body?: string
  signature: string
}

const billing = {
  scheme: { ...VOLCENGINE, scope: () => '20250329/cn-beijing/billing/request' },
  secret: 'WkRZeE1EQmxPVGhsWWpWak5HVmtNbUUxTXpZeU9UVXlOMlE1TmpZeVlqTQ==',
  headers: { host: 'billing.volcengineapi.com', 'x-date': '20250329T180937Z' },
}

/** From the providers' documentation and their own clients. */
const VECTORS: Record<string, Vector> = {
  DNSPod: {
    scheme: TC3,
    secret: 'SECRETEXAMPLE',
    headers: {
      'content-type': 'application/json',
      host: 'dnspod.tencentcloudapi.com',
      'x-tc-timestamp': '1700000000',
    },
    body: '{"Domain":"example.com","SubDomain":"www","RecordType":"A","RecordLine":"默认","Value":"192.0.2.1","TTL":600}',
    signature: 'c3046b66b83a2a7dc5e1c3913585a31db1fb0e8ca0fcdb19c38382ac77cde2fa',
  },
  'Alibaba Cloud DNS': {
    scheme: ACS3,
    secret: 'YourAccessKeySecret',
    target: '/?DomainName=example.com&RR=www&Type=A&Value=192.0.2.1&TTL=600',
    headers: {
      host: 'alidns.cn-hangzhou.aliyuncs.com',
      'x-acs-action': 'AddDomainRecord',
      'x-acs-content-sha256': sha256(''),
      'x-acs-date': '2023-10-26T10:22:32Z',
      'x-acs-signature-nonce': '3156853299f313e23d1673dc12e1703d',
      'x-acs-version': '2015-01-09',
    },
    signature: '32377d7338a7be1263dcd340440df1ebdefbc1c932d32a3ad9ac524f162c9a6e',
  },
  'Huawei Cloud DNS': {
    scheme: SDK_HMAC,
    secret: 'SKEXAMPLE',
    target: '/v2.1/zones/zone123/recordsets',
    headers: {
      'content-type': 'application/json',
      host: 'dns.ap-southeast-1.myhuaweicloud.com',
      'x-sdk-date': '20231114T221320Z',
    },
    body: '{"name":"www.example.com.","type":"A","ttl":300,"records":["192.0.2.1"]}',
    signature: '6e7d6213e71f94c000625bda2465bc08c98130e068e0f90019a9d52d8ce903bf',
  },
  'Volcengine, without a body': {
    ...billing,
    method: 'GET',
    target: '/?Action=QueryBalanceAcct&Version=2022-01-01',
    signature: '1eda9e7e6b1728151a8e8791fdaf67cfbd28bd5c80d0fce2eb208746cf483105',
  },
  'Volcengine, with a body': {
    ...billing,
    target: '/?Action=ListBill&Version=2022-01-01',
    body: '{"Limit":10,"BillPeriod":"2023-08"}',
    signature: '5e8480ceea12d0000a23c054151c50dd02c1a7dec835004057d19f13d53a7658',
  },
}

for (const [name, vector] of Object.entries(VECTORS))
  void t.test(`the signature equals the published example: ${name}`, async (t) => {
    const { scheme, secret, method = 'POST', target = '/', headers, body = '', signature } = vector
    const request = { method, target, headers, bytes: Buffer.from(body) }
    const { authorization = '' } = sign(request, scheme, { id: 'ID', secret })
    t.ok(authorization.endsWith(`Signature=${signature}`), authorization)
  })
