import type { KyselyPlugin } from 'kysely'
import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { startZone } from '../../helpers/zone.ts'

void t.test('ten thousand records in a constant number of statements for each thousand', async (t) => {
  let statements = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements++
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const { database } = await startApp(t)
  const zone = await startZone(t, { database: { ...database, db: database.db.withPlugin(counting) } })
  const rrsets = (octet: number) =>
    Array.from({ length: 10_000 }, (_, i) => ({
      name: `h${i}.example.com.`,
      type: 'A',
      ttl: 300,
      changetype: 'REPLACE',
      records: [{ content: `192.0.${octet}.${i % 250}`, disabled: false }],
    }))
  const sync = async (query = '') => {
    statements = 0
    const { status, body } = await zone.admin.post(`/api/domains/${zone.domainId}/sync${query}`)
    t.equal(status, 200)
    const { synced, created, deleted, unchanged } = body
    t.equal(body.difference.created.length, Math.min(created, 100))
    return { synced, created, deleted, unchanged, statements }
  }
  zone.fake.patch('example.com', rrsets(2))
  const first = await sync()
  t.match(first, { synced: 10_000, created: 10_000, unchanged: 0 })
  t.ok(first.statements <= 42, `${first.statements} statements to create`)
  const second = await sync()
  t.match(second, { synced: 10_000, created: 0, unchanged: 10_000 })
  t.ok(second.statements <= 30, `${second.statements} statements to compare`)
  zone.fake.patch('example.com', rrsets(3))
  const third = await sync('?force=true')
  t.match(third, { created: 10_000, deleted: 10_000 })
  t.ok(third.statements <= 77, `${third.statements} statements to replace`)
  t.match(await zone.admin.get(`/api/domains/${zone.domainId}`), { body: { recordCount: 10_000 } })
})
