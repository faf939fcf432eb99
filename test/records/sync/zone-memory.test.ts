import t from 'tap'
import { startApp, type Client } from '../../helpers/app.ts'
import { until } from '../../helpers/until.ts'
import { addDomain, addPowerDns, startFake } from '../../helpers/zone.ts'

/* How many zones are read at a time: here one of each owner and two in all, as each may be as large as the largest. */
const environment = { MAX_ZONE_RECORDS: '1000' }
const { addUser, signIn } = await startApp(t, { environment, providerBudgetMs: 6_000 })

let count = 0
async function zoneOf(client: Client) {
  const fake = await startFake(t)
  const name = `zone${count++}.example.com`
  fake.createZone(name)
  const { id } = await addDomain(client, await addPowerDns(client, fake, name), name)
  const before = fake.requests.length
  const isRead = () => fake.requests.length > before
  return { fake, id, isRead, sync: () => client.post(`/api/domains/${id}/sync`) }
}

async function member(name: string): Promise<Client> {
  await addUser(name)
  return signIn(name)
}

void t.test('86. zones wait for memory, those of one owner first', async (t) => {
  const [ada, bob, eve] = [await member('ada'), await member('bob'), await member('eve')]
  const zones = [await zoneOf(ada), await zoneOf(ada), await zoneOf(bob), await zoneOf(eve)] as const
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  for (const { fake } of zones) fake.fail({ on: 'read', kind: 'late', until: () => held })

  const [first, second, bobs, eves] = zones
  const begun = [first.sync()]
  await until('the first is being read', first.isRead)
  begun.push(second.sync(), bobs.sync())
  await until('that of another owner is read', bobs.isRead)
  t.notOk(second.isRead(), 'the next of the same owner waits')
  const refused = await eves.sync()
  t.match(refused, { status: 503, headers: { 'retry-after': '5' }, body: { code: 'unavailable' } })
  t.notOk(eves.isRead(), 'two are enough')

  begun.push(eves.sync())
  release()
  t.same(
    (await Promise.all(begun)).map(({ status }) => status),
    // Who came first has waited too long, too, for the one that was held until now.
    [200, 503, 200, 200],
  )
  t.match(await second.sync(), { status: 200 })
  t.match((await ada.get(`/api/domains/${second.id}`)).body, { lastSyncError: null })
})

void t.test('a zone larger than expected is read completely', async (t) => {
  const small = await startApp(t, { environment: { MAX_ZONE_RECORDS: '20000' } })
  const fake = await startFake(t)
  fake.createZone('grown.example.com')
  const records = Array.from({ length: 12_000 }, (_, i) => ({
    name: `h${i}.grown.example.com.`,
    type: 'A',
    ttl: 300,
    changetype: 'REPLACE',
    records: [{ content: '192.0.2.1', disabled: false }],
  }))
  fake.patch('grown.example.com', records)
  const { id } = await addDomain(small.admin, await addPowerDns(small.admin, fake), 'grown.example.com')
  await until('it was read', async () => {
    const { body } = await small.admin.get(`/api/domains/${id}`)
    return body.recordCount === 12_000
  })
})
