import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import db from '../../../plugins/db.ts'
import errors from '../../../plugins/http/errors.ts'
import events from '../../../plugins/events/index.ts'
import sse, { type Frame, type Stream, type StreamOptions } from '../../../plugins/events/sse.ts'
import { createDatabase } from '../../helpers/database.ts'
import { until } from '../../helpers/until.ts'

/* The hub alone, over sockets; the stream of notifications is in test/notifications/stream.test.ts. */

const frame = (id: string, text = id): Frame => ({ id, bytes: Buffer.from(`id: ${id}\ndata: ${text}\n\n`) })

/** A server that streams to `?user=`; `opening` may hold a stream up before it begins. */
async function serve(
  t: Test,
  options: StreamOptions = {},
  opening: (stream: Stream, request: FastifyRequest) => Promise<Frame[]> = async () => [frame('first')],
) {
  const app = Fastify()
  await app.register(errors)
  const database = await createDatabase(t)
  await app.register(db, { connection: database })
  await app.register(events, { createClient: () => database.createClient() })
  await app.register(sse, options)
  const failures: Error[] = []
  app.addHook('onError', async (_request, _reply, error) => void failures.push(error))
  app.get('/stream', async (request, reply) => {
    const { user, seconds = '900' } = request.query as Record<string, string>
    const userId = user ?? 'ada'
    const expiresAt = Date.now() + Number(seconds) * 1000
    const stream = app.sse.open({ userId, sessionId: `session of ${userId}`, tokenId: null, expiresAt })
    stream.begin(reply, await opening(stream, request))
  })
  app.get('/slow', () => sleep(100, { slow: true }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const { port } = app.server.address() as AddressInfo

  const dial = (...paths: string[]): Connection => {
    const socket = connect(port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    let text = ''
    const connection = { socket, text: () => text, closed: false }
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.on('close', () => (connection.closed = true))
    socket.on('error', () => {})
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`).join(''))
    return connection
  }
  const open = async (query = ''): Promise<Connection> => {
    const connection = dial(`/stream?${query}`)
    await until('the beginning', () => connection.text().includes('data: first'))
    return connection
  }
  return { hub: app.sse, events: app.events, failures, open, dial }
}

interface Connection {
  socket: Socket
  text(): string
  closed: boolean
}

const dataIn = ({ text }: Connection) => [...text().matchAll(/^data: (.*)$/gm)].map(([, data]) => data)

void t.test('84. a heartbeat keeps idle streams open', async (t) => {
  const { open } = await serve(t, { heartbeatSeconds: 0.05 })
  const [one, two] = [await open(), await open()]
  for (const connection of [one, two]) {
    await until('three heartbeats', () => (connection.text().match(/^:$/gm) ?? []).length >= 3)
    t.same(dataIn(connection), ['first'], 'it is a comment, no message')
  }
})

void t.test('84. who does not read is dropped, and delays nobody', async (t) => {
  const maxUnsent = 256 * 1024
  const { hub, open } = await serve(t, { maxUnsent })
  const [slow, quick] = [await open('user=slow'), await open('user=quick')]
  slow.socket.pause()
  const big = 'x'.repeat(64 * 1024)
  let sent = 0
  // What the system itself takes is some megabytes.
  while (hub.owners().length === 2 && sent < 1_000) {
    hub.send(['slow', 'quick'], frame(String(sent), big))
    sent++
    await until('the quick one to have it', () => quick.socket.bytesRead > sent * big.length)
  }
  t.ok(sent > 4 && sent < 1_000, `dropped after ${sent}`)
  t.same(
    hub.owners().map(({ userId }) => userId),
    ['quick'],
  )
  await until('all frames at the quick one', () => dataIn(quick).length === sent + 1)
  t.equal(quick.closed, false)
  slow.socket.resume()
  await until('the end of the slow one', () => slow.closed)
  t.ok(slow.text().length < (sent + 1) * 66_000, 'it did not get all')
})

void t.test('84. who goes is forgotten, and who stays too long, too', async (t) => {
  const { hub, open } = await serve(t)
  const [gone, staying] = [await open(), await open()]
  t.equal(hub.owners().length, 2)
  gone.socket.destroy()
  await until('one to be forgotten', () => hub.owners().length === 1)
  const short = await open('seconds=0.3')
  await until('the end of the short one', () => short.closed)
  t.equal(hub.owners().length, 1)
  t.equal(staying.closed, false)
})

void t.test('84. streams of a session that ends', async (t) => {
  const { hub, events, open } = await serve(t)
  const [ada, eve] = [await open('user=ada'), await open('user=eve')]
  events.emit('session.ended', { sessionIds: ['session of eve', 'session of nobody'] })
  await until('the end of the stream', () => eve.closed)
  t.equal(ada.closed, false)
  t.equal(hub.owners().length, 1)
})

void t.test('each user gets their own', async (t) => {
  const { hub, open } = await serve(t)
  const [ada, tab, eve] = [await open('user=ada'), await open('user=ada'), await open('user=eve')]
  hub.send(['ada', 'nobody'], frame('1'))
  hub.send(['eve'], frame('2'))
  hub.send(['ada', 'eve'], frame('3'))
  for (const connection of [ada, tab]) {
    await until('three frames', () => dataIn(connection).length === 3)
    t.same(dataIn(connection), ['first', '1', '3'])
  }
  t.same(dataIn(eve), ['first', '2', '3'])
})

void t.test('what comes while a stream opens follows its beginning, once', async (t) => {
  let release = () => {}
  const waiting = new Promise<void>((resolve) => (release = resolve))
  const { hub, dial } = await serve(t, {}, async () => {
    await waiting
    return [frame('first'), frame('2')]
  })
  const one = dial('/stream')
  await until('the stream', () => hub.owners().length === 1)
  hub.send(['ada'], frame('2'))
  hub.send(['ada'], frame('3'))
  release()
  await until('three frames', () => dataIn(one).length >= 3)
  hub.send(['ada'], frame('2'))
  hub.send(['ada'], frame('4'))
  await until('the last frame', () => dataIn(one).includes('4'))
  t.same(dataIn(one), ['first', '2', '3', '4'])
})

void t.test('one that ended while it opened ends at once', async (t) => {
  const { hub, dial } = await serve(t, {}, async (stream) => {
    stream.end('over')
    return [frame('first')]
  })
  const one = dial('/stream')
  await until('the end of the connection', () => one.closed)
  t.match(one.text(), /^HTTP\/1\.1 200 OK\r\n/)
  t.same(dataIn(one), ['first'])
  t.equal(hub.owners().length, 0)
})

void t.test('one whose client went while it opened is forgotten', async (t) => {
  let release = () => {}
  const waiting = new Promise<void>((resolve) => (release = resolve))
  let leave = () => {}
  const left = new Promise<void>((resolve) => (leave = resolve))
  const { hub, dial, open, failures } = await serve(t, {}, async (_stream, request) => {
    if (request.url.includes('gone')) {
      request.raw.once('close', leave)
      await waiting
    }
    return [frame('first')]
  })
  const gone = dial('/stream?user=gone')
  await until('the stream', () => hub.owners().length === 1)
  gone.socket.destroy()
  await left
  release()
  await until('it to be forgotten', () => hub.owners().length === 0)
  await open('user=other')
  t.same(failures, [])
})

void t.test('to hundreds of streams, in order for each', async (t) => {
  const { hub, open } = await serve(t)
  const users = Array.from({ length: 130 }, (_, i) => `user${i}`)
  const connections = await Promise.all(
    users.flatMap((user) => Array.from({ length: 5 }, () => open(`user=${user}`))),
  )
  t.equal(hub.owners().length, 650)
  hub.send(users, frame('1'))
  // Its only receiver has its turn in the second slice of the first frame.
  hub.send([users.at(-1) as string], frame('2'))
  hub.send(users, frame('3'))
  await until('the last frame everywhere', () =>
    connections.every((connection) => dataIn(connection).includes('3')),
  )
  const [last, ...others] = connections.toReversed()
  t.same(dataIn(last as Connection), ['first', '1', '2', '3'])
  t.same(dataIn(others.at(-1) as Connection), ['first', '1', '3'])
})

void t.test('whoever asks for more on the connection of a stream is cut off', async (t) => {
  const { hub, open } = await serve(t)
  const one = await open()
  one.socket.write('GET /slow HTTP/1.1\r\nHost: test\r\n\r\n')
  await until('the end of the connection', () => one.closed)
  t.equal(one.text().match(/HTTP\/1\.1/g)?.length, 1, 'no other answer is in the stream')
  t.equal(hub.owners().length, 0)
})

void t.test('a connection that waits for another answer gets no stream', async (t) => {
  const { hub, dial } = await serve(t)
  const one = dial('/slow', '/stream')
  await until('the refusal', () => one.text().includes('validation_failed'))
  t.match(one.text(), /200 OK[^]*"slow":true[^]*400 Bad Request/)
  t.equal(hub.owners().length, 0)
})
