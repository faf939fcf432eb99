import t from 'tap'
import manual from '../../modules/providers/adapters/manual/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import { start, zonesOf, type Subject } from '../conformance/suite/subject.ts'

const makeSubject = async (): Promise<Subject> => ({
  provider: manual,
  credentials: {},
  zoneName: 'example.test',
  missingZone: { id: 'missing.test', name: 'missing.test' },
  seed: async () => undefined,
  dump: async () => [],
  close: async () => undefined,
})

void conformance(t, 'manual', makeSubject)

void t.test('manual holds nothing', async (t) => {
  const { adapter, zone, list } = await start(t, makeSubject)
  t.same(await list(), { rrsets: [], unmanaged: [] })
  t.equal(await adapter.readRRset(zone, 'www', 'A'), null)
  t.same(await zonesOf(adapter), [])
  t.same(await adapter.findZones('any.name.test'), [{ id: 'any.name.test', name: 'any.name.test' }])
})
