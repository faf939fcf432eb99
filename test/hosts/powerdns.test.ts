// Runs first: takes long for its size.
import t from 'tap'
import powerdns from '../../modules/providers/adapters/powerdns/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import { add, edit } from '../conformance/suite/subject.ts'
import { startPowerDnsSimulator, type PowerDnsSimulatorOptions } from '../conformance/simulators/powerdns.ts'
import { powerDnsSubject } from '../conformance/subjects/powerdns-subject.ts'
import { LARGE, specifics, type Reads } from '../conformance/subjects/powerdns-specifics.ts'

/**
 * The ways to read one RRset, by how servers differ and by what is said of the zone; see reader.ts. One of each way
 * goes through all that every adapter must do; of the others is seen that they read in the way that is theirs.
 */
const variants: Record<string, PowerDnsSimulatorOptions & { zoneSize?: number; reads: Reads; whole?: true }> =
  {
    'of unknown size': { reads: 'zone', whole: true },
    'of a small zone': { zoneSize: 50, reads: 'zone' },
    '4.7, which hides disabled records': {
      version: '4.7.3',
      zoneSize: LARGE,
      reads: 'filter',
      whole: true,
    },
    '5.0, which shows disabled records': {
      version: '5.0.0-alpha1',
      zoneSize: LARGE,
      reads: 'filter',
      whole: true,
    },
    '4.4, which ignores rrset_name': { version: '4.4.1', zoneSize: LARGE, reads: 'filter' },
  }

t.jobs = Object.keys(variants).length
for (const [name, { reads, zoneSize, whole, ...options }] of Object.entries(variants)) {
  void t.test(`sim PowerDNS ${name}`, { buffered: true }, async (t) => {
    const sim = await startPowerDnsSimulator(options)
    t.teardown(() => sim.close())
    const place = { apiUrl: sim.url, apiKey: sim.apiKey, front: sim }
    const makeSubject = () => powerDnsSubject(place, zoneSize)
    if (whole) await conformance(t, name, makeSubject)
    await t.test('what only PowerDNS has', (t) => specifics(t, place, makeSubject, reads))
    t.same(sim.zoneNames(), [], 'all zones are gone')
  })
}

void t.test('what PowerDNS would take for a record of its own is refused before it is sent', async (t) => {
  const edits = [
    edit('program', 'TYPE65402', [add('\\# 4 0a000001')]),
    edit('plain', 'TYPE65280', [add('\\# 4 0a000001')]),
  ]
  t.match(powerdns.audit?.('example.test', edits), [
    { edit: 0, change: 0, field: 'type', code: 'type_taken', message: /its own type LUA/ },
  ])
  t.equal(powerdns.audit?.('example.test', edits).length, 1)
})
