import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import t from 'tap'
import { startApp } from '../helpers/app.ts'

/* A header that comes byte by byte holds its connection for half a minute at most. */

void t.test('64. a slow header is answered and cut off', async (t) => {
  const { app } = await startApp(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n')
  const trickle = setInterval(() => socket.write('x'), 500)
  t.teardown(() => clearInterval(trickle))
  const answer: Buffer[] = []
  socket.on('data', (chunk: Buffer) => answer.push(chunk))
  socket.on('error', () => {})
  const begun = performance.now()
  await once(socket, 'close')
  t.ok(performance.now() - begun < 30_000)
  t.match(Buffer.concat(answer).toString(), /^HTTP\/1\.1 408 /)
})
