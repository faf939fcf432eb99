import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { startEmbedded } from '../../db/embedded/embedded.ts'
import { call, startApp } from '../helpers/app.ts'
import { runScript, urlOf } from './run-script.ts'

t.setTimeout(180_000)

// As with several instances: what the script does is seen without anybody being told.
const { app, admin, addUser, signIn, database } = await startApp(t, { alone: false })
const DATABASE_URL = urlOf(database)

const createAdmin = (...options: string[]) => runScript('create-admin.ts', options, { DATABASE_URL })
const login = (username: string, password: string) =>
  call(app, { method: 'POST', url: '/api/auth/login', payload: { username, password } })
const passwordIn = (output: string) => /^Password: (\S{20}) \(shown only now\)$/m.exec(output)?.[1] ?? ''

void t.test('8. makes an administrator with a password of its own', async (t) => {
  const { code, output } = await createAdmin('Second')
  t.equal(code, 0, output)
  t.match(output, /Administrator second created/)
  t.match(await login('second', passwordIn(output)), { status: 200, body: { user: { role: 'admin' } } })
})

void t.test('unlocks an account: role, state, password; sessions end, second factors stay', async (t) => {
  const id = await addUser('locked')
  const session = await signIn('locked')
  await database.db
    .updateTable('users')
    .set({ totp_enabled: true, totp_secret: Buffer.from('x') })
    .where('id', '=', id)
    .execute()
  const { code, output } = await createAdmin('locked')
  t.equal(code, 0, output)
  t.match(output, /second factors are unchanged/)
  t.equal((await session.get('/api/auth/me')).status, 401)
  t.match(await login('locked', passwordIn(output)), { body: { requires2FA: true, methods: ['totp'] } })
  t.match((await admin.get(`/api/users/${id}`)).body, { role: 'admin', disabled: false })

  await admin.put(`/api/users/${id}`, { disabled: true })
  const again = await createAdmin('locked', '--remove-two-factor')
  t.match(await login('locked', passwordIn(again.output)), { status: 200, body: { accessToken: String } })
  const { body } = await admin.get(`/api/audit?target=${id}&action=user.rescued`)
  t.match(body.entries[0], { actor: { id: null, name: 'system' }, before: { disabled: true } })
  t.notMatch(JSON.stringify(body), passwordIn(again.output))
})

void t.test('says how it is called', async (t) => {
  for (const options of [[], ['two', 'names'], ['no name'], ['x', '--what']]) {
    t.match(await createAdmin(...options), { code: 1, output: /Usage: npm run create-admin -- <username>/ })
  }
})

void t.test('the embedded database: on a fresh one, and refused while the service has it', async (t) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'zonekeeper-scripts-'))
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }))
  const made = await runScript('create-admin.ts', ['ada'], { DATA_DIR: dataDir })
  t.match(made, { code: 0, output: /Administrator ada created/ })
  const running = await startEmbedded({ dataDir })
  t.teardown(() => running.stop())
  const refused = await runScript('create-admin.ts', ['ada'], { DATA_DIR: dataDir })
  t.equal(refused.code, 1)
  t.match(refused.output, new RegExp(String(process.pid)), 'says who has it')
  t.notMatch(refused.output, /Password/)
})
