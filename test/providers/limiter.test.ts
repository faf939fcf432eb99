import t from 'tap'
import { ProviderError, type Rate } from '../../modules/providers/contract.ts'
import { createLimiter } from '../../modules/providers/traffic/limiter.ts'
import { fakeClock } from '../conformance/fake-clock.ts'

interface Turn {
  seconds?: number
  signal?: AbortSignal
  zone?: string
}

function start(...rates: Rate[]) {
  const clock = fakeClock()
  const begun = clock.now()
  const paused = new Map<string, number>()
  const pauses = {
    until: (calls: string) => paused.get(calls) ?? 0,
    set: (calls: string, ms: number) => void paused.set(calls, clock.now() + ms),
  }
  const limiter = createLimiter(rates, pauses, clock)
  const turn = (
    of: 'read' | 'write' = 'read',
    { seconds = 3_600, signal = new AbortController().signal, zone }: Turn = {},
  ) => limiter.turn(of, { clock, waiting: signal, deadline: clock.now() + seconds * 1000 }, zone)
  const passed = () => (clock.now() - begun) / 1000
  return { clock, limiter, turn, passed, pauses }
}

const failure = (call: Promise<void>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

void t.test('in no window of a rate are there more calls than it allows', async (t) => {
  for (const rate of [
    { calls: 1_200, seconds: 300 },
    { calls: 15, seconds: 60 },
    { calls: 2, seconds: 1 },
    { calls: 1, seconds: 10 },
  ]) {
    const { turn, clock } = start(rate)
    const at: number[] = []
    for (let i = 0; i < rate.calls * 3; i++) {
      await turn()
      at.push(clock.now())
    }
    const tooMany = at.filter(
      (time, i) => (at[i + rate.calls] ?? Infinity) - time < rate.seconds * 1000 * 0.99,
    )
    t.same(tooMany, [], `${rate.calls} in ${rate.seconds} s`)
    t.ok((at.at(-1) ?? 0) - (at[0] ?? 0) <= rate.seconds * 1000 * 6, 'and not far fewer')
  }
})

void t.test('rates of reads and of writes are counted apart', async (t) => {
  const { turn, passed } = start({ calls: 1, seconds: 60, of: 'write' })
  for (let i = 0; i < 10; i++) await turn('read')
  await turn('write')
  t.equal(passed(), 0)
  await turn('write')
  t.equal(passed(), 60)
})

void t.test('who would wait beyond their time is told at once for how long', async (t) => {
  const { turn, passed } = start({ calls: 1, seconds: 60 })
  await turn()
  const late = await failure(turn('read', { seconds: 15 }))
  t.ok(late instanceof ProviderError)
  t.match(late, { kind: 'rate_limited', outcome: 'not_applied', retryAfter: 60 })
  t.equal(passed(), 0)
  await turn()
  t.equal(passed(), 60, 'and holds no place in line')
})

void t.test('an end of the request ends the wait', async (t) => {
  const { turn } = start({ calls: 1, seconds: 60 })
  await turn()
  t.match(await failure(turn('read', { signal: AbortSignal.abort() })), {
    kind: 'timeout',
    outcome: 'not_applied',
  })
})

void t.test('what the provider says counts', async (t) => {
  const { turn, limiter, passed, clock } = start({ calls: 1_000, seconds: 1 })
  limiter.note({ remaining: 2, resetMs: 30_000 })
  await turn()
  await turn()
  t.equal(passed(), 0)
  limiter.note({ remaining: 4, resetMs: 30_000 })
  await turn()
  t.equal(passed(), 30, 'an answer that comes late gives nothing back')
  clock.pass(1_000)
  limiter.note({ remaining: 9, resetMs: 30_000 })
  await turn()
  t.equal(passed(), 31, 'the next window is another one')
})

void t.test('a pause holds all up, and then they come one after another', async (t) => {
  const { turn, limiter, passed } = start({ calls: 60, seconds: 60 })
  await turn()
  limiter.pause(20_000, 'read')
  t.match(await failure(turn('write', { seconds: 15 })), { kind: 'rate_limited' }, 'one limit for both')
  t.match(await failure(turn('read', { seconds: 15 })), { kind: 'rate_limited', retryAfter: 22 })
  await turn()
  t.ok(passed() >= 20)
  const before = passed()
  await turn()
  t.ok(passed() - before > 0.5)
})

void t.test('a refused write pauses no read where the provider counts them apart', async (t) => {
  const { turn, limiter } = start(
    { calls: 60, seconds: 60, of: 'write' },
    { calls: 60, seconds: 60, of: 'read' },
  )
  limiter.pause(20_000, 'write')
  t.match(await failure(turn('write', { seconds: 15 })), { kind: 'rate_limited' })
  t.equal(await failure(turn('read', { seconds: 15 })), undefined)
})

void t.test('a limit of a zone is counted, and paused, for this zone alone', async (t) => {
  const { turn, limiter, passed } = start({ calls: 1, seconds: 60, of: 'write', each: 'zone' })
  await turn('write', { zone: 'a.example' })
  await turn('write', { zone: 'b.example' })
  t.equal(passed(), 0)
  t.match(await failure(turn('write', { zone: 'a.example', seconds: 15 })), { kind: 'rate_limited' })
  limiter.pause(3_600_000, 'write', 'a.example')
  t.match(await failure(turn('write', { zone: 'a.example', seconds: 600 })), { retryAfter: 3_660 })
  t.equal(await failure(turn('write', { zone: 'c.example', seconds: 15 })), undefined)
})
