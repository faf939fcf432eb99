import t from 'tap'
import ovh from '../../modules/providers/adapters/ovh/index.ts'
import { sign } from '../../modules/providers/adapters/ovh/signature.ts'
import { conformance } from '../conformance/suite/index.ts'
import { edit, open } from '../conformance/suite/subject.ts'
import dialect from '../conformance/simulators/ovh.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'
import type { SimulatorRequest } from '../conformance/simulators/server.ts'

void t.test("a request is signed as OVH's own client signs it", async (t) => {
  const request = {
    method: 'POST',
    url: new URL('https://eu.api.ovh.com/1.0/domain/zone/example.com/record'),
    body: Buffer.from('{"fieldType":"A","subDomain":"www","target":"192.0.2.1","ttl":3600}'),
  }
  const keys = { applicationKey: 'APPKEY', applicationSecret: 'APPSECRET', consumerKey: 'CONSUMERKEY' }
  t.same(sign(request, keys, 1_700_000_000_999), {
    'x-ovh-application': 'APPKEY',
    'x-ovh-consumer': 'CONSUMERKEY',
    'x-ovh-timestamp': '1700000000',
    'x-ovh-signature': '$1$8e9a1a3e3195cfaee7805d9a6c3591cb44952e51',
  })
})

void t.test('OVH', async (t) => {
  const { makeSubject } = await simulate(t, ovh, dialect)
  await conformance(t, 'conformance', makeSubject)
})

void t.test('what OVH has of its own stays, and many records are read in few calls', async (t) => {
  const { sim, makeSubject } = await simulate(t, ovh, dialect)
  const subject = await makeSubject()
  const adapter = await open(t, subject)
  const held = sim.createZone('own.test')
  const zone = { id: 'own.test', name: 'own.test' }
  const spf = { fieldType: 'SPF', subDomain: 'mail', target: 'v=spf1 -all' }
  held.create(spf)
  held.create({ fieldType: 'CNAME', subDomain: 'docs', target: 'docs.example.com' })
  const [read] = (await adapter.readRRset(zone, 'mail', 'TXT'))?.members ?? []
  t.match(read, { value: 'v=spf1 -all', extra: { fieldType: 'SPF' } })
  t.match(await adapter.readRRset(zone, 'docs', 'CNAME'), {
    members: [{ value: 'docs.example.com.own.test' }],
  })
  await adapter.apply(zone, [edit('mail', 'TXT', [], 7_200), edit('docs', 'CNAME', [], 7_200)])
  t.match(
    held.records.filter(({ ttl }) => ttl === 7_200),
    [spf, { target: 'docs.example.com' }],
    'as it is spelled there',
  )

  for (let i = 0; i < 120; i++)
    held.create({ fieldType: 'A', subDomain: `host-${i}`, target: '192.0.2.1', ttl: 3_600 })
  const before = sim.requests.length
  let listed = 0
  for await (const { rrsets } of adapter.listRRsets(zone)) listed += rrsets.length
  t.equal(listed, 123)
  t.equal(sim.requests.length - before, 1 + Math.ceil(124 / 50))
})

void t.test('what only OVH itself knows is done without', async (t) => {
  const { sim, makeSubject } = await simulate(t, ovh, dialect, { ahead: 0 })
  const adapter = await open(t, await makeSubject())
  const held = sim.createZone('own.test')
  for (let i = 0; i < 60; i++) held.create({ fieldType: 'A', subDomain: `host-${i}`, target: '192.0.2.1' })
  const answer = { status: 404, body: 'no such page' }
  const isOwn = ({ path, headers }: SimulatorRequest) =>
    path.endsWith('/auth/time') || headers['x-ovh-batch'] !== undefined
  sim.fail({ kind: 'answer', answer, on: isOwn, times: Infinity })
  let listed = 0
  for await (const { rrsets } of adapter.listRRsets({ id: 'own.test', name: 'own.test' }))
    listed += rrsets.length
  t.equal(listed, 61)
})
