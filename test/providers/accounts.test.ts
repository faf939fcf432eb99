import t from 'tap'
import powerdns from '../../modules/providers/adapters/powerdns/index.ts'
import { ProviderError, type Provider } from '../../modules/providers/contract.ts'
import { systemClock } from '../../modules/providers/traffic/clock.ts'
import { startApp, type TestApp } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'

/* What the adapters of one account share, on two instances. */
const one = await startApp(t, { alone: false })
const two = await startApp(t, { alone: false, database: one.database })

// Of these ten may be made at once, and then one in two minutes.
const slow = { ...powerdns, key: 'slow', rates: [{ calls: 40, seconds: 3600 }] } as unknown as Provider

const limiterOf = ({ app }: TestApp, account: string) =>
  app.providerAccounts.shareOf(slow, { account }).limiter
const turn = (service: TestApp, account: string) =>
  limiterOf(service, account).turn('read', {
    clock: systemClock,
    waiting: new AbortController().signal,
    deadline: Date.now() + 1_000,
  })

void t.test('94. calls of one instance count for the other, and for no other account', async (t) => {
  let heard = 0
  two.app.events.on('provider.called', ({ calls }) => {
    for (const [, reads] of calls) heard += reads
  })
  limiterOf(two, 'shared')
  for (let i = 0; i < 10; i++) await turn(one, 'shared')
  await until('the other has heard of the calls', () => heard === 10)
  await t.rejects(turn(two, 'shared'), ProviderError)
  await t.resolves(turn(two, 'other'))
})
