import t from 'tap'
import powerdns from '../../modules/providers/adapters/powerdns/index.ts'
import rfc2136 from '../../modules/providers/adapters/rfc2136/index.ts'
import { startApp } from '../helpers/app.ts'
import { addDomain } from '../helpers/zone.ts'
import { addConfig } from '../records/move/hosts.ts'
import { startBind } from './name-servers.ts'
import { startPowerDns } from './powerdns.ts'
import { credentialsOf } from './rfc2136-subject.ts'

/* A domain moves from a real PowerDNS to a real BIND. */

const RECORDS: [type: string, name: string, value: string][] = [
  ['A', 'www', '192.0.2.1'],
  ['A', 'www', '192.0.2.2'],
  ['AAAA', 'www', '2001:db8::1'],
  ['MX', '@', '10 mail.example.net'],
  ['TXT', '@', 'v=spf1 -all'],
  ['TXT', 'long', 'x'.repeat(600)],
  ['CAA', '@', '0 issue "letsencrypt.org"'],
  ['SRV', '_sip._tcp', '1 2 5060 sip.example.net'],
  ['HTTPS', 'web', '1 . alpn=h2'],
  ['CNAME', '*.wild', 'www.example.net'],
]

const [old, bind] = await Promise.all([startPowerDns(), startBind(3)])
for (const server of [old, bind]) t.teardown(() => server.close())
const { admin } = await startApp(t)
const [zone = '', other = ''] = bind.zones
const from = await addConfig(
  admin,
  powerdns,
  { apiUrl: old.apiUrl, apiKey: old.apiKey },
  { nameServers: ['ns1.old.example.net', 'ns2.old.example.net'] },
)
const to = await addConfig(admin, rfc2136, credentialsOf(bind, bind.keyOf('all'), `${zone} ${other}`))
const dig = async (name: string, type: string) =>
  (await bind.dig('+short', '+tcp', `${name}${zone}`, type)).trim().split('\n').sort()

void t.test('from PowerDNS to BIND, which then serves what the other did', async (t) => {
  const { id } = await addDomain(admin, from, zone, { createZone: true })
  const url = `/api/domains/${id}`
  await admin.post(`${url}/sync`)
  const records = RECORDS.map(([recordType, name, value]) => ({ recordType, name, value, ttl: 300 }))
  t.match(await admin.post(`${url}/records/bulk`, { records }), { body: { succeeded: RECORDS.length } })
  t.match(await admin.put(`${url}/dnssec`, { signed: true }), { status: 200 })
  const ids = async () => {
    const { body } = await admin.get(`${url}/records?limit=100`)
    const rows = body.records as { id: string; name: string; recordType: string }[]
    return rows.flatMap((row) => (row.recordType === 'NS' ? [] : [row.id])).sort()
  }
  const before = await ids()

  await bind.nsupdate([`update add www.${zone}. 60 A 198.51.100.9`])
  const there = { providerConfigId: to }
  const dry = await admin.post(`${url}/copy`, { ...there, dryRun: true })
  t.match(dry, {
    status: 200,
    body: { plan: { creates: { length: RECORDS.length }, conflicts: { length: 0 } } },
  })
  t.same(await dig('web.', 'A'), [''], 'nothing was done')
  t.same(await dig('www.', 'A'), ['198.51.100.9'])
  t.match(await admin.post(`${url}/switch`, there), { status: 409, body: { code: 'confirmation_required' } })

  const copied = await admin.post(`${url}/copy`, { ...there, mode: 'replace' })
  t.match(copied, { status: 200, body: { plan: { applied: true, deletes: { length: 1 } } } })
  for (const [type, name] of RECORDS) {
    const place = name === '@' ? '' : `${name}.`
    t.same(await dig(place, type), (await old.dig(`${place}${zone}`, type)).sort(), `${name} ${type}`)
  }
  t.match(await admin.post(`${url}/copy`, there), {
    body: { plan: { applied: false, creates: { length: 0 } } },
  })

  const switched = await admin.post(`${url}/switch`, there)
  t.match(switched, { status: 200, body: { domain: { id, providerConfigId: to }, dsToSet: null } })
  t.ok(switched.body.dsToRemove.length > 0, 'the DS of the old server')
  t.same(switched.body.nameServers.map((name: string) => `${name}.`).sort(), await dig('', 'NS'))
  t.same(await ids(), before)
  const made = { recordType: 'A', name: 'new', value: '192.0.2.9', ttl: 300 }
  t.match(await admin.post(`${url}/records`, made), { status: 201, body: { status: 'active' } })
  t.same(await dig('new.', 'A'), ['192.0.2.9'])
  t.same(await old.dig(`new.${zone}`, 'A'), [])
  t.match(await admin.post(`${url}/sync`), { body: { created: 0, updated: 0, deleted: 0 } })
  t.match((await admin.get(`${url}/changes`)).body, { changes: [{}, { source: 'switch' }, {}, {}] })
})

void t.test('a server whose zone is not to be changed says so, and the domain stays', async (t) => {
  const { id } = await addDomain(admin, from, other, { createZone: true })
  const url = `/api/domains/${id}`
  const record = { recordType: 'A', name: 'www', value: '192.0.2.1' }
  t.match(await admin.post(`${url}/records`, record), { status: 201 })
  const reader = await addConfig(admin, rfc2136, credentialsOf(bind, bind.keyOf('transfer'), other))
  t.match(await admin.post(`${url}/copy`, { providerConfigId: reader }), {
    status: 502,
    body: { detail: /0 of 1 changes were made/ },
  })
  t.match(await admin.get(url), { body: { providerConfigId: from } })
})
