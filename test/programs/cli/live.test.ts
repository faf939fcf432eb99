import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { startCli } from './program.ts'

/* Events while they happen, and the end of operations. */
const { admin, zk } = await startCli(t)
const made = await admin.post('/api/auth/me/tokens', {
  name: 'watch',
  permissions: ['notifications:read', 'domains:read', 'domains:write'],
})
const env = { ZONEKEEPER_TOKEN: made.body.token as string }

void t.test('watch prints what happens, in each format', async (t) => {
  const before = (await admin.get('/api/notifications')).body.notifications[0]
  for (const [format, expected] of [
    ['table', /^\d{4}-\S+ \S+ {2}domain\.created {2}/],
    ['json', /^\{"id":"[^\n]*"event":"domain\.created"[^\n]*\}\n$|^\{[^\n]*"domain\.created"[^\n]*\}\n$/],
    ['yaml', /^---\n[^]*event: domain\.created\n/],
  ] as const) {
    const since = before ? ['--since', before.id] : ['--since', '00000000-0000-7000-8000-000000000000']
    const watching = zk(['watch', '--event', 'domain.*', '--number', '1', '--output', format, ...since], {
      env,
    })
    const config = (await admin.get('/api/provider-configs')).body.providerConfigs[0].id
    await admin.post('/api/domains', { name: `${format}.example`, providerConfigId: config })
    t.match(await watching, { exit: 0, out: expected }, format)
  }
  t.match(await zk('watch'), { exit: 5 }, 'not without the permission')
})

void t.test('watch reconnects with the id of the last event', async (t) => {
  const asked: (string | undefined)[] = []
  const event = (id: string) =>
    `id: ${id}\ndata: ${JSON.stringify({ event: 'domain.created', id, title: id, content: '', level: 'info', read: false, createdAt: '2026-11-21T12:00:00.000Z', metadata: {} })}\n\n`
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      // Cut in the middle of a message.
      response.write(`retry: 10\nid: start\ndata: {"event":"connected"}\n\n${event('one')}id: lost\nda`)
      setTimeout(() => response.destroy(), 20)
    },
    (response) => response.writeHead(503, { 'content-type': 'text/plain' }).end(),
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`id: one\ndata: {"event":"connected"}\n\n:\n\n${event('two')}`)
    },
  ]
  const server = createServer((request, response) => {
    asked.push(request.headers['last-event-id'] as string | undefined)
    answers.shift()?.(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const watched = await zk('watch --number 2', { env: { ...env, ZONEKEEPER_URL: url } })
  t.match(watched, { exit: 0, err: /reconnecting/ })
  t.same(watched.out.match(/one|two/g), ['one', 'two'], 'each once')
  t.same(asked, [undefined, 'one', 'one'])
})

void t.test('watch fails where nothing is', async (t) => {
  t.match(await zk('watch', { env: { ...env, ZONEKEEPER_URL: 'http://127.0.0.1:9' } }), { exit: 1 })
})

void t.test('wait ends with the operation', async (t) => {
  await zk('records add example.com www A 192.0.2.7 --yes')
  const planned = await admin.post('/api/records/replace', {
    find: { value: '192.0.2.7' },
    replaceWith: { value: '192.0.2.8' },
  })
  const started = await admin.post('/api/records/replace/apply', { planId: planned.body.planId })
  const id = started.body.operation.id as string
  t.match(await zk(`wait ${id}`), { exit: 0, out: /succeeded, 1 of 1/ })
  t.match(await zk('wait 0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'), { exit: 3 })
  t.match(await zk('wait everything'), { exit: 2 })
})
