import t from 'tap'
import { statementsOf } from '../../../scripts/bench/statements.ts'
import { startApp, type Client } from '../../helpers/app.ts'
import { addDomain, addManual, addPowerDns, startFake } from '../../helpers/zone.ts'

/* Zones that are imported with one call, and so stored together, in comparison with those imported alone. */
const { admin, addUser, signIn, database } = await startApp(t)
const fake = await startFake(t)
await addUser('ada')
const ada = await signIn('ada')
const configId = await addPowerDns(ada, fake)

const addZone = (name: string, { size = 2 }: { size?: number } = {}) => {
  fake.createZone(name)
  fake.patch(name, [
    ...Array.from({ length: size }, (_, i) => ({
      name: `host-${i}.${name}.`,
      type: 'A',
      ttl: 300,
      changetype: 'REPLACE',
      records: [{ content: '192.0.2.1', disabled: i === 1 }],
    })),
    {
      name: `own.${name}.`,
      type: 'LUA',
      ttl: 60,
      changetype: 'REPLACE',
      records: [{ content: `A "ifportup(443, {'192.0.2.1'})"`, disabled: false }],
    },
  ])
  return name
}
const addZones = (...names: string[]) => names.map((name) => addZone(name))
const imports = async (zones: string[], { client = ada, providerConfigId = configId } = {}) => {
  const { status, body } = await client.post('/api/domains/import', { providerConfigId, zones })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.results as {
    zone: string
    success: boolean
    domainId: string
    problem: { code: string } | null
  }[]
}
const calls = async (work: () => Promise<unknown>) => {
  const before = fake.requests.length
  await work()
  return fake.requests.length - before
}
const isRegistered = async (name: string) =>
  (await admin.get(`/api/domains?search=${name}`)).body.domains.some(
    (one: { name: string }) => one.name === name,
  )

/** Everything that can be seen of a domain, without what differs between any two. */
async function shownOf(client: Client, id: string, name: string) {
  const base = `/api/domains/${id}`
  const paths = [
    base,
    `${base}/records?limit=200`,
    `${base}/records/unmanaged`,
    `${base}/changes`,
    `${base}/soa`,
  ]
  const audit = `/api/audit?target=${id}`
  const answers = await Promise.all([
    ...paths.map((path) => client.get(path)),
    admin.get(audit),
    database.db
      .selectFrom('domains')
      .selectAll()
      .where('id', '=', id)
      .execute()
      .then((body) => ({ body })),
  ])
  const text = JSON.stringify(answers.map(({ body }) => body))
  return JSON.parse(
    text
      .replaceAll(name, 'NAME')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, 'ID')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'),
  )
}

void t.test('a zone is the same whether it is imported alone or with others', async (t) => {
  addZones('alone.test', 'first.test', 'second.test')
  const [alone] = await imports(['alone.test'])
  const [first, second] = await imports(['first.test', 'second.test'])
  t.match([alone, first, second], [{ success: true }, { success: true }, { success: true }])
  t.same({ ...first, zone: '', domainId: '' }, { ...alone, zone: '', domainId: '' })
  const wanted = await shownOf(ada, alone?.domainId ?? '', 'alone.test')
  t.same(await shownOf(ada, first?.domainId ?? '', 'first.test'), wanted)
  t.same(await shownOf(ada, second?.domainId ?? '', 'second.test'), wanted)
  const { body } = await ada.get(`/api/domains/${first?.domainId}/records?limit=200`)
  t.equal(body.records.length, 2)
  const synced = await ada.post(`/api/domains/${first?.domainId}/sync`)
  t.match(synced.body, { created: 0, updated: 0, deleted: 0 }, 'nothing is left to sync')
})

void t.test('the number of statements does not grow with that of the zones', async (t) => {
  const [few, many] = [
    addZones('few-1.test', 'few-2.test'),
    addZones(...Array.from({ length: 12 }, (_, i) => `many-${i}.test`)),
  ]
  const inTransaction = async (zones: string[]) => {
    const texts = (await statementsOf(() => imports(zones))).map(({ text }) => text)
    return texts.filter((text) =>
      /insert into "?(domains|records|changes|change_items|audit|domain_lists|events)\b/.test(text),
    ).length
  }
  t.equal(await inTransaction(many), await inTransaction(few))
})

void t.test('a zone that was just listed costs one call of its provider', async (t) => {
  const zones = addZones('listed-1.test', 'listed-2.test', 'listed-3.test')
  t.equal((await ada.get(`/api/provider-configs/${configId}/zones`)).status, 200)
  t.equal(await calls(() => imports(zones)), 3)
  t.equal(await calls(() => imports(addZones('unlisted-1.test', 'unlisted-2.test'))), 4)
})

void t.test('a zone that is gone since it was listed is not registered', async (t) => {
  const zones = addZones('stays.test', 'goes.test')
  await ada.get(`/api/provider-configs/${configId}/zones`)
  fake.deleteZone('goes.test')
  t.match(await imports(zones), [
    { zone: 'stays.test', success: true },
    { zone: 'goes.test', success: false, domainId: null, problem: { errors: [{ code: 'zone_missing' }] } },
  ])
  t.notOk(await isRegistered('goes.test'))
})

void t.test('each zone that can not be stored with the others has its own result', async (t) => {
  const others = await addManual(admin, 'other')
  await addDomain(admin, others, 'taken.test')
  await addDomain(admin, others, 'deep.above.test')
  addZones('plain-1.test', 'below.taken.test', 'above.test', 'known.test', 'plain-2.test')
  addZone('large.test', { size: 600 })
  await imports(['known.test'])
  const zones = [
    'plain-1.test',
    'below.taken.test',
    'above.test',
    'known.test',
    'missing.test',
    'co.uk',
    'large.test',
    'plain-2.test',
  ]
  const results = await imports(zones)
  t.same(
    results.map(({ zone }) => zone),
    zones,
    'in the order of the request',
  )
  t.match(results, [
    { success: true, synced: 2 },
    { success: false, domainId: null, problem: { code: 'forbidden', reason: 'name_proof_required' } },
    { success: false, domainId: null, problem: { code: 'forbidden', reason: 'name_proof_required' } },
    { success: false, domainId: null, problem: { code: 'conflict' } },
    { success: false, domainId: null, problem: { code: 'validation_failed' } },
    { success: false, domainId: null, problem: { code: 'validation_failed' } },
    { success: true, synced: 600 },
    { success: true, synced: 2 },
  ])
  t.notOk(await isRegistered('below.taken.test'))
  t.equal((await ada.get('/api/domains?search=above.test')).body.total, 0)
})

void t.test('of two imports of the same zones one has each', async (t) => {
  const zones = addZones(...Array.from({ length: 6 }, (_, i) => `race-${i}.test`))
  const [one, other] = await Promise.all([imports(zones), imports(zones.toReversed())])
  for (const zone of zones) {
    const successes = [...(one ?? []), ...(other ?? [])].filter(
      (result) => result.zone === zone && result.success,
    )
    t.equal(successes.length, 1, zone)
  }
  const { body } = await ada.get('/api/domains?search=race-&limit=100')
  t.equal(body.total, zones.length)
})
