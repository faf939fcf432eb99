import t from 'tap'
import { startNameServer } from '../../helpers/name-server.ts'
import { addDomain, addManual } from '../../helpers/zone.ts'
import { PERMISSIONS, startCli } from './program.ts'

/* Whose a domain is: offers, leaving, and the proof of a name. */
const dns = await startNameServer(t)
const {
  admin,
  addUser,
  signIn,
  domainId,
  zk: zkOfAdmin,
} = await startCli(t, { environment: dns.environment })
for (const name of ['ada', 'bob']) await addUser(name)
const [ada, bob] = await Promise.all([signIn('ada'), signIn('bob')])

async function programOf(who: typeof ada) {
  const permissions = [...PERMISSIONS, 'assignments:read', 'assignments:write']
  const { body } = await who.post('/api/auth/me/tokens', { name: 'cli', permissions })
  return (command: string) => zkOfAdmin(command, { env: { ZONEKEEPER_TOKEN: body.token as string } })
}
const [zk, zkOfBob] = await Promise.all([programOf(ada), programOf(bob)])
await addDomain(ada, await addManual(ada), 'given.example')

void t.test('a domain is offered, and accepted by its name', async (t) => {
  t.match(await zk('domains transfer given.example bob'), { exit: 7 })
  t.match(await zk('domains transfer given.example bob -y'), { exit: 0, out: /offered to bob until 20/ })
  t.match(await zk('domains transfer given.example bob -y'), { exit: 4, err: /pending/ })
  t.match(await zkOfBob('domains offers'), { exit: 0, out: /given\.example +ada +bob/ })
  t.match(await zk('domains accept given.example -y'), { exit: 5 })
  t.match(await zkOfBob('domains decline given.example -y'), { exit: 0, out: /: declined/ })
  t.match(await zk('domains withdraw given.example -y'), { exit: 3 })
  await zk('domains transfer given.example bob -y')
  t.match(await zk('domains withdraw given.example -y'), { exit: 0, out: /: withdrawn/ })
  await zk('domains transfer given.example bob -y')
  t.match(await zkOfBob('domains accept GIVEN.example. -y'), { exit: 0, out: /: accepted/ })
  t.match(await zkOfBob('domains list'), { out: /given\.example/ })
  t.notMatch(await zk('domains list'), { out: /given\.example/ })
  t.match(await zkOfAdmin('domains transfer given.example ada -y'), { exit: 0, out: /now belongs to ada/ })
})

void t.test('an assignee leaves', async (t) => {
  const terms = { userId: bob.userId, domainId, permission: 'write' }
  for (const subdomainPattern of ['app', '*.app'])
    await admin.post('/api/assignments', { ...terms, subdomainPattern })
  t.match(await zkOfBob('domains leave example.com'), { exit: 7, out: /app\.example\.com/ })
  t.match(await zkOfBob('domains leave example.com -y'), { exit: 0 })
  t.match(await zkOfBob('domains leave example.com -y'), { exit: 3 })
})

void t.test('a name that overlaps says what to publish', async (t) => {
  const { body } = await bob.post('/api/provider-configs', {
    providerId: '0192f0a0-0000-7000-8000-000000000001',
    name: 'mine',
  })
  const add = `domains add app.given.example --provider ${body.id}`
  const { exit, err } = await zkOfBob(add)
  t.equal(exit, 5)
  const [, value = ''] = /_zonekeeper-challenge\.app\.given\.example with the value (\S+)/.exec(err) ?? []
  t.match(value, /^zonekeeper-verification=/)
  dns.texts.set('_zonekeeper-challenge.app.given.example', [value])
  t.match(await zkOfBob('domains list'), { out: /^(?!.*app\.given)/s })
  await zkOfBob(add)
  t.match(await zkOfBob('domains list'), { out: /app\.given\.example/ })
})
