import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { contentsAt } from '../../helpers/zone.ts'
import { mirrorsOf } from '../../records/mirrors/mirrors.ts'
import { NEW, OLD, startParent, startTwoProviders } from '../../records/mirrors/two-providers.ts'
import { PERMISSIONS, runProgram, temporaryHome, type Options } from './program.ts'

/* A domain moves to another provider, step by step, in several runs of `mirrors move`. */
t.setTimeout(120_000)

const parent = await startParent(t)
const zone = await startTwoProviders(t, await startApp(t, parent.options))
const { app, admin, domainId, second, secondId, configId } = zone
const url = await app.listen({ port: 0, host: '127.0.0.1' })
const { body } = await admin.post('/api/auth/me/tokens', { name: 'cli', permissions: [...PERMISSIONS] })
const env = {
  HOME: temporaryHome(t),
  ZONEKEEPER_URL: url,
  ZONEKEEPER_TOKEN: (body as { token: string }).token,
}
const zk = (command: string, options: Options = {}) => runProgram(command.split(' '), { ...options, env })
const move = (options: Options = {}) => zk('mirrors move example.com second', options)
const domain = async () => (await admin.get(`/api/domains/${domainId}`)).body
const mirrors = async () => (await admin.get(`/api/domains/${domainId}/mirrors`)).body.mirrors
await zone.add('A', 'www', '192.0.2.1')

void t.test('a mirror that lacks a record stops the move', async (t) => {
  second.fail({
    on: ({ method, body }) => method === 'PATCH' && body.includes('"www.example.com."'),
    kind: 'answer',
    answer: { status: 422, body: JSON.stringify({ error: 'no such records here' }) },
    times: Infinity,
  })
  t.match(await move(), { exit: 6, err: /not in step \(differs\).*no such records/ })
  const [{ id }] = await mirrors()
  second.heal()
  t.match(await zk('mirrors sync example.com powerdns -y'), { exit: 0 })
  await mirrorsOf(zone).inStep(id)
})

void t.test('without an answer of the parent zone, the user is asked', async (t) => {
  parent.isUp = false
  const { exit, err } = await move({ terminal: { answers: ['n'] } })
  t.equal(exit, 7)
  t.match(err, new RegExp(`Set these name servers at your registrar: ${NEW.join(' ')}`))
  t.match(err, /Have the name servers been changed\?/)
  t.equal((await domain()).providerConfigId, configId, 'nothing was promoted')
  t.equal((await mirrors()).length, 1, 'the mirror of the first run is used')
  parent.isUp = true
})

void t.test(
  'it waits for the delegation, promotes only what is confirmed, and says how to end',
  async (t) => {
    parent.names = OLD
    const waiting = move({ terminal: { answers: ['n'] } })
    // It asks again after a pause.
    setTimeout(() => {
      parent.names = NEW
    }, 3_000)
    const refused = await waiting
    t.equal(refused.exit, 7)
    t.match(refused.err, new RegExp(`domain: ${OLD.join(' ')}`))
    t.equal((await domain()).providerConfigId, configId)

    const [{ id }] = await mirrors()
    const done = await move({ terminal: { answers: ['y'] } })
    t.match(done, { exit: 0, out: /example\.com is at PowerDNS now/ })
    t.match(done.err, new RegExp(`mirrors rm example\\.com ${id}`))
    t.equal((await domain()).providerConfigId, secondId)
    await zone.add('A', 'after', '192.0.2.2')
    t.same(contentsAt(second, 'example.com', 'after', 'A'), ['192.0.2.2'])
    await mirrorsOf(zone).inStep(id)
    t.same(zone.there('after', 'A'), ['192.0.2.2'], 'the old provider follows')

    t.match(await move(), { exit: 4, err: /at that provider already/ })
    t.match(await zk(`mirrors rm example.com ${id} -y`), { exit: 0 })
    t.same(await mirrors(), [])
  },
)

void t.test('providers with the same name servers need no other delegation', async (t) => {
  parent.names = NEW
  zone.fake.patch('example.com', [
    {
      name: 'example.com.',
      type: 'NS',
      ttl: 3600,
      changetype: 'REPLACE',
      records: NEW.map((name) => ({ content: `${name}.`, disabled: false })),
    },
  ])
  const back = await zk('mirrors move example.com PowerDNS', { terminal: { answers: ['y'] } })
  t.equal(back.exit, 0)
  t.equal((await domain()).providerConfigId, configId)
})
