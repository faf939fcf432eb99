import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import pino from 'pino'
import t, { type Test } from 'tap'
import { deleteExported, keptSince, type Archive } from '../../../plugins/retention/deletion.ts'
import { createDatabase } from '../../helpers/database.ts'

/** Months before this one, with how many entries. */
const ENTRIES = [
  { months: 4, count: 3 },
  { months: 3, count: 1_200 },
  { months: 2, count: 2 },
  { months: 1, count: 2 },
  { months: 0, count: 2 },
]
/** Two months are kept besides the current one. */
const KEPT = 2

const monthsAgo = (months: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1))
}
const nameOf = (months: number, part = 1) =>
  `audit-${monthsAgo(months).toISOString().slice(0, 7)}-${part}.ndjson.gz`

/** Entries in memory, the real table of archives and files, and what ends a process. */
async function startArchive(t: Test) {
  const database = await createDatabase(t)
  const folder = mkdtempSync(path.join(tmpdir(), 'zonekeeper-archive-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const entries = ENTRIES.flatMap(({ months, count }) =>
    Array.from({ length: count }, (_, i) => ({ id: `${months}-${i}`, at: monthsAgo(months) })),
  )
  const all = new Map(entries.map((entry) => [entry.id, entry]))
  const stored = new Map(all)
  const protectedIds = new Set<string>()
  let endsIn: { step: 'entries' | 'remove'; calls: number } | null = null
  const step = (name: 'entries' | 'remove') => {
    if (endsIn?.step === name && endsIn.calls-- === 0) throw new Error('ended')
  }
  const removable = () => [...stored.values()].filter(({ id }) => !protectedIds.has(id))
  const archive: Archive = {
    kind: 'audit',
    async oldest(before) {
      return removable().find(({ at }) => at < before)?.at ?? null
    },
    async *entries({ from, to }, limit) {
      const found = removable().filter(({ at }) => at >= from && at < to)
      for (let i = 0; i < Math.min(limit, found.length); i += 500) {
        yield found.slice(i, i + 500)
        step('entries')
      }
    },
    async remove(ids) {
      step('remove')
      const present = ids.filter((id) => !protectedIds.has(id) && stored.delete(id))
      return present.length
    },
  }
  const context = { db: database.jobs, log: pino({ level: 'silent' }), folder, months: KEPT }
  return {
    database,
    folder,
    all,
    stored,
    protectedIds,
    run: (signal = new AbortController().signal) => deleteExported(context, archive, signal),
    /** Runs until that call, which fails as if the process had ended there. */
    async runUntil(name: 'entries' | 'remove', calls: number) {
      endsIn = { step: name, calls }
      await t.rejects(deleteExported(context, archive, new AbortController().signal), { message: 'ended' })
      endsIn = null
    },
    files: () => readdirSync(folder).toSorted(),
    exported: (): string[] =>
      readdirSync(folder)
        .toSorted()
        .flatMap((name) =>
          gunzipSync(readFileSync(path.join(folder, name)))
            .toString()
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line).id as string),
        ),
  }
}

type Started = Awaited<ReturnType<typeof startArchive>>

function isComplete(t: Test, { all, stored, exported }: Started): void {
  const old = [...all.values()].filter(({ at }) => at < monthsAgo(KEPT)).map(({ id }) => id)
  t.same(exported().toSorted(), old.toSorted(), 'each old entry is exported, once')
  t.same(new Set([...stored.keys(), ...old]), new Set(all.keys()), 'all others are there')
  t.equal(stored.size, all.size - old.length, 'each old entry is deleted')
}

void t.test('whole months are exported and deleted', async (t) => {
  const started = await startArchive(t)
  const { database, run, files } = started
  t.equal(await keptSince(database.db, 'audit'), null)
  await run()
  isComplete(t, started)
  t.same(files(), [nameOf(4), nameOf(3)].toSorted())
  t.same(await keptSince(database.db, 'audit'), monthsAgo(2))
  t.equal(await keptSince(database.db, 'history'), null, 'of this kind alone')
  await run()
  t.same(files(), [nameOf(4), nameOf(3)].toSorted(), 'nothing is left to do')
})

void t.test('a run that ends at any point loses nothing and repeats nothing', async (t) => {
  for (const [step, calls] of [
    ['entries', 0],
    ['entries', 1],
    ['entries', 3],
    ['remove', 0],
    ['remove', 1],
    ['remove', 3],
  ] as const) {
    const started = await startArchive(t)
    await started.runUntil(step, calls)
    await started.run()
    isComplete(t, started)
  }
})

void t.test('what a killed process leaves', async (t) => {
  await t.test('a draft', async (t) => {
    const started = await startArchive(t)
    writeFileSync(path.join(started.folder, `${nameOf(4)}.0198.tmp`), 'half')
    await started.run()
    isComplete(t, started)
  })
  await t.test('a complete file that the database does not know of', async (t) => {
    const started = await startArchive(t)
    await started.runUntil('remove', 0)
    await started.database.db.updateTable('archives').set({ written_at: null, rows: null }).execute()
    await started.run()
    isComplete(t, started)
  })
})

void t.test('a damaged file deletes nothing', async (t) => {
  const started = await startArchive(t)
  const { stored, folder, run, database } = started
  // The first file has one batch, the second several.
  await started.runUntil('remove', 1)
  await database.db.updateTable('archives').set({ written_at: null, rows: null }).execute()
  const file = path.join(folder, nameOf(3))
  const whole = readFileSync(file)
  writeFileSync(file, whole.subarray(0, whole.length - 9))
  const before = stored.size
  await t.rejects(run())
  t.equal(stored.size, before)
  writeFileSync(file, whole)
  await run()
  isComplete(t, started)
})

void t.test('files that were moved away are not written again; entries left get another', async (t) => {
  const started = await startArchive(t)
  const { folder, protectedIds, run, files } = started
  protectedIds.add('4-1')
  await run()
  const elsewhere = mkdtempSync(path.join(tmpdir(), 'zonekeeper-archive-'))
  t.teardown(() => rmSync(elsewhere, { recursive: true }))
  for (const file of files()) renameSync(path.join(folder, file), path.join(elsewhere, file))
  await run()
  t.same(files(), [])
  protectedIds.clear()
  await run()
  t.same(files(), [nameOf(4, 2)])
  t.same(started.exported(), ['4-1'])
})

void t.test('a stop ends a run, and the next one continues', async (t) => {
  const started = await startArchive(t)
  await started.run(AbortSignal.abort())
  t.equal(started.stored.size, started.all.size)
  await started.run()
  isComplete(t, started)
})
