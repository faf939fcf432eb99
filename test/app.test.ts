import { connect, type AddressInfo, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { RouteNames } from '../plugins/http/validation/known-names.ts'
import { serializers } from '../plugins/http/validation/serialization.ts'
import { validators } from '../plugins/http/validation/validation.ts'
import { until } from './helpers/until.ts'
import { startApp } from './helpers/app.ts'

const { database } = await startApp(t)

void t.test('59. a route without an access rule stops the start', async (t) => {
  const open = await buildApp(readConfig({ LOG_LEVEL: 'silent' }, '/dev/null'), {
    connection: database,
    secretKeys: [Buffer.alloc(32, 7)],
    alone: true,
  })
  t.teardown(() => open.close())
  open.get('/forgotten', () => 'open')
  open.get('/named', { config: { access: 'public' } }, () => 'open')
  await open.register(async (inner) => {
    inner.post('/inner', { config: { rateLimit: false } }, () => 'open')
  })
  await t.rejects(Promise.resolve(open.ready()), {
    message: /rule: (?=.*GET \/forgotten)(?=.*POST \/inner)(?!.*named)/,
  })
})

void t.test(
  'every validator and serialiser can be compiled, and one that can not stops the start',
  async (t) => {
    await startApp(t, { database, compileAtStart: true })
    const broken = { type: 'object', properties: { id: { $ref: 'nowhere#' } } }
    const schemas = {
      body: { body: broken },
      querystring: { querystring: broken },
      params: { params: broken },
      headers: { headers: broken },
      response: { response: { 200: { type: 'object' }, 404: broken } },
    }
    const addBroken = (app: FastifyInstance, schema: object) =>
      app.post('/broken/:id', { config: { access: 'public' }, schema }, () => ({}))
    const extend = (app: FastifyInstance) => addBroken(app, schemas.response)
    await t.rejects(startApp(t, { database, extend, compileAtStart: true }), { message: /nowhere/ })
    // Each part by the same compilers, without the rest of the service.
    for (const [part, schema] of Object.entries(schemas)) {
      const compilersFactory = {
        buildSerializer: serializers(true),
        buildValidator: validators(true, new RouteNames()),
      }
      const app: FastifyInstance = Fastify({ schemaController: { compilersFactory } })
      t.teardown(() => app.close())
      addBroken(app, schema)
      await t.rejects(Promise.resolve(app.ready()), { message: /nowhere/ }, part)
    }
  },
)

void t.test('a stop lets requests in flight finish', async (t) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const { app: other } = await startApp(t, {
    database,
    extend: (app) =>
      app.get('/test/slow', { config: { access: 'public' } }, async () => {
        arrive()
        await released
        return { finished: true }
      }),
  })
  await other.listen({ port: 0, host: '127.0.0.1' })
  const { port } = other.server.address() as AddressInfo
  const idle = await openConnection(port)
  const busy = openConnection(port)
  const answer = readAll(await busy)
  ;(await busy).write('GET /test/slow HTTP/1.1\r\nHost: a\r\n\r\n')
  await arrived
  const idleClosed = new Promise((resolve) => idle.on('close', resolve))
  const closed = other.close()
  await idleClosed
  await until('nobody new is taken', () =>
    openConnection(port).then(
      () => false,
      () => true,
    ),
  )
  release()
  const text = await answer
  t.match(text, /^HTTP\/1.1 200 [^]*{"finished":true}/)
  await closed
})

const openConnection = (port: number) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', reject)
  })

const readAll = (socket: Socket) =>
  new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('close', () => resolve(text))
  })
