import t from 'tap'
import type { MetadataOf } from '../../../schemas/events/event-catalogue.ts'
import { startApp } from '../../helpers/app.ts'
import { hear } from '../../helpers/events.ts'
import { addDomain, addManual } from '../../helpers/zone.ts'

/* Three instances on one database; each event is told by one of them. */
const first = await startApp(t, { alone: false })
const { admin, database } = first
const { db } = database
const others = await Promise.all([1, 2].map(() => startApp(t, { database, alone: false })))
const apps = [first, ...others].map(({ app }) => app)
type Told = MetadataOf<'domain.expiring'> & { event: string; id: string }
const told: Told[] = []
const heard = apps.map((app) => hear(app, 'domain.expiring', 'domain.expired'))

const config = await addManual(admin)
const DAY = 24 * 3600 * 1000
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()
async function sweep() {
  await Promise.all(apps.map((app) => app.work.run('expiry.reminders')))
  for (const events of heard) {
    told.push(...(await events()).map(({ id, name, payload }) => ({ ...payload.metadata, event: name, id })))
  }
}
const of = (name: string) => told.filter(({ domainName }) => domainName === name)
const leadsOf = (name: string) => of(name).map(({ leadDays }) => leadDays)
const rowOf = (name: string) =>
  db.selectFrom('domains').selectAll().where('name', '=', name).executeTakeFirstOrThrow()

/** As if so much time had gone by: the date comes nearer, and so does what is due. */
async function pass(name: string, days: number) {
  const { id, expires_at, reminder_due_at } = await rowOf(name)
  const earlier = (date: Date | null) => date && new Date(date.getTime() - days * DAY)
  await db
    .updateTable('domains')
    .set({ expires_at: earlier(expires_at), reminder_due_at: earlier(reminder_due_at) })
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('expiry_reminders')
    .set({ expires_at: earlier(expires_at) as Date })
    .where('domain_id', '=', id)
    .execute()
}

void t.test('each lead time is told once, as it is passed, and the end once', async (t) => {
  const name = 'once.example'
  const { id } = await addDomain(admin, config, name, { expiresAt: inDays(40) })
  await sweep()
  t.same(of(name), [], 'nothing is near')
  const due = (await rowOf(name)).reminder_due_at as Date
  t.equal(Math.round((due.getTime() - Date.now()) / DAY), 10, 'looked at again when the first is passed')

  for (const [days, leads] of [
    [11, [30]],
    [10, [30]],
    [6, [30, 14]],
    [7, [30, 14, 7]],
    [5, [30, 14, 7, 1]],
  ] as const) {
    await pass(name, days)
    await sweep()
    await sweep()
    t.same(leadsOf(name), leads)
  }
  await pass(name, 2)
  await sweep()
  await sweep()
  const [last] = of(name).slice(-1)
  t.match(last, { event: 'domain.expired', domainId: id, daysLeft: 0, leadDays: null })
  t.equal(of(name).length, 5)
  t.equal((await rowOf(name)).reminder_due_at, null, 'and nothing is left to come')
  t.equal(new Set(of(name).map((event) => event.id)).size, 5, 'each is an event of its own')
})

void t.test('what was passed together is told as one: the nearest', async (t) => {
  const late = 'late.example'
  await addDomain(admin, config, late, { expiresAt: inDays(10) })
  await sweep()
  t.same(leadsOf(late), [14])
  t.match(of(late), [{ daysLeft: 10, domainName: late }])
  await pass(late, 9.5)
  await sweep()
  t.same(leadsOf(late), [14, 1], 'after days of downtime')

  const over = 'over.example'
  await addDomain(admin, config, over, { expiresAt: inDays(-3) })
  await sweep()
  await sweep()
  t.same(leadsOf(over), [null], 'past the date no lead time')
})

void t.test('a new date begins anew, an old one does not', async (t) => {
  const name = 'renewed.example'
  const { id } = await addDomain(admin, config, name, { expiresAt: inDays(5) })
  await sweep()
  t.same(leadsOf(name), [7])
  const before = (await rowOf(name)).expires_at?.toISOString()
  await admin.put(`/api/domains/${id}/expiry`, { expiresAt: inDays(370) })
  await sweep()
  t.same(leadsOf(name), [7], 'renewed: silence')
  await admin.put(`/api/domains/${id}/expiry`, { expiresAt: before })
  await sweep()
  t.same(leadsOf(name), [7], 'the date of before was told')
  await admin.put(`/api/domains/${id}/expiry`, { expiresAt: inDays(6) })
  await sweep()
  t.same(leadsOf(name), [7, 7])
  await admin.put(`/api/domains/${id}/expiry`, { expiresAt: null })
  t.equal((await rowOf(name)).reminder_due_at, null)
})

void t.test('lead times that change count from then on', async (t) => {
  const name = 'leads.example'
  const { id } = await addDomain(admin, config, name, { expiresAt: inDays(20), expiryRemindDays: [7] })
  await sweep()
  t.same(leadsOf(name), [])
  await admin.put(`/api/domains/${id}/expiry-remind`, { expiryRemindDays: [7, 25] })
  await sweep()
  t.same(leadsOf(name), [25])
  await admin.put('/api/domains/bulk', { ids: [id], set: { expiryRemindDays: [21, 30] } })
  await sweep()
  t.same(leadsOf(name), [25, 21], 'a nearer one that was passed is news; one farther off is not')
  await admin.put(`/api/domains/${id}`, { expiryRemindDays: [28] })
  await sweep()
  t.same(leadsOf(name), [25, 21])
  await admin.put(`/api/domains/${id}`, { expiryRemindDays: [] })
  await sweep()
  t.equal((await rowOf(name)).reminder_due_at?.getTime(), (await rowOf(name)).expires_at?.getTime())
})

void t.test('many domains by many instances, each once', async (t) => {
  await addDomain(admin, config, 'model.example')
  const model = await rowOf('model.example')
  const names = Array.from({ length: 1_300 }, (_, n) => `many-${n}.example`)
  await db
    .insertInto('domains')
    .values(
      names.map((name) => ({
        ...model,
        id: crypto.randomUUID(),
        name,
        unicode_name: name,
        expires_at: new Date(Date.now() + 2 * DAY),
        reminder_due_at: new Date(),
      })),
    )
    .execute()
  await sweep()
  await sweep()
  const many = told.filter(({ domainName }) => domainName.startsWith('many-'))
  t.equal(many.length, names.length)
  t.equal(new Set(many.map(({ domainName }) => domainName)).size, names.length)
})
