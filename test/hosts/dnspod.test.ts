import t from 'tap'
import { conformance } from '../conformance/suite/index.ts'
import { add, edit, open } from '../conformance/suite/subject.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'
import dialect from '../conformance/simulators/dnspod.ts'
import dnspod from '../../modules/providers/adapters/dnspod/index.ts'
import type { ChangeOutcome } from '../../modules/providers/contract.ts'
import { sign } from '../../modules/providers/adapters/dnspod/client.ts'

void t.test("a request is signed as Tencent's own client signs it", async (t) => {
  const body =
    '{"Domain":"example.com","SubDomain":"www","RecordType":"A","RecordLine":"默认","Value":"192.0.2.1","TTL":600}'
  const request = {
    method: 'POST',
    url: new URL('https://dnspod.tencentcloudapi.com/'),
    headers: { 'content-type': 'application/json', host: 'dnspod.tencentcloudapi.com', accept: '*/*' },
    body: Buffer.from(body),
  }
  t.same(sign(request, { secretId: 'AKIDEXAMPLE', secretKey: 'SECRETEXAMPLE' }, 1_700_000_000_999), {
    authorization:
      'TC3-HMAC-SHA256 Credential=AKIDEXAMPLE/2023-11-14/dnspod/tc3_request, SignedHeaders=content-type;host, ' +
      'Signature=c3046b66b83a2a7dc5e1c3913585a31db1fb0e8ca0fcdb19c38382ac77cde2fa',
    'x-tc-timestamp': '1700000000',
  })
})

void t.test('DNSPod', async (t) => {
  const { makeSubject } = await simulate(t, dnspod, dialect)
  await conformance(t, 'conformance', makeSubject)
})

void t.test('a job makes several records of one name, each found again', async (t) => {
  const { makeSubject } = await simulate(t, dnspod, dialect)
  const subject = await makeSubject()
  const adapter = await open(t, subject)
  const [zone] = await adapter.findZones(subject.zoneName)
  if (zone === undefined) throw new Error('The subject has a zone')
  const values = ['10 mx.example.net', '20 mx.example.net']
  const edits = [edit('mail', 'MX', values.map(add)), edit('www', 'A', ['192.0.2.1', '192.0.2.2'].map(add))]
  const before = subject.writes?.() ?? 0
  const [outcomes] = (await adapter.apply(zone, edits)) as ChangeOutcome[][]
  t.equal(subject.writes?.(), before + 1)
  const held = (await adapter.readRRset(zone, 'mail', 'MX'))?.members
  const ids = values.map((value) => held?.find((member) => member.value === value)?.providerId)
  t.same(
    outcomes?.map((outcome) => outcome.ok && outcome.providerId),
    ids,
  )
})
