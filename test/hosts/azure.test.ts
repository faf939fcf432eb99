import t from 'tap'
import azure from '../../modules/providers/adapters/azure/index.ts'
import type { RRset } from '../../modules/providers/contract.ts'
import { azureSubject } from '../conformance/subjects/azure-subject.ts'
import { conformance } from '../conformance/suite/index.ts'
import {
  add,
  applyEdits,
  edit,
  expectError,
  open,
  remove,
  replace,
  rrset,
  start,
} from '../conformance/suite/subject.ts'
import { startAzureSimulator } from '../conformance/simulators/azure.ts'

const [A, B, C] = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
const NOBODY = '00000000-0000-4000-8000-000000000000'

void t.test('Azure DNS', async (t) => {
  const sim = await startAzureSimulator()
  t.teardown(() => sim.close())
  const makeSubject = () => azureSubject(azure, sim)
  const zoneOf = (zoneName: string) => sim.zones().find(({ name }) => name === zoneName)
  await conformance(t, 'conformance', makeSubject)

  await t.test('of many that change the same set at once nothing is lost', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    await subject.seed([rrset('www', 'A', [A])])
    const other = await open(t, subject)
    await Promise.all([
      applyEdits(adapter, zone, [edit('www', 'A', [add(B)])]),
      applyEdits(other, zone, [edit('www', 'A', [add(C)])]),
      applyEdits(adapter, zone, [edit('new', 'A', [add(B)])]),
      applyEdits(other, zone, [edit('new', 'A', [add(C)])]),
    ])
    t.same(await subject.dump(), [rrset('new', 'A', [B, C]), rrset('www', 'A', [A, B, C])])
  })

  await t.test('an alias is shown, and nothing is written over it', async (t) => {
    const { subject, adapter, zone, list, apply } = await start(t, makeSubject)
    const id = `/subscriptions/${sim.subscriptionId}/resourceGroups/web/providers/x/publicIPAddresses/ip`
    zoneOf(subject.zoneName)?.put('A', '@', { properties: { TTL: 60, targetResource: { id } } })
    t.match((await list()).unmanaged, [{ name: '@', type: 'A', ttl: 60, value: `alias of ${id}` }])
    await apply([edit('@', 'A', [remove(A)])])
    const call = adapter.apply(zone, [edit('@', 'A', [add(A)])])
    t.match(await expectError(t, subject, call, 'rejected'), { message: /alias of/ })
    t.match(zoneOf(subject.zoneName)?.get('A', '@'), { properties: { targetResource: { id } } })
  })

  await t.test('metadata is shown, kept, and there again after an undo', async (t) => {
    const { subject, adapter, zone, apply } = await start(t, makeSubject)
    const there = zoneOf(subject.zoneName)
    const metadata = { owner: 'somebody' }
    there?.put('TXT', 'empty', { properties: { TTL: 3600, TXTRecords: [], metadata } })
    await apply([edit('empty', 'TXT', [add('full')])])
    const set = (await adapter.readRRset(zone, 'empty', 'TXT')) as RRset
    t.match(set, { extra: { metadata }, members: [{ value: 'full' }] })
    await apply([edit('empty', 'TXT', [remove('full')])])
    t.equal(there?.get('TXT', 'empty'), undefined)
    await apply([{ ...edit('empty', 'TXT', [add('full')]), extra: set.extra ?? null }])
    t.match(there?.get('TXT', 'empty'), { properties: { metadata } })
    await apply([edit('empty', 'TXT', [replace('full', 'fuller')])])
    t.match(there?.get('TXT', 'empty'), { properties: { metadata } })
  })

  await t.test('what is wrong with the credentials is told apart', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    const as = (credentials: object) => open(t, subject, { ...subject.credentials, ...credentials })
    const wrong = async (credentials: object, kind: 'auth' | 'not_found', message: RegExp) =>
      t.match(await expectError(t, subject, (await as(credentials)).verify(), kind), { message })
    await wrong({ clientSecret: 'wrong' }, 'auth', /client secret/)
    await wrong({ clientId: NOBODY }, 'auth', /check clientId/)
    await wrong({ tenantId: NOBODY }, 'auth', /check tenantId/)
    await wrong({ subscriptionId: NOBODY }, 'not_found', /this subscription/)
    await wrong({ resourceGroup: 'another' }, 'not_found', /this resource group/)
    const reader = await as({ ...sim.reader })
    await t.resolves(reader.verify())
    await expectError(t, subject, reader.apply(zone, [edit('www', 'A', [add(A)])]), 'forbidden')
    await adapter.verify()
    sim.login.tokens.revoke()
    await t.resolves(adapter.verify(), 'a token that ended early is asked for anew')
  })
})
