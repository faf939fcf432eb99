import t from 'tap'
import { conformance } from './conformance.ts'
import { startFakePowerDns, type FakePowerDnsOptions } from './fakes/powerdns.ts'
import { powerDnsPeer } from './powerdns-peer.ts'
import { specifics } from './powerdns-specifics.ts'

/** The ways that servers differ in reading one RRset; see reader.ts. */
const variants: Record<string, FakePowerDnsOptions & { readsWhole?: boolean }> = {
  '4.7 with SQL': { version: '4.7.3' },
  '4.7 with LMDB, which cannot search': { version: '4.7.3', search: false, readsWhole: true },
  '5.0, which shows disabled records': { version: '5.0.0-alpha1', search: false },
  '4.4, which ignores rrset_name': { version: '4.4.1' },
}

t.jobs = Object.keys(variants).length
for (const [name, { readsWhole = false, ...options }] of Object.entries(variants)) {
  void t.test(`fake PowerDNS ${name}`, { buffered: true }, async (t) => {
    const fake = await startFakePowerDns(options)
    t.teardown(() => fake.close())
    const place = { apiUrl: fake.url, apiKey: fake.apiKey, front: fake }
    const makePeer = () => powerDnsPeer(place)
    await conformance(t, name, makePeer)
    await t.test('what only PowerDNS has', (t) => specifics(t, place, makePeer, readsWhole))
    t.same(fake.zoneNames(), [], 'all zones are gone')
  })
}
