import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { mirrorsOf } from './mirrors.ts'
import { NEW, OLD, startParent, startTwoProviders } from './two-providers.ts'

/* Whose name servers the parent zone names, before, during and after a move. */

const parent = await startParent(t)
const zone = await startTwoProviders(t, await startApp(t, parent.options))
const { admin, domainId, addUser, signIn } = zone
const mirrorId = await zone.addMirror()
await mirrorsOf(zone).inStep(mirrorId)
const url = `/api/domains/${domainId}/mirrors/${mirrorId}`
const delegation = async () => (await admin.get(`${url}/delegation`)).body

void t.test('of the domain, of the mirror, of both, of others, of nobody', async (t) => {
  t.match(await delegation(), { state: 'domain', parent: OLD, domain: OLD, mirror: NEW })
  parent.names = [NEW[0] ?? '', OLD[0] ?? '']
  t.match(await delegation(), { state: 'both', parent: parent.names.toSorted() })
  parent.names = [...NEW, 'ns.elsewhere.test']
  t.match(await delegation(), { state: 'other' })
  parent.names = NEW.map((name) => name.toUpperCase())
  t.match(await delegation(), { state: 'mirror' })
  parent.names = []
  t.match(await delegation(), { state: 'none', parent: { length: 0 } })
})

void t.test('a parent that does not answer is unknown', async (t) => {
  parent.isUp = false
  t.match(await delegation(), { state: 'unknown', parent: { length: 0 }, mirror: NEW })
  parent.isUp = true
})

void t.test('who reads the whole domain may ask', async (t) => {
  await addUser('ada')
  await addUser('bob')
  const [ada, bob] = [await signIn('ada'), await signIn('bob')]
  const grant = { userId: ada.userId, domainId, permission: 'write', subdomainPattern: 'www' }
  await admin.post('/api/assignments', grant)
  t.match(await ada.get(`${url}/delegation`), { status: 403 })
  t.match(await bob.get(`${url}/delegation`), { status: 404 })
  await admin.post('/api/assignments', { userId: bob.userId, domainId, permission: 'read' })
  t.match(await bob.get(`${url}/delegation`), { status: 200, body: { state: String } })
  const missing = `/api/domains/${domainId}/mirrors/${domainId}/delegation`
  t.match(await admin.get(missing), { status: 404 })
})

void t.test('after promoting, the parent delegates to the domain', async (t) => {
  parent.names = NEW
  t.match(await delegation(), { state: 'mirror' })
  t.match(await admin.post(`${url}/promote`, {}), { status: 200, body: { mirrorId, nameServers: NEW } })
  t.match(await delegation(), { state: 'domain', domain: NEW, mirror: OLD })
})
