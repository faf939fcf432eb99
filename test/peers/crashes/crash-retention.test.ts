import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import t from 'tap'
import { until } from '../../helpers/until.ts'
import { killable } from './killable.ts'

/* Instances are killed while they export and delete old entries: each entry is in the files exactly once. */
const ENTRIES = 60_000
t.setTimeout(180_000)
const folder = mkdtempSync(path.join(tmpdir(), 'zonekeeper-archive-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const { database, start } = await killable({ AUDIT_MONTHS: '2', ARCHIVE_DIR: folder })
const { db } = database

const files = () => readdirSync(folder).filter((name) => name.endsWith('.gz'))
const left = () =>
  sql<{ count: number }>`select count(*)::int from audit where actor_name = 'old'`
    .execute(db)
    .then(({ rows }) => rows[0]?.count ?? 0)
const makeDue = () =>
  sql`update scheduled_tasks set due_at = now() where name = 'audit.retention'`
    .execute(db)
    .then(({ numAffectedRows }) => (numAffectedRows ?? 0n) > 0n)

void t.test('instances are killed at any point', async (t) => {
  await sql`
    insert into audit (id, at, actor_name, action, target_type, target_name)
    select gen_random_uuid(), now() - interval '200 days' + n * interval '50 days' / ${ENTRIES}, 'old', 'domain.updated', 'domain',
      repeat(md5(n::text), 4)
    from generate_series(1, ${ENTRIES}::int) as n
  `.execute(db)
  let kills = 0
  const killedWhile = { writing: 0, deleting: 0 }
  for (; (await left()) > 0; kills++) {
    const service = await start()
    await until('the task is due', makeDue, { within: 20 })
    const before = await left()
    // The first two while the first file is written; the others later and later.
    await until('it works', async () => readdirSync(folder).length > 0 || (await left()) < before)
    await sleep(kills * 150)
    if (files().length === 0) killedWhile.writing++
    else if ((await left()) > 0) killedWhile.deleting++
    await service.kill()
  }
  t.ok(killedWhile.writing > 0 && killedWhile.deleting > 0, JSON.stringify(killedWhile))
  await start()
  await until('the task is due', makeDue)
  await until(
    'it is finished',
    async () => (await sql`select from archives where finished_at is null`.execute(db)).rows.length === 0,
  )
  await until('no draft is left', () => files().length === readdirSync(folder).length)
  const ids = files().flatMap((name) =>
    gunzipSync(readFileSync(path.join(folder, name)))
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id as string),
  )
  t.equal(ids.length, ENTRIES)
  t.equal(new Set(ids).size, ENTRIES)
})
