// Runs first: takes long for its size.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { until } from '../helpers/until.ts'
import { idOf, MANUAL } from '../helpers/zone.ts'
import { commandsOfStep, loopbackNetwork, startHaStack, type HaStack } from './ha-stack.ts'
import { ADMIN, call, type Answer } from './zonekeeper.ts'

/* An operator follows deploy/ha/README.md word for word, kills each process with kill -9, and writes come back. */
t.setTimeout(400_000)
/** Generous: the machine has much else to do. */
const WITHIN = { within: 90 }
/** Between two attempts to write. */
const PAUSE_MS = 200

const network = loopbackNetwork()
const stack = await startHaStack(t, { network })
const token = await signedIn(stack)
const asAdmin = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(stack.url, method, path, { token, headers, ...(body !== undefined && { body }) })
const manual = await asAdmin('POST', '/api/provider-configs', { providerId: MANUAL, name: 'manual' })
const domain = { name: 'example.com', providerConfigId: idOf(manual) }
const records = `/api/domains/${idOf(await asAdmin('POST', '/api/domains', domain))}/records`
const acknowledged: string[] = []

async function signedIn({ url, adminPassword }: HaStack): Promise<string> {
  const body = { username: ADMIN.username, password: adminPassword }
  const answer = await call(url, 'POST', '/api/auth/login', { body })
  return (answer.body as { accessToken: string }).accessToken
}

/** What was refused other than clients are told to repeat, and refusals that are no problem documents. */
const unexpected: Answer[] = []

/** Repeats the request until it is done, as clients do. */
async function writes(): Promise<void> {
  const record = { recordType: 'A', name: `host-${acknowledged.length}`, value: '192.0.2.1' }
  const key = { 'idempotency-key': crypto.randomUUID() }
  const attempt = async (): Promise<boolean> => {
    // Null: HAProxy is being restarted.
    const answer = await asAdmin('POST', records, record, key).catch(() => null)
    if (answer?.status === 201) return true
    if (answer !== null && !isRepeatable(answer)) unexpected.push(answer)
    await sleep(PAUSE_MS)
    return false
  }
  await until('a write is served', attempt, WITHIN)
  acknowledged.push(record.name)
}

const isRepeatable = ({ status, headers, body }: Answer): boolean =>
  (headers.get('content-type') ?? '').startsWith('application/problem+json') &&
  (status === 503 || (status === 409 && body.reason === 'first_request_under_way'))

void t.test('each process is killed', async (t) => {
  const programs = stack.programs()
  t.same(programs.sort(), [
    'etcd-one',
    'etcd-three',
    'etcd-two',
    'haproxy',
    'patroni-one',
    'patroni-two',
    'pgbouncer',
    'zonekeeper-one',
    'zonekeeper-three',
    'zonekeeper-two',
  ])
  await writes()
  for (const program of programs) {
    const before = stack.pidOf(program) as number
    process.kill(before, 'SIGKILL')
    const isNew = () => ![null, before].includes(stack.pidOf(program))
    await until(`${program} runs again`, isNew, WITHIN)
    await writes()
  }
})

void t.test('PostgreSQL is killed on the primary: the standby takes over', async (t) => {
  await stack.inStep()
  const primary = (await stack.primary()) as string
  process.kill(stack.postmasterOf(primary) as number, 'SIGKILL')
  const other = async () => ![null, primary].includes(await stack.primary())
  await until('another primary', other, WITHIN)
  await writes()
  await stack.inStep()
  t.equal(await stack.primary(), primary === 'one' ? 'two' : 'one')
})

void t.test('the commands of "Kill something"', async (t) => {
  const before = await stack.primary()
  await stack.run(commandsOfStep('7. Kill something'))
  await writes()
  await stack.inStep()
  t.not(await stack.primary(), before)
})

void t.test('nothing acknowledged is lost or done twice', async (t) => {
  const { body } = await asAdmin('GET', `${records}?limit=1000`)
  const names = (body.records as { name: string }[]).map(({ name }) => name)
  t.same(names.sort(), acknowledged.sort())
  t.same(unexpected, [])
})

void t.test('HAProxy hides what is for operators', async (t) => {
  for (const path of ['/metrics', '/healthz', '/readyz']) t.match(await asAdmin('GET', path), { status: 404 })
})

void t.test('without any instance, a problem document', async (t) => {
  await stack.run('./supervise stop zonekeeper-one zonekeeper-two zonekeeper-three')
  const answer = await asAdmin('GET', records)
  t.match(answer, { status: 503, body: { status: 503, code: 'unavailable', outcome: 'unknown' } })
  t.match(answer.headers.get('content-type'), /^application\/problem\+json/)
  t.match(answer.headers.get('retry-after'), /^\d+$/)
})

void t.test('the commands of "Stop"', async (t) => {
  await stack.run(commandsOfStep('8. Stop'))
  t.same(stack.programs(), [])
})
