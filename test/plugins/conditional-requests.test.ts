import t from 'tap'
import { call } from '../helpers/app.ts'
import { startZone } from '../helpers/zone.ts'

const zone = await startZone(t)
const { app, admin, url, domainId } = zone
const known = (tag: unknown) => ({ headers: { 'if-none-match': String(tag) } })

void t.test('what is known already is 304, without a body, until it changes', async (t) => {
  for (const path of ['/api/domains', `/api/domains/${domainId}`, url, '/api/dashboard']) {
    const first = await admin.get(path)
    t.match(first, { status: 200, headers: { etag: /^W\/"[\w-]{43}"$/ } }, path)
    const tag = String(first.headers['etag'])
    const again = await admin.get(path, known(tag))
    t.match(again, { status: 304, body: '', headers: { etag: tag } }, path)
    t.equal(again.headers['content-type'], undefined)
    t.equal((await admin.get(path, known(`"other", ${tag}`))).status, 304, 'one of several')
    t.equal((await admin.get(path, known('"other"'))).status, 200)
  }
  const before = (await admin.get(url)).headers['etag']
  await zone.add('A', 'new', '192.0.2.1')
  t.match(await admin.get(url, known(before)), { status: 200, body: { total: 1 } })
})

void t.test('rights are checked first, and errors have no tag', async (t) => {
  const tag = (await admin.get(url)).headers['etag']
  const anonymous = await call(app, { url, ...known(tag) })
  t.equal(anonymous.status, 401)
  t.equal(anonymous.headers['etag'], undefined)
})

void t.test('a list read in pages tells that the zone has changed meanwhile', async (t) => {
  const versionOf = async (path: string) => (await admin.get(path)).body.recordsVersion
  const listed = async () => (await admin.get('/api/domains')).body.domains[0].recordsVersion
  const version = await versionOf(url)
  t.type(version, 'number')
  t.equal(await versionOf(`/api/domains/${domainId}`), version)
  t.equal(await listed(), version)
  await zone.add('A', 'newer', '192.0.2.1')
  t.ok((await versionOf(url)) > version)
  t.equal(await listed(), await versionOf(`/api/domains/${domainId}`))
})
