import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { startApp } from '../../helpers/app.ts'

/* What is refused is refused by its header: nobody's memory and time go into a body that no route takes. */

const { app, admin } = await startApp(t, { environment: { RATE_LIMIT: '20' } })
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo

const MEGABYTE = 2 ** 20

/** The status line that comes when the header alone was sent, of a request whose body would be that long. */
async function statusOf(head: string, headers: string[] = []): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  const lines = [`${head} HTTP/1.1`, 'Host: localhost', ...headers]
  if (!headers.some((line) => line.startsWith('Content-Type'))) lines.push('Content-Type: application/json')
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return Number(answer.toString().split(' ', 2)[1])
}
const length = (bytes: number) => [`Content-Length: ${bytes}`]
const token = [`Authorization: Bearer ${admin.accessToken}`]

void t.test('63. a path that there is not, and a wrong method, without waiting for the body', async (t) => {
  t.equal(await statusOf('POST /nothing', length(MEGABYTE)), 404)
  t.equal(await statusOf('PUT /api/site', length(MEGABYTE)), 405)
  t.equal(await statusOf('POST /nothing', ['Transfer-Encoding: chunked']), 404)
  t.equal(await statusOf('POST /api/domains', length(1000)), 401)
  t.equal(await statusOf('POST /api/domains', [...length(1000), 'Authorization: Bearer x']), 401)
  t.equal(await statusOf('DELETE /nothing', length(MEGABYTE)), 404)
  const more: number[] = []
  while (more.length < 20 && more.at(-1) !== 429) more.push(await statusOf('POST /nothing', length(MEGABYTE)))
  t.equal(more.at(-1), 429, 'each has counted')
  t.equal(await statusOf('PUT /api/site', length(MEGABYTE)), 429)
  t.equal(await statusOf('POST /api/auth/refresh', length(1000)), 429)
})

void t.test('86. a route that takes no body, or not that much', async (t) => {
  t.equal(await statusOf('POST /api/domains', [...token, ...length(MEGABYTE)]), 413)
  t.equal(await statusOf('POST /api/notifications/read-all', [...token, ...length(MEGABYTE)]), 413)
  t.equal(await statusOf('POST /api/notifications/read-all', [...token, ...length(2000)]), 413)
  const text = ['Content-Type: text/plain']
  t.equal(await statusOf('POST /api/domains', [...token, ...length(1000), ...text]), 415)
})

void t.test('64. a request with two hosts is refused, also on paths that there are not', async (t) => {
  for (const path of ['/healthz', '/api/domains', '/nothing'])
    t.equal(await statusOf(`GET ${path}`, ['host: elsewhere.example']), 400, path)
  t.equal(await statusOf('GET /healthz', ['X-Host: elsewhere.example']), 200)
})
