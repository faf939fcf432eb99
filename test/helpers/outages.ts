import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { call, type TestApp } from './app.ts'
import type { TestDatabase } from './database.ts'
import { until } from './until.ts'

/** Within that, each request must be answered, whatever happens to the database. */
export const LIMIT_MS = 5_000

const RECOVERY = { within: 10 }
/** More than the service has connections for requests. */
const CLIENTS = 12
/** So that the clients are a load, and not all that the machine does. */
const PAUSE_MS = 50

/** Somebody signed in, in this process or over the network. */
interface Caller {
  get(url: string): Promise<{ status: number }>
  post(url: string, body: unknown): Promise<{ status: number; body: { outcome?: string } }>
}

/** An answer with the milliseconds that it took. */
export async function timed<A>(asked: Promise<A>): Promise<A & { ms: number }> {
  const begun = performance.now()
  return { ...(await asked), ms: performance.now() - begun }
}

interface LoadAnswer {
  /** Of the record that was to be created; empty for a read. */
  name: string
  status: number
  ms: number
  body?: { outcome?: string }
}

export const isBack = ({ app, admin }: Pick<TestApp, 'app' | 'admin'>) =>
  until(
    'the service serves again',
    async () => {
      const answers = await Promise.all([admin.get('/api/domains'), call(app, { url: '/readyz' })])
      return answers.every(({ status }) => status === 200)
    },
    RECOVERY,
  )

/** Reads, and writes into the domain, by one or several callers, while `harm` is done, and shows what came of each. */
export async function underLoad(
  callers: readonly [Caller, ...Caller[]],
  domainId: string,
  harm: () => Promise<unknown>,
): Promise<LoadAnswer[]> {
  const answers: LoadAnswer[] = []
  let over = false
  const worker = async (_: unknown, n: number) => {
    const caller = callers[n % callers.length] as Caller
    while (!over) {
      const name = `host-${crypto.randomUUID()}`
      const payload = { recordType: 'A', name, value: '192.0.2.1' }
      answers.push({ name, ...(await timed(caller.post(`/api/domains/${domainId}/records`, payload))) })
      answers.push({ name: '', ...(await timed(caller.get('/api/users'))) })
      await sleep(PAUSE_MS)
    }
  }
  const workers = Array.from({ length: CLIENTS }, worker)
  await until('some answers', () => answers.length > 50)
  await harm().finally(() => (over = true))
  await Promise.all(workers)
  return answers
}

/** That each was done or refused, in time; what was said to be done is, and what was said not to be done is not. */
export async function areHonest(
  t: Test,
  { db }: Pick<TestDatabase, 'db'>,
  answers: LoadAnswer[],
): Promise<void> {
  const wrong = answers.filter(({ status, ms }) => ![200, 201, 503].includes(status) || ms > LIMIT_MS)
  t.same(wrong, [])
  const created = answers.filter(({ status }) => status === 201).map(({ name }) => name)
  const there = await db.selectFrom('records').select('name').execute()
  const names = new Set(there.map(({ name }) => name))
  t.same(
    created.filter((name) => !names.has(name)),
    [],
    'nothing acknowledged is lost',
  )
  const refused = answers.filter(({ name, status }) => name !== '' && status === 503)
  t.same(
    refused.filter(({ body }) => body?.outcome !== 'none' && body?.outcome !== 'unknown'),
    [],
    'each refusal says whether it may have been done',
  )
  t.same(
    refused.filter(({ name, body }) => body?.outcome === 'none' && names.has(name)),
    [],
    'nothing was done of which that was said',
  )
}
