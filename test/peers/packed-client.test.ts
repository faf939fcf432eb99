import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { inherited } from '../helpers/environment.ts'
import { addDomain, addManual } from '../helpers/zone.ts'
import { installPacked, plainNode } from './packages.ts'
import { CHECKOUT } from './zonekeeper.ts'

/* The typed client as its users have it: packed, installed into an empty project, and run by the Node of the machine. */
t.setTimeout(240_000)

const run = promisify(execFile)
const home = await installPacked(t, ['clients/typescript'])
const readme = readFileSync(path.join(CHECKOUT, 'clients/typescript/README.md'), 'utf8')
const example = /^```js\n([^]*?)```$/m.exec(readme)?.[1] ?? ''

void t.test('the example of the README does what it says', async (t) => {
  const { app, admin } = await startApp(t)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const configId = await addManual(admin)
  const { id } = await addDomain(admin, configId, 'example.com')
  await addDomain(admin, configId, 'example.net')
  const txt = { recordType: 'TXT', name: '@', value: 'managed by Zonekeeper' }
  await admin.post(`/api/domains/${id}/records`, txt)
  const permissions = ['domains:read', 'records:read', 'records:write']
  const { body } = await admin.post('/api/auth/me/tokens', { name: 'example', permissions })

  t.ok(example.split('\n').length <= 15, 'it is short')
  writeFileSync(path.join(home, 'example.mjs'), example)
  const { node, version } = await plainNode()
  t.comment(`Node ${version}`)
  const env = { ...inherited(), ZONEKEEPER_URL: url, ZONEKEEPER_TOKEN: (body as { token: string }).token }
  const { stdout, stderr } = await run(node, ['example.mjs'], { cwd: home, env })
  t.equal(stderr, '')
  t.match(stdout, /^example\.com: .*already exists\nexample\.net: 1 would be created\n$/)
})

void t.test('it compiles there, with its types, without those of Node', async (t) => {
  const given = 'declare const process: { env: Record<string, string | undefined> }\n'
  const wrong = `
    // @ts-expect-error unknown field
    await dns.POST('/api/v1/domains', { body: { nome: 'example.com' } })
    const error = new Error()
    if (error instanceof ZonekeeperError && error.code === 'validation_failed') console.log(error.errors[0]?.path)`
  // Values of an action in an object of its own are any string.
  writeFileSync(path.join(home, 'example.mts'), given + example + wrong)
  const options = '--noEmit --strict --module nodenext --target es2022 --lib es2022,dom,dom.asynciterable'
  const tsc = path.join(CHECKOUT, 'node_modules/.bin/tsc')
  const compiled = run(tsc, [...options.split(' '), 'example.mts'], { cwd: home, env: inherited() })
  await t.resolves(compiled.catch(({ stdout }: { stdout: string }) => Promise.reject(new Error(stdout))))
})
