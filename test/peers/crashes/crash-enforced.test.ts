// Runs first: takes long for its size.
import t from 'tap'
import { until } from '../../helpers/until.ts'
import { enforcing, SOON } from './enforcing.ts'

/* An instance is killed while it puts back what was changed at the provider: nothing is written twice, and nothing is lost. */
t.setTimeout(600_000)
const {
  fake,
  writesOf,
  served,
  enforced,
  changeThere,
  kill,
  restart,
  comes,
  isBack,
  hasStatus,
  valuesHere,
  told,
  changeable,
} = await enforcing()

void t.test('killed after the provider has written', async (t) => {
  changeThere('h2')
  fake.fail({ on: 'write', kind: 'silent', applied: true })
  await comes()
  await until('it was sent', () => Promise.resolve(writesOf('h2') === 1), SOON)
  await kill()
  fake.heal()
  await restart()
  await hasStatus('h2', 'applied')
  await comes()
  t.same(served('h2'), ['192.0.2.1'])
  const [change] = await enforced('h2')
  await until('it is told', async () => (await told(change?.id ?? '')) === 1, SOON)
  t.equal(writesOf('h2'), 1, 'it is not sent again')
  t.equal((await enforced('h2')).length, 1)
  await changeable('h2')
})

void t.test('killed while the provider loses the write: it is put back at the next turn', async (t) => {
  changeThere('h3')
  fake.fail({ on: 'write', kind: 'silent', applied: false })
  await comes()
  await until('it was sent', () => Promise.resolve(writesOf('h3') === 1), SOON)
  await kill()
  fake.heal()
  await restart()
  await hasStatus('h3', 'failed')
  t.same(served('h3'), ['192.0.2.9'])
  t.same(await valuesHere('h3'), ['192.0.2.1'], 'what is declared is not lost')
  await comes()
  await isBack('h3')
  await hasStatus('h3', 'applied')
  t.equal(writesOf('h3'), 2)
  t.match(await enforced('h3'), [{ status: 'applied' }, { status: 'failed' }])
  await changeable('h3')
})
