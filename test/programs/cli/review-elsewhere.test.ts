import t from 'tap'
import { startCli } from './program.ts'
import { addDomain, addManual } from '../../helpers/zone.ts'

/* A domain under review among others: what a write over many domains, a template and an undo do with it. */
const { admin, domainId: free, zk } = await startCli(t)
const { id: reviewed } = await addDomain(admin, await addManual(admin, 'second'), 'reviewed.example')
for (const id of [free, reviewed])
  await admin.post(`/api/domains/${id}/records`, { recordType: 'A', name: 'www', value: '192.0.2.10' })

const policy = (reviewPolicy: string) => admin.put(`/api/domains/${reviewed}`, { reviewPolicy })
const values = async (id: string) =>
  (await admin.get(`/api/domains/${id}/records?type=A`)).body.records.map(
    ({ value }: { value: string }) => value,
  )

await t.test('a replacement changes the others and says what was left out', async (t) => {
  await policy('everyone')
  const { exit, out } = await zk('replace 192.0.2.10 192.0.2.20 -y')
  t.match({ exit, out }, { exit: 8, out: /example\.com applied.*reviewed\.example refused/s })
  t.same([await values(free), await values(reviewed)], [['192.0.2.20'], ['192.0.2.10']])
})

await t.test('a template, too', async (t) => {
  t.match(await zk('templates apply parked reviewed.example -y'), { exit: 8 })
  const { body } = await admin.get(`/api/domains/${reviewed}/records?type=TXT`)
  t.same(body.records, [])
})

await t.test('an undo', async (t) => {
  await policy('none')
  const { id } = JSON.parse((await zk('replace 192.0.2.0/24 198.51.100.0/24 --yes --json')).out)
  t.same([await values(free), await values(reviewed)], [['198.51.100.20'], ['198.51.100.10']])
  await policy('everyone')
  t.match(await zk(`operations undo ${id} -y`), { exit: 8, out: /reviewed\.example refused/ })
  t.same([await values(free), await values(reviewed)], [['192.0.2.20'], ['198.51.100.10']])
})
