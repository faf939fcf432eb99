import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { call, startApp } from '../helpers/app.ts'
import { inherited } from '../helpers/environment.ts'
import { CHECKOUT } from './zonekeeper.ts'

/*
 * Clients are generated from the API description by two generators, and calls of them compiled that give only what
 * is required. A line that must not compile says so by `@ts-expect-error`, which fails where it would.
 */
t.setTimeout(120_000)

const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-clients-'))
t.teardown(() => rmSync(home, { recursive: true, force: true }))
symlinkSync(path.join(CHECKOUT, 'node_modules'), path.join(home, 'node_modules'))
writeFileSync(path.join(home, 'package.json'), '{"type": "module"}')

const { app } = await startApp(t)
writeFileSync(
  path.join(home, 'openapi.json'),
  JSON.stringify((await call(app, { url: '/openapi.json' })).body),
)

const ofPrograms = (await call(app, { url: '/api/v1/openapi.json' })).body
writeFileSync(path.join(home, 'openapi-v1.json'), JSON.stringify(ofPrograms))

/** Runs a program of the checkout's packages; rejects with what it wrote when it fails. */
async function run(program: string, ...options: string[]): Promise<void> {
  const command = path.join(CHECKOUT, 'node_modules/.bin', program)
  await promisify(execFile)(command, options, { cwd: home, env: inherited() }).catch((error: unknown) => {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${program}: ${stdout}${stderr}`, { cause: error })
  })
}

const STRICT = '--noEmit --strict --skipLibCheck --allowImportingTsExtensions'
const MODERN = '--module nodenext --target es2024 --types node'

/** Compiles the calls, as strictly as users may. */
const compile = (file: string) => run('tsc', ...`${STRICT} ${MODERN}`.split(' '), file)

/** What is given to calls of any client. */
const GIVEN = `
const id = '0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'
const changes = [
  { action: 'create', recordType: 'A', name: 'www', value: '192.0.2.10' },
  { action: 'update', recordId: id, ttl: 300 },
  { action: 'delete', recordId: id },
] as const
const webhook = {
  channel: 'webhook',
  name: 'Operations',
  config: { url: 'https://hooks.example.com/zonekeeper' },
  events: ['domain.*', 'domain.expiring'],
} as const
const email = {
  channel: 'email',
  name: 'Operations',
  config: { to: ['ops@example.com'] },
  events: ['*'],
} as const
`

const WITH_OAZAPFTS = `
import * as api from './client.ts'
${GIVEN}
await api.listDomains({ limit: 5 })
await api.refresh()

const login = await api.login({ username: 'ada', password: 'secret' })
if (login.status === 200) {
  const { data } = login
  const token: string = data.outcome === 'signed_in' ? data.accessToken : data.tempToken
  // @ts-expect-error there is no token before it is known that there is
  const early: string = data.accessToken
}

const plan = await api.planRecords(id, { changes: [...changes] })
if (plan.status === 200) {
  for (const { before } of plan.data.updates) {
    const value: string | undefined = before?.value
    // @ts-expect-error before may be null
    before.value
  }
}
// @ts-expect-error an update says of which record
await api.planRecords(id, { changes: [{ action: 'update', ttl: 300 }] })

await api.createChannel({ ...webhook, events: [...webhook.events] })
await api.createChannel({ ...email, config: { to: [...email.config.to] }, events: [...email.events] })
// @ts-expect-error there is no such event
await api.createChannel({ ...webhook, events: ['domain.eaten'] })
// @ts-expect-error a webhook has an address, and no receivers
await api.createChannel({ ...webhook, config: { to: ['ops@example.com'] }, events: ['*'] })

const created = await api.createDomain({ name: 'example.com', providerConfigId: id })
if (created.status === 400) {
  const where: string | undefined = created.data.errors?.[0]?.path
  if (created.data.code === 'validation_failed') console.log(where)
  // @ts-expect-error there is no such code
  if (created.data.code === 'something_wrong') console.log(where)
}
if (created.status === 429) {
  const seconds: number | undefined = created.data.retryAfter
}

const list = await api.listNotifications()
if (list.status === 200) {
  const isExpiring = list.data.notifications.some(({ event }) => event === 'domain.expiring')
  // @ts-expect-error there is no such event
  const isEaten = list.data.notifications.some(({ event }) => event === 'domain.eaten')
  for (const told of list.data.notifications) {
    if (told.event === 'domain.expiring') console.log(told.metadata.daysLeft + 1)
    if (told.event === 'record.created') console.log(told.metadata.records.map(({ name }) => name))
    // @ts-expect-error not before it is known what it is about
    console.log(told.metadata.daysLeft)
  }
}
const audit = await api.listAudit()
if (audit.status === 200) {
  const isGiven = audit.data.entries.some(({ action }) => action === 'domain.transferred')
  // @ts-expect-error there is no such action
  const isEaten = audit.data.entries.some(({ action }) => action === 'domain.eaten')
}
`

const WITH_SWAGGER_TYPESCRIPT_API = `
import { Api } from './Api.ts'
${GIVEN}
const { api } = new Api()
await api.listDomains({ limit: 5 })
await api.refresh()

const { data: login } = await api.login({ username: 'ada', password: 'secret' })
const token: string = login.outcome === 'signed_in' ? login.accessToken : login.tempToken
// @ts-expect-error there is no token before it is known that there is
const early: string = login.accessToken

const { data: plan } = await api.planRecords(id, { changes: [...changes] })
for (const { before } of plan.updates) {
  const value: string | undefined = before?.value
  // @ts-expect-error before may be null
  before.value
}
// @ts-expect-error an update says of which record
await api.planRecords(id, { changes: [{ action: 'update', ttl: 300 }] })

await api.createChannel({ ...webhook, events: [...webhook.events] })
await api.createChannel({ ...email, config: { to: [...email.config.to] }, events: [...email.events] })
// @ts-expect-error there is no such event
await api.createChannel({ ...webhook, events: ['domain.eaten'] })
// @ts-expect-error a webhook has an address, and no receivers
await api.createChannel({ ...webhook, config: { to: ['ops@example.com'] }, events: ['*'] })

const { error } = await api.createDomain({ name: 'example.com', providerConfigId: id })
if ('errors' in error) {
  const where: string | undefined = error.errors?.[0]?.path
  if (error.code === 'validation_failed') console.log(where)
  // @ts-expect-error there is no such code
  if (error.code === 'something_wrong') console.log(where)
}

const { data } = await api.listNotifications()
const isExpiring = data.notifications.some(({ event }) => event === 'domain.expiring')
// @ts-expect-error there is no such event
const isEaten = data.notifications.some(({ event }) => event === 'domain.eaten')
for (const told of data.notifications) {
  if (told.event === 'domain.expiring') console.log(told.metadata.daysLeft + 1)
  if (told.event === 'record.created') console.log(told.metadata.records.map(({ name }) => name))
  // @ts-expect-error not before it is known what it is about
  console.log(told.metadata.daysLeft)
}

const { data: audit } = await api.listAudit()
const isGiven = audit.entries.some(({ action }) => action === 'domain.transferred')
// @ts-expect-error there is no such action
const isEaten2 = audit.entries.some(({ action }) => action === 'domain.eaten')
`

void t.test('oazapfts', async () => {
  await run('oazapfts', 'openapi.json', 'client.ts')
  writeFileSync(path.join(home, 'calls.ts'), WITH_OAZAPFTS)
  await compile('calls.ts')
})

void t.test('swagger-typescript-api', async () => {
  const options = ['--silent', '--enum-style', 'union', '--output', '.', '--name', 'Api.ts']
  await run('swagger-typescript-api', 'generate', '--path', 'openapi.json', ...options)
  writeFileSync(path.join(home, 'calls-of-api.ts'), WITH_SWAGGER_TYPESCRIPT_API)
  await compile('calls-of-api.ts')
})

/** What programs do, by the description of the Open API alone. */
const WITH_V1 = `
import * as api from './client-v1.ts'
${GIVEN}
const list = await api.listDomains({ limit: 5 })
if (list.status === 200) console.log(list.data.domains.map(({ name }) => name))
const plan = await api.planRecords(id, { changes: [...changes] })
if (plan.status === 200) console.log(plan.data.creates.length)
if (plan.status === 403) console.log(plan.data.permission)
await api.syncDomain(id, { dryRun: true })
// @ts-expect-error people sign in, programs don't
await api.login({ username: 'ada', password: 'secret' })
`

const WITH_API_V1 = `
import { Api } from './ApiV1.ts'
${GIVEN}
const { api } = new Api()
const { data: list } = await api.listDomains({ limit: 5 })
console.log(list.domains.map(({ name }) => name))
const { data: plan } = await api.planRecords(id, { changes: [...changes] })
console.log(plan.creates.length)
// @ts-expect-error people sign in, programs don't
await api.login({ username: 'ada', password: 'secret' })
`

void t.test('both, of the Open API alone', async () => {
  await run('oazapfts', 'openapi-v1.json', 'client-v1.ts')
  writeFileSync(path.join(home, 'calls-v1.ts'), WITH_V1)
  await compile('calls-v1.ts')
  const options = ['--silent', '--enum-style', 'union', '--output', '.', '--name', 'ApiV1.ts']
  await run('swagger-typescript-api', 'generate', '--path', 'openapi-v1.json', ...options)
  writeFileSync(path.join(home, 'calls-of-api-v1.ts'), WITH_API_V1)
  await compile('calls-of-api-v1.ts')
})
