import t from 'tap'
import porkbun from '../../modules/providers/adapters/porkbun/index.ts'
import { add, edit, expectError, open, rrset, start } from '../conformance/suite/peer.ts'
import { conformance } from '../conformance/suite/index.ts'
import { startFakePorkbun, wrongKey } from '../conformance/simulators/porkbun.ts'
import { porkbunPeer } from '../conformance/peers/porkbun-peer.ts'

void t.test('fake Porkbun', async (t) => {
  const fake = await startFakePorkbun()
  t.teardown(() => fake.close())
  const makePeer = () => porkbunPeer(porkbun, fake)
  await conformance(t, 'all that every adapter must do', makePeer)

  await t.test('a failure may come with status 200, and a key be told by its code', async (t) => {
    const { peer, adapter, zone } = await start(t, makePeer)
    const wrong = { ...wrongKey().answer, status: 200 }
    fake.fail({ kind: 'answer', answer: wrong })
    await expectError(t, peer, adapter.verify(), 'auth')
    const body = JSON.stringify({ status: 'ERROR', code: 'INVALID_API_KEYS_002', message: 'No.' })
    fake.fail({ kind: 'answer', answer: { status: 200, body } })
    await expectError(t, peer, adapter.verify(), 'auth')
    const refused = JSON.stringify({
      status: 'ERROR',
      message: 'Create error: We were unable to create the DNS record.',
    })
    fake.fail({
      kind: 'answer',
      answer: { status: 200, body: refused },
      on: (request) => fake.changes(request),
    })
    const answer = await adapter.apply(zone, [edit('www', 'A', [add('192.0.2.1')])])
    t.match(answer, [[{ ok: false, error: { kind: 'rejected', outcome: 'not_applied' } }]])
  })

  await t.test('too many calls are refused by a page', async (t) => {
    const { peer, adapter, zone } = await start(t, makePeer)
    const page = { status: 503, headers: { 'retry-after': '1' }, body: '<html>503</html>' }
    fake.fail({ kind: 'answer', answer: page, on: (request) => fake.changes(request) })
    const call = adapter.apply(zone, [edit('www', 'A', [add('192.0.2.1')])])
    const error = await expectError(t, peer, call, 'rate_limited')
    t.equal(error?.retryAfter, 1)
  })

  await t.test('a domain that the API may not be used for is told so', async (t) => {
    const { peer, zone } = await start(t, makePeer)
    fake.createDomain(peer.zoneName).isOptedIn = false
    const adapter = await open(t, peer)
    const error = await expectError(t, peer, adapter.readRRset(zone, 'www', 'A'), 'forbidden')
    t.match(error?.message, /not opted in to API access/)
    t.match(await adapter.findZones(peer.zoneName), [{ name: peer.zoneName }], 'it is there all the same')
  })

  await t.test('CAA and texts that Porkbun changes are refused', async (t) => {
    const { peer, apply } = await start(t, makePeer)
    await apply([edit('@', 'CAA', [add('0 issue "ca.example.net"'), add('0 issuewild ";"')])])
    t.same(await peer.dump(), [rrset('@', 'CAA', ['0 issue "ca.example.net"', '0 issuewild ";"'])])
    const refusal = (type: 'CAA' | 'TXT', value: string) =>
      porkbun.audit?.('example.com', [edit('@', type, [add(value)])])
    t.match(refusal('CAA', '0 issue "ca.example.net; a=b"'), [{ code: 'caa_space' }])
    t.match(refusal('TXT', 'ends in a space '), [{ code: 'txt_space' }])
    t.same(refusal('TXT', ' begins with one'), [])
  })
})
