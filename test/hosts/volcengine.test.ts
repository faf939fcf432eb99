import t from 'tap'
import volcengine from '../../modules/providers/adapters/volcengine/index.ts'
import { sign } from '../../modules/providers/adapters/volcengine/client.ts'
import { add, edit, expectError, open, rrset, start, zonesOf } from '../conformance/suite/subject.ts'
import { conformance } from '../conformance/suite/index.ts'
import dialect from '../conformance/simulators/volcengine.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

void t.test("a request is signed as in Volcengine's own examples", (t) => {
  const keys = {
    accessKeyId: 'AKLTYWViMTVmZGYzM2E0NDI5Mzk2MDZjNjFmMjc2MjRjMzg',
    secretAccessKey: 'WkRZeE1EQmxPVGhsWWpWak5HVmtNbUUxTXpZeU9UVXlOMlE1TmpZeVlqTQ==',
  }
  const signatureOf = (method: string, query: string, body: string) => {
    const url = new URL(`https://billing.volcengineapi.com/?${query}`)
    const request = { method, url, headers: { host: url.host }, body: Buffer.from(body) }
    return sign(request, keys, Date.UTC(2025, 2, 29, 18, 9, 37), 'billing')
  }
  t.same(signatureOf('GET', 'Version=2022-01-01&Action=QueryBalanceAcct', ''), {
    'x-date': '20250329T180937Z',
    authorization: `HMAC-SHA256 Credential=${keys.accessKeyId}/20250329/cn-beijing/billing/request, SignedHeaders=host;x-date, Signature=1eda9e7e6b1728151a8e8791fdaf67cfbd28bd5c80d0fce2eb208746cf483105`,
  })
  t.match(
    signatureOf('POST', 'Action=ListBill&Version=2022-01-01', '{"Limit":10,"BillPeriod":"2023-08"}')[
      'authorization'
    ],
    /Signature=5e8480ceea12d0000a23c054151c50dd02c1a7dec835004057d19f13d53a7658$/,
  )
  t.end()
})

void t.test('Volcengine DNS', async (t) => {
  const { sim, makeSubject } = await simulate(t, volcengine, dialect)
  await conformance(t, 'conformance', makeSubject)

  await t.test('a key that may only look is told apart', async (t) => {
    const { subject, zone } = await start(t, makeSubject)
    const reader = await open(t, subject, {
      ...subject.credentials,
      accessKeyId: sim.readId,
      secretAccessKey: sim.readSecret,
    })
    await reader.verify()
    const call = reader.apply(zone, [edit('www', 'A', [add('192.0.2.1')])])
    await expectError(t, subject, call, 'forbidden')
  })

  await t.test('zones with their name servers, and whether these are the ones', async (t) => {
    const { subject, adapter } = await start(t, makeSubject)
    const nameServers = ['ns1.volcengine-dns.com', 'ns2.volcengine-dns.com']
    t.match(await adapter.findZones(subject.zoneName), [{ nameServers, status: 'active' }])
    t.ok((await zonesOf(adapter)).some(({ name }) => name === subject.zoneName))
  })

  await t.test('a name below the registry alone is a zone', async (t) => {
    const { subject, adapter } = await start(t, makeSubject)
    const zone = { name: `a.b.${subject.zoneName}`, nameServers: [], soa: {} as never }
    await expectError(t, subject, adapter.createZone(zone), 'rejected')
  })

  await t.test('the TTL is said with every change, as it would be another', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    await subject.seed([rrset('www', 'A', ['192.0.2.1'])])
    await apply([edit('www', 'A', [{ action: 'add', member: { value: '192.0.2.1', comment: 'here' } }])])
    t.match(await subject.dump(), [{ ttl: 3600, members: [{ comment: 'here' }] }])
  })
})
