import { typeOf } from '../../../dns/types/index.ts'
import { batchesOf } from '../../../modules/records/apply/provider/batches.ts'
import type { Case } from './case.ts'
import { add, applyEdits, edit, expectError, newZone, open, remove, zonesOf } from './subject.ts'

/* The account, its zones, and what every provider answers. */
export const zoneCases: Case[] = [
  {
    name: 'verify',
    run: async (t, { adapter }) => void (await t.resolves(adapter.verify())),
  },
  {
    name: 'wrong credentials',
    obstacle: ({ badCredentials }) => (badCredentials === undefined ? 'the provider takes no secret' : null),
    async run(t, { subject, zone }) {
      const bad = await open(t, subject, subject.badCredentials)
      await expectError(t, subject, bad.verify(), 'auth')
      await expectError(t, subject, zonesOf(bad), 'auth')
      await expectError(t, subject, bad.findZones(subject.zoneName), 'auth')
      await expectError(t, subject, bad.readRRset(zone, 'www', 'A'), 'auth')
      await expectError(t, subject, bad.apply(zone, [edit('www', 'A', [add('192.0.2.1')])]), 'auth')
    },
  },
  {
    name: 'zones: list, find, missing',
    needs: ['records'],
    async run(t, { subject, adapter, zone: { id, name } }) {
      t.equal(name, subject.zoneName)
      const zones = await zonesOf(adapter)
      t.match(
        zones.filter((zone) => zone.name === name),
        [{ id, name }],
        'listed once',
      )
      t.same(await adapter.findZones(subject.missingZone.name), [])
      t.same(await adapter.findZones(`sub.${subject.zoneName}`), [], 'a name below is another zone')
      const [, parent = ''] = subject.zoneName.split(/\.(.*)/)
      t.same(await adapter.findZones(parent), [], 'and so is the name above')
    },
  },
  {
    name: 'zones: create, delete, each of them twice',
    needs: ['createZone', 'deleteZone'],
    async run(t, { subject, adapter }) {
      const name = `created.${subject.zoneName}`
      const isThere = subject.provider.capabilities.truth === 'provider'
      const zone = await adapter.createZone(newZone(name))
      t.equal(zone.name, name)
      t.match(await adapter.findZones(name), [{ id: zone.id, name }])
      if (isThere) await expectError(t, subject, adapter.createZone(newZone(name)), 'conflict')
      await t.resolves(adapter.deleteZone(zone))
      if (isThere) t.same(await adapter.findZones(name), [])
      await t.resolves(adapter.deleteZone(zone), 'deleting a missing zone succeeds')
    },
  },
  {
    name: 'SOA: read',
    needs: ['readSoa'],
    async run(t, { adapter, zone }) {
      const soa = await adapter.readSoa?.(zone)
      t.match(soa, { primary: /./, mailbox: /./, serial: Number, minimum: Number, ttl: Number })
    },
  },
  {
    name: 'SOA: write',
    needs: ['writeSoa'],
    async run(t, { subject, adapter, zone, list }) {
      const before = await adapter.readSoa?.(zone)
      if (before === undefined) throw new Error('An SOA that can be written can be read')
      const wanted = { ...before, mailbox: 'host\\.master.example.net', refresh: before.refresh + 1 }
      await adapter.writeSoa?.(zone, wanted)
      const after = await adapter.readSoa?.(zone)
      t.match(after, { mailbox: wanted.mailbox, refresh: wanted.refresh, retry: wanted.retry })
      // RFC 1982, of numbers that are near each other.
      t.ok((((after?.serial ?? 0) - before.serial) | 0) > 0, 'the serial is higher')
      t.same(await subject.dump(), [], 'and nothing else changed')
      t.notOk(
        (await list()).unmanaged.some(({ type }) => type === 'SOA'),
        'it is not listed',
      )
    },
  },
  {
    name: 'DNSSEC: read',
    needs: ['readDnssec'],
    async run(t, { adapter, zone }) {
      const { signed, ds } = (await adapter.readDnssec?.(zone)) ?? { signed: null, ds: [] }
      // Some providers sign every zone.
      t.type(signed, 'boolean')
      t.equal(ds.length > 0, signed, 'what is signed has its DS')
      for (const value of ds) t.equal(typeOf('DS').read(value), value, 'canonical')
    },
  },
  {
    name: 'DNSSEC: on and off, each of them twice',
    needs: ['writeDnssec'],
    async run(t, { adapter, zone }) {
      await adapter.writeDnssec?.(zone, true)
      const signed = await adapter.readDnssec?.(zone)
      t.match(signed, { signed: true, ds: [/^\d+ \d+ \d+ [0-9a-f]+$/] })
      await adapter.writeDnssec?.(zone, true)
      t.same(await adapter.readDnssec?.(zone), signed, 'with the same keys')
      for (let i = 0; i < 2; i++) await adapter.writeDnssec?.(zone, false)
      t.same(await adapter.readDnssec?.(zone), { signed: false, ds: [] })
    },
  },
  {
    name: 'NS at the apex',
    needs: ['apexNs'],
    async run(t, { adapter, zone, list, apply, subject }) {
      if (subject.provider.capabilities.truth === 'local') return void t.pass('nothing is held there')
      const servers = ['ns1.example.net', 'ns2.example.net', 'ns3.example.net']
      const held = async () => {
        const set = (await list()).rrsets.find(({ name, type }) => name === '@' && type === 'NS')
        return (set?.members ?? []).map(({ value }) => value).filter((value) => servers.includes(value))
      }
      await apply([edit('@', 'NS', servers.map(add))])
      t.same(await held(), servers)
      await apply([edit('@', 'NS', [remove('ns2.example.net')])])
      t.same(await held(), ['ns1.example.net', 'ns3.example.net'])
      t.ok(await adapter.readRRset(zone, '@', 'NS'))
    },
  },
  {
    name: 'applying answers an outcome for each change',
    async run(t, { subject, adapter, zone, sent }) {
      t.same(await applyEdits(adapter, zone, []), [])
      const changes = [remove('192.0.2.1'), add('192.0.2.1')]
      const edits = await sent([
        edit('a', 'A', [add('192.0.2.1')]),
        edit('b', 'A', []),
        edit('c', 'A', changes),
      ])
      const outcomes = []
      for (const batch of batchesOf(edits, subject.provider.capabilities))
        outcomes.push(...(await applyEdits(adapter, zone, batch)))
      t.match(outcomes, [[{ ok: true }], { length: 0 }, [{ ok: true }, { ok: true }]])
    },
  },
]
