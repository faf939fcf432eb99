import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { startZone, unsettled } from '../../helpers/zone.ts'

const zone = await startZone(t)
const { admin, url, there } = zone
const post = (recordType: string, name: string, value: string) =>
  admin.post(url, { recordType, name, value, ttl: 300 })
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => String(status)).sort()

void t.test('parallel creates in one RRset are all kept', async (t) => {
  const answers = await Promise.all(numbers(15).map((i) => post('A', 'many', `192.0.2.${i}`)))
  t.same(new Set(statuses(answers)), new Set(['201']))
  t.equal(there('many', 'A').length, 15)
  t.match(await admin.get(`${url}?search=many`), { body: { total: 15 } })
})

void t.test('parallel changes of different kinds in one RRset', async (t) => {
  const made = await Promise.all(numbers(10).map((i) => zone.add('A', 'mixed', `192.0.2.${i}`)))
  const answers = await Promise.all([
    ...made.slice(0, 5).map(({ id }) => admin.delete(`${url}/${id}`)),
    ...made.slice(5).map(({ id }, i) => admin.put(`${url}/${id}`, { value: `192.0.2.${100 + i}` })),
    ...numbers(5).map((i) => post('A', 'mixed', `192.0.2.${200 + i}`)),
  ])
  t.ok(answers.every(({ status }) => status < 300))
  const expected = [100, 101, 102, 103, 104, 200, 201, 202, 203, 204].map((i) => `192.0.2.${i}`)
  t.same(there('mixed', 'A'), expected)
  t.same(
    (await zone.here()).filter((line) => line.startsWith('mixed ')),
    expected.map((value) => `mixed A ${value}`),
  )
})

void t.test('only one of a CNAME and an A at one name is created', async (t) => {
  for (const i of numbers(5)) {
    const name = `race-${i}`
    const answers = await Promise.all([post('CNAME', name, 'x.example.net'), post('A', name, '192.0.2.1')])
    t.same(statuses(answers), ['201', '409'])
    t.equal(there(name, 'A').length + there(name, 'CNAME').length, 1)
  }
})

void t.test('only one of several equal records is created', async (t) => {
  const answers = await Promise.all(numbers(8).map(() => post('A', 'equal', '192.0.2.1')))
  t.same(statuses(answers), ['201', ...numbers(7).map(() => '409')])
  t.same(there('equal', 'A'), ['192.0.2.1'])
})

void t.test('only one of several updates of the same version succeeds', async (t) => {
  const { id } = await zone.add('A', 'version', '192.0.2.1')
  const answers = await Promise.all(
    numbers(6).map((i) => admin.put(`${url}/${id}`, { value: `192.0.2.${10 + i}`, version: 1 })),
  )
  t.same(statuses(answers), ['200', ...numbers(5).map(() => '409')])
  const won = answers.find(({ status }) => status === 200)?.body
  t.same(there('version', 'A'), [won.value])
  t.match(await admin.get(`${url}?search=version`), { body: { records: [{ value: won.value, version: 2 }] } })
})

void t.test('two instances serialize on the database', async (t) => {
  const other = await startApp(t, { database: zone.database, alone: false })
  const answers = await Promise.all(
    numbers(16).map((i) =>
      (i % 2 === 0 ? admin : other.admin).post(url, { recordType: 'A', name: 'two', value: `192.0.2.${i}` }),
    ),
  )
  t.same(new Set(statuses(answers)), new Set(['201']))
  t.equal(there('two', 'A').length, 16)
})

void t.test('counts are right and nothing is left locked', async (t) => {
  const here = await zone.here()
  t.match(await admin.get(`/api/domains/${zone.domainId}`), { body: { recordCount: here.length } })
  t.same(await unsettled(zone), [0, 0, 0])
  t.match(await admin.post(`/api/domains/${zone.domainId}/sync?dryRun=true`), {
    body: { created: 0, updated: 0, deleted: 0, unchanged: here.length },
  })
})
