import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import type pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import secrets from '../../plugins/security/secrets.ts'
import tokens from '../../plugins/security/tokens.ts'
import { startPostgres, withClient } from './postgres.ts'
import { startService, type Server } from './processes.ts'
import { median, ms, verdict, type Result } from './report.ts'
import { SECRET_KEY, seedUsers } from './seed.ts'
import { memoryOf } from './start.ts'

/** As in `npm start`; they decide how much memory garbage may take. */
const AS_PRODUCTION = ['--max-semi-space-size=4']

const STREAMS = 5_000
const EVENTS = 10
/** Connections opened at a time. */
const BATCH = 50
/** Time until new streams are idle and their garbage is collected. */
const QUIET_MS = 8_000
/** Between events. */
const PAUSE_MS = 500
const TIMEOUT_MS = 10_000

const TARGET = { ms: 500, kB: 20 }

/** As many users as streams, one each; all of them receive each event. */
export async function streams(): Promise<Result> {
  const postgres = await startPostgres({ durable: false })
  try {
    const database = await postgres.createDatabase('streams')
    await seedUsers(database)
    const listeners = await seedListeners(database)
    const service = await startService(database, { rateLimit: 0, nodeOptions: AS_PRODUCTION })
    try {
      // The first half includes the cost of any load: code, buffers, room for garbage.
      const early = await openAll(service, listeners.slice(0, STREAMS / 2))
      await sleep(QUIET_MS)
      const before = memoryOf(service.child.pid as number)
      const sockets = [...early, ...(await openAll(service, listeners.slice(STREAMS / 2)))]
      await sleep(QUIET_MS)
      const each = ((memoryOf(service.child.pid as number) - before) * 1024) / (STREAMS / 2)
      const events: number[][] = []
      for (let n = 0; n < EVENTS; n++) {
        events.push(await deliverAll(service, sockets))
        await sleep(PAUSE_MS)
      }
      for (const socket of sockets) socket.destroy()
      return report(each, events)
    } finally {
      await service.close()
    }
  } finally {
    await postgres.close()
  }
}

function report(kB: number, events: number[][]): Result {
  const slowest = events.map((arrivals) => Math.max(...arrivals))
  const all = events.flat().sort((a, b) => a - b)
  const p99 = all[Math.floor(all.length * 0.99)] as number
  return {
    title: `${STREAMS.toLocaleString('en')} open event streams on one instance.`,
    target: `one event reaches all of them in under ${TARGET.ms} ms; at most ${TARGET.kB} kB per idle stream`,
    rows: [
      { what: 'arrival, median', measured: ms(median(all)), holds: '' },
      { what: 'arrival, p99', measured: ms(p99), holds: verdict(p99 < TARGET.ms) },
      {
        what: 'last arrival of an event, median',
        measured: ms(median(slowest)),
        holds: verdict(median(slowest) < TARGET.ms),
      },
      {
        what: 'last arrival of an event, worst',
        measured: ms(Math.max(...slowest)),
        holds: verdict(Math.max(...slowest) < TARGET.ms),
      },
      { what: 'memory per stream', measured: `${kB.toFixed(1)} kB`, holds: verdict(kB <= TARGET.kB) },
    ],
    notes: [
      `Each stream belongs to another user and has its own socket to another process. ${EVENTS} events, one after another; from the request to the service to the arrival at each client: this includes finding the recipients in the database, storing the event in ${STREAMS.toLocaleString('en')} lists, and writing. Memory is the growth of the whole process (RSS) with the second half of the streams, without forced garbage collection.`,
    ],
  }
}

interface Listener {
  token: string
}

/** Users with a session each. Created without a sign-in, because 5,000 of these would take minutes. */
async function seedListeners(database: pg.ClientConfig): Promise<Listener[]> {
  const app = Fastify()
  await app.register(secrets, { keys: [SECRET_KEY] })
  await app.register(tokens)
  const people = Array.from({ length: STREAMS }, () => ({ user: uuidv7(), session: uuidv7() }))
  await withClient(database, async (client) => {
    const ids = [people.map(({ user }) => user), people.map(({ session }) => session)]
    await client.query(
      `insert into users (id, username, role) select id, 'listener-' || id, 'member' from unnest($1::uuid[]) as id`,
      [ids[0]],
    )
    await client.query(
      `insert into sessions (id, user_id, remember, ip, user_agent, expires_at)
       select session, user_id, false, '127.0.0.1', 'bench', now() + interval '1 hour'
       from unnest($1::uuid[], $2::uuid[]) as pairs (user_id, session)`,
      ids,
    )
  })
  const listeners = people.map(({ user, session }) => ({ token: app.tokens.sign('access', user, session) }))
  await app.close()
  return listeners
}

async function openAll({ address }: Server, listeners: Listener[]): Promise<Socket[]> {
  const { hostname, port } = new URL(address)
  const sockets: Socket[] = []
  for (let i = 0; i < listeners.length; i += BATCH) {
    const batch = listeners.slice(i, i + BATCH)
    sockets.push(...(await Promise.all(batch.map(({ token }) => open(hostname, Number(port), token)))))
  }
  return sockets
}

/** Resolves when the stream has begun. */
async function open(host: string, port: number, token: string): Promise<Socket> {
  const socket = connect(port, host)
  const begun = arrival(socket, '"connected"')
  socket.write(
    `GET /api/notifications/stream HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  )
  await begun
  return socket
}

/** Sends an event to all users; returns the milliseconds until it arrived at each. */
async function deliverAll(service: Server, sockets: Socket[]): Promise<number[]> {
  const domainName = `${uuidv7()}.example.com`
  const arrivals = sockets.map((socket) => arrival(socket, domainName))
  const told = performance.now()
  service.child.send({
    name: 'notification.wanted',
    payload: { event: 'domain.created', metadata: { domainId: uuidv7(), domainName }, to: 'all' },
  })
  return (await Promise.all(arrivals)).map((at) => at - told)
}

/** Resolves when that text arrives. */
function arrival(socket: Socket, text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = ''
    const late = setTimeout(() => reject(new Error(`No ${text} in ${received}`)), TIMEOUT_MS)
    socket.on('data', function look(chunk) {
      received += chunk.toString('latin1')
      if (!received.includes(text)) return
      clearTimeout(late)
      socket.off('data', look)
      resolve(performance.now())
    })
  })
}
