import { fork } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { readOrCreateKey } from '../../../plugins/security/keyfile.ts'

function directory(t: Test): string {
  const made = mkdtempSync(path.join(tmpdir(), 'zonekeeper-key-'))
  t.teardown(() => rmSync(made, { recursive: true }))
  return made
}

void t.test('makes a key once and reads it again', async (t) => {
  const dataDir = path.join(directory(t), 'not', 'there')
  const key = readOrCreateKey(dataDir)
  t.equal(key.length, 32)
  t.same(readOrCreateKey(dataDir), key)
  t.same(readdirSync(dataDir), ['secret.key'], 'and leaves nothing else')
})

void t.test('nobody else may read it', async (t) => {
  const dataDir = path.join(directory(t), 'data')
  readOrCreateKey(dataDir)
  t.equal(statSync(path.join(dataDir, 'secret.key')).mode & 0o777, 0o600)
  t.equal(statSync(dataDir).mode & 0o777, 0o700)
})

void t.test('each directory has its own', async (t) => {
  t.notSame(readOrCreateKey(directory(t)), readOrCreateKey(directory(t)))
})

void t.test('takes a key that somebody wrote by hand', async (t) => {
  const dataDir = directory(t)
  writeFileSync(path.join(dataDir, 'secret.key'), `  ${Buffer.alloc(32, 5).toString('base64')}\r\n`)
  t.same(readOrCreateKey(dataDir), Buffer.alloc(32, 5))
})

void t.test('refuses a broken file, names it, does not show it, and leaves it', async (t) => {
  const dataDir = directory(t)
  const file = path.join(dataDir, 'secret.key')
  for (const content of ['', 'hidden', Buffer.alloc(31).toString('base64')]) {
    writeFileSync(file, content)
    t.throws(() => readOrCreateKey(dataDir), { message: /secret\.key is not a key/ })
    t.throws(() => readOrCreateKey(dataDir), { message: /^(?!.*hidden)/ })
    t.equal(readFileSync(file, 'utf8'), content)
  }
})

void t.test('processes that start at the same time agree on one key', async (t) => {
  const dataDir = directory(t)
  const module = path.resolve(import.meta.dirname, '../../../plugins/security/keyfile.ts')
  const script = path.join(dataDir, 'read.mjs')
  writeFileSync(
    script,
    `const { readOrCreateKey } = await import(${JSON.stringify(module)})
     process.once('message', () => process.send(readOrCreateKey(${JSON.stringify(dataDir)}).toString('hex'), () => process.exit()))
     process.send('ready')`,
  )
  const children = Array.from({ length: 4 }, () => fork(script))
  const next = (child: (typeof children)[number]) =>
    new Promise<string>((resolve, reject) => {
      child.once('message', (message) => resolve(JSON.stringify(message)))
      child.once('error', reject)
    })
  await Promise.all(children.map(next))
  const keys = Promise.all(children.map(next))
  for (const child of children) child.send('go')
  t.equal(new Set(await keys).size, 1)
})
