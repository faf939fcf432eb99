import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { idOf, POWERDNS } from '../helpers/zone.ts'
import { startPowerDns } from './powerdns.ts'

/* A zone of a real PowerDNS is signed and unsigned from here. */
const [{ admin, addUser, signIn }, server] = await Promise.all([startApp(t), startPowerDns()])
t.teardown(() => server.close())

const config = await admin.post('/api/provider-configs', {
  providerId: POWERDNS,
  name: 'PowerDNS',
  credentials: { apiUrl: server.apiUrl, apiKey: server.apiKey },
  nameServers: ['ns1.example.net'],
})
const domain = { name: 'example.com', providerConfigId: idOf(config), createZone: true }
const id = idOf(await admin.post('/api/domains', domain))
const url = `/api/domains/${id}/dnssec`

void t.test('signed, served with keys, known by its DS, and no longer', async (t) => {
  t.match(await admin.get(url), { status: 200, body: { signed: false, ds: { length: 0 } } })
  const signed = await admin.put(url, { signed: true })
  t.match(signed, { status: 200, body: { signed: true } })
  const sha256 = signed.body.ds.find(({ data }: { data: { digestType: number } }) => data.digestType === 2)
  t.match(sha256, { value: /^\d+ 13 2 [0-9a-f]{64}$/, data: { algorithm: 13, keyTag: Number } })
  t.match(await server.dig('example.com', 'DNSKEY'), [/^257 3 13 /])
  const again = await admin.put(url, { signed: true })
  t.same(again.body, signed.body, 'the keys stay')
  t.match((await admin.get('/api/audit?action=domain.dnssec_changed')).body.entries.at(-1), {
    before: { signed: false },
    after: { signed: true },
  })

  t.match(await admin.put(url, { signed: false }), {
    status: 200,
    body: { signed: false, ds: { length: 0 } },
  })
})

void t.test('a guest of a part may look, and sign nothing', async (t) => {
  const userId = await addUser('guest')
  const given = { userId, domainId: id, subdomainPattern: 'app', permission: 'write' }
  t.match(await admin.post('/api/assignments', given), { status: 201 })
  const guest = await signIn('guest')
  t.match(await guest.get(url), { status: 200, body: { signed: false } })
  t.match(await guest.put(url, { signed: true }), { status: 403 })
})
