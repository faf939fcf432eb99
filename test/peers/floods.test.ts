// Runs last: holds times to bounds.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createDatabase } from '../helpers/database.ts'
import { until } from '../helpers/until.ts'
import { ADMIN, call, databaseUrl, signIn, startZonekeeper } from './zonekeeper.ts'

/*
 * A thousand requests at once that are cheap to send and dear to take, at a service with a heap of 256 MB: it lives,
 * and answers others meanwhile.
 */
t.setTimeout(180_000)
const FLOOD = 1_000
const database = await createDatabase(t)
const service = await startZonekeeper(
  {
    DATABASE_URL: databaseUrl(database.config),
    SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'warn',
  },
  { command: [process.execPath, '--max-old-space-size=256', 'server.js'] },
)
t.teardown(() => service.stop())
const { hostname, port } = new URL(service.url)
const admin = await signIn(service.url)

interface Attack {
  path: string
  body: Buffer
  /** From which address number n comes. */
  from: (n: number) => string
  headers?: string
}

/** One request on a connection of its own; answers the status, or 0 when the connection was cut before. */
async function attack({ path, body, from, headers = '' }: Attack, n: number): Promise<number> {
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
  // Cut off in the middle of its body: what came before counts.
  socket.on('error', () => {})
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `X-Forwarded-For: ${from(n)}\r\n${headers}Content-Length: ${body.length}\r\n\r\n`,
  )
  socket.write(body)
  await new Promise((resolve) => socket.once('close', resolve))
  return Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 0)
}

const oneAddress = () => '198.51.100.1'
const manyAddresses = (n: number) => `203.0.${n >> 8}.${n & 255}`
const objects = (bytes: number) => Buffer.from(`{"x":[${'{},'.repeat(bytes / 3 - 4)}{}]}`)
const attempt = Buffer.from(
  JSON.stringify({ username: 'nobody', password: 'x'.repeat(200), x: 'x'.repeat(15_000) }),
)
const changes = Buffer.from(JSON.stringify({ changes: Array.from({ length: 150_000 }, () => ({})) }))

const attacks: Record<string, Attack> = {
  'bodies of a megabyte, from one address': {
    path: '/api/auth/refresh',
    body: objects(2 ** 20),
    from: oneAddress,
  },
  'the same from many': { path: '/api/auth/refresh', body: objects(2 ** 20), from: manyAddresses },
  'small ones of many values': { path: '/api/auth/refresh', body: objects(16_000), from: manyAddresses },
  'sign-ins': { path: '/api/auth/login', body: attempt, from: manyAddresses },
  'large bodies of one who is signed in': {
    path: '/api/domains/0192f0a0-0000-7000-8000-000000000009/records/plan',
    body: changes,
    from: oneAddress,
    headers: `Authorization: Bearer ${admin.accessToken}\r\n`,
  },
}

for (const [what, each] of Object.entries(attacks)) {
  void t.test(`86. ${what}`, async (t) => {
    let over = false
    const statuses = new Map<number, number>()
    const flood = Promise.all(
      Array.from({ length: FLOOD }, async (_, n) => {
        const status = await attack(each, n)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }),
    ).finally(() => (over = true))
    const honest: number[] = []
    while (!over) {
      honest.push((await admin.get('/api/auth/me')).status)
      await sleep(50)
    }
    await flood
    t.comment([...statuses].map(([status, count]) => `${count} times ${status}`).join(', '))
    // Of a machine that is busy with the flood's other end, some are asked to come back.
    t.ok(
      honest.length > 0 && honest.every((status) => status === 200 || status === 503),
      'others are answered',
    )
    t.notOk(statuses.has(200), 'nothing of it was taken')
    await until('others are served', async () => (await admin.get('/api/auth/me')).status === 200)
    t.match(await call(service.url, 'POST', '/api/auth/login', { body: ADMIN }), { status: 200 })
  })
}
