import t from 'tap'
import digitalocean from '../../../modules/providers/adapters/digitalocean/index.ts'
import { json } from '../../conformance/simulators/answers.ts'
import dialect from '../../conformance/simulators/digitalocean.ts'
import { simulate } from '../../conformance/simulators/simulated-subject.ts'
import { add, edit, expectError, newZone, open, rrset, start } from '../../conformance/suite/subject.ts'
import { until } from '../../helpers/until.ts'

/* What every simulator has from the shared one, as an adapter meets it. */

const A = '192.0.2.1'

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

void t.test('latency', async (t) => {
  const { sim, makeSubject } = await simulate(t, digitalocean, dialect)
  const { subject, adapter, apply } = await start(t, makeSubject)
  // Timers may be a millisecond early.
  sim.mood = { latency: 250 }
  t.ok((await timed(() => adapter.verify())) >= 249, 'one call')
  t.ok((await timed(() => apply([edit('www', 'A', [add(A)])]))) >= 249, 'a write')
  t.same(await subject.dump(), [rrset('www', 'A', [A])])
  sim.mood = { latency: [100, 200] }
  t.ok((await timed(() => adapter.verify())) >= 99, 'at least the least')

  sim.mood = { latency: 3_000 }
  const hasty = await open(t, subject, subject.credentials, 1_500)
  const call = hasty.createZone(newZone('late.test'))
  await expectError(t, subject, call, 'timeout', 'unknown')
  t.notOk(sim.zones.has('late.test'), 'not yet')
  await until('who gave up is served all the same', () => sim.zones.has('late.test'))
})

void t.test('a limit per scope', async (t) => {
  const CALLS = 10
  const nameIn = (path: string) => path.split('/')[3] ?? ''
  const limits = dialect.limits?.map((limit) =>
    limit.option === 'burst' ? { ...limit, scope: ({ path }: { path: string }) => nameIn(path) } : limit,
  )
  const perZone = { ...dialect, ...(limits && { limits }) }
  const { sim, makeSubject } = await simulate(t, digitalocean, perZone, { burst: CALLS })
  const full = await start(t, makeSubject)
  const free = await start(t, makeSubject)
  const callsOf = (name: string) => sim.requests.filter(({ path }) => nameIn(path) === name).length
  while (callsOf(full.zone.name) < CALLS) await full.adapter.readRRset(full.zone, 'www', 'A')
  const edits = [edit('www', 'A', [add(A)])]
  const error = await expectError(t, full.subject, full.adapter.apply(full.zone, edits), 'rate_limited')
  t.ok(Number(error?.retryAfter) > 0 && Number(error?.retryAfter) <= 60, 'until the first counts no more')
  t.same(await full.subject.dump(), [])
  await free.apply(edits)
  t.same(await free.subject.dump(), [rrset('www', 'A', [A])], 'the other zone has a count of its own')
})

void t.test('calls that fail', async (t) => {
  const { sim, makeSubject } = await simulate(t, digitalocean, dialect)
  const { subject, adapter, apply } = await start(t, makeSubject)
  const create = () => adapter.createZone(newZone('new.test'))

  sim.mood = { share: 1 }
  await expectError(t, subject, adapter.verify(), 'unavailable')
  await expectError(t, subject, create(), 'unavailable', 'unknown')
  sim.mood = { share: 1, answer: json(401, { id: 'Unauthorized', message: 'Unable to authenticate you' }) }
  await expectError(t, subject, adapter.verify(), 'auth')
  await expectError(t, subject, create(), 'auth')
  t.notOk(sim.zones.has('new.test'), 'none had an effect')

  sim.mood = { share: 0.5 }
  const calls = await Promise.allSettled(Array.from({ length: 50 }, () => adapter.verify()))
  t.same([...new Set(calls.map(({ status }) => status))].sort(), ['fulfilled', 'rejected'], 'some of them')

  sim.mood = {}
  await apply([edit('www', 'A', [add(A)])])
  t.same(await subject.dump(), [rrset('www', 'A', [A])])
})
