import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import t from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { isProblem } from '../../helpers/problem.ts'
import { startZone } from '../../helpers/zone.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'zonekeeper-archive-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const zone = await startZone(t, {
  environment: { HISTORY_MONTHS: '2', AUDIT_MONTHS: '3', ARCHIVE_DIR: path.join(folder, 'archive') },
})
const { admin, app, database, domainId } = zone
const { db } = database
const base = `/api/domains/${domainId}`

const monthsAgo = (months: number, day = 1) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, day))
}
const fileOf = (kind: string, months: number) =>
  path.join(folder, 'archive', `${kind}-${monthsAgo(months).toISOString().slice(0, 7)}-1.ndjson.gz`)
const linesOf = (file: string) =>
  gunzipSync(readFileSync(file))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** A change that was settled at that time, with so many items. */
async function addChange(settledAt: Date, { items = 1, lookAgain = false } = {}): Promise<string> {
  const id = uuidv7({ msecs: settledAt.getTime() })
  await sql`
    insert into changes (id, domain_id, actor_name, source, status, lease_until, created_at, settled_at, look_again)
    values (${id}, ${domainId}, 'ada', 'batch', 'applied', now(), ${settledAt}, ${settledAt}, ${lookAgain})
  `.execute(db)
  await sql`
    insert into change_items (change_id, position, action, record_id, name, type, after, outcome)
    select ${id}::uuid, position, 'create', gen_random_uuid(), 'host-' || position, 'A',
      jsonb_build_object('name', 'host-' || position, 'type', 'A', 'value', '192.0.2.1', 'ttl', 300,
        'priority', null, 'proxied', null), 'applied'
    from generate_series(0, ${items - 1}::int) as position
  `.execute(db)
  return id
}

await sql`update domains set created_at = ${monthsAgo(12)} where id = ${domainId}`.execute(db)
const [old, large, pending, unconfirmed, kept] = await Promise.all([
  addChange(monthsAgo(4)),
  addChange(monthsAgo(3), { items: 600 }),
  addChange(monthsAgo(5), { lookAgain: true }),
  addChange(monthsAgo(6)),
  addChange(monthsAgo(2)),
])
await sql`
  insert into confirmations (change_id, domain_id, minutes, status, confirm_by)
  values (${unconfirmed}, ${domainId}, 10, 'unconfirmed', now())
`.execute(db)
const addEntry = (at: Date, targetName: string) =>
  sql`
  insert into audit (id, at, actor_name, action, target_type, target_name)
  values (${uuidv7()}, ${at}, 'ada', 'domain.updated', 'domain', ${targetName})
`.execute(db)
await addEntry(monthsAgo(4), 'old.example')
await addEntry(monthsAgo(3), 'kept.example')

const restore = (at: Date, apply = false) => admin.post(`${base}/restore`, { at: at.toISOString(), apply })

void t.test('a restore reaches back as far as the history', async (t) => {
  t.equal((await restore(monthsAgo(4, 2))).status, 200, 'before anything is deleted')
  await app.work.run('history.retention')
  for (const apply of [false, true]) {
    const answer = await restore(monthsAgo(4, 2), apply)
    isProblem(t, answer, 400, 'validation_failed')
    t.match(answer.body.errors, [{ path: '/at', code: 'before_history' }])
  }
  t.equal((await restore(monthsAgo(2, 2))).status, 200)
})

void t.test('old changes are in files, and no longer in the history', async (t) => {
  const there = async (id: string) => (await admin.get(`${base}/changes/${id}`)).status
  t.same(await Promise.all([old, large].map(there)), [404, 404])
  t.same(await Promise.all([pending, unconfirmed, kept].map(there)), [200, 200, 200], 'needed or recent')
  isProblem(t, await admin.post(`${base}/changes/${old}/revert`), 404, 'not_found')

  t.match(linesOf(fileOf('history', 4)), [
    { id: old, domainId, actor: { name: 'ada' }, items: [{ after: { name: 'host-0', value: '192.0.2.1' } }] },
  ])
  const lines = linesOf(fileOf('history', 3))
  t.ok(lines.length > 1, 'a large change has several lines')
  t.same(new Set(lines.map(({ id }) => id)), new Set([large]))
  t.same(
    lines.flatMap(({ items }) => items.map(({ after }: { after: { name: string } }) => after.name)),
    Array.from({ length: 600 }, (_, i) => `host-${i}`),
  )
  t.same(
    await sql`select 1 from change_items where change_id = ${large}`.execute(db).then(({ rows }) => rows),
    [],
  )
  t.equal(readdirSync(path.join(folder, 'archive')).length, 2)
})

void t.test('a change that was needed is deleted once it is not', async (t) => {
  await sql`update changes set look_again = false where id = ${pending}`.execute(db)
  await app.work.run('history.retention')
  t.match(linesOf(fileOf('history', 5)), [{ id: pending }])
  t.equal((await admin.get(`${base}/changes/${pending}`)).status, 404)
})

void t.test('the audit log has a limit of its own', async (t) => {
  t.notOk(existsSync(fileOf('audit', 4)))
  await app.work.run('audit.retention')
  t.match(linesOf(fileOf('audit', 4)), [
    { action: 'domain.updated', actor: { name: 'ada' }, target: { name: 'old.example' } },
  ])
  const { entries } = (await admin.get('/api/audit?actor=ada')).body
  t.same(
    entries.map(({ target }: { target: { name: string } }) => target.name),
    ['kept.example'],
  )
})
