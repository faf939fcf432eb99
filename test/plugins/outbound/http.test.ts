import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import httpPlugin, {
  createHttp,
  OutboundError,
  type Http,
  type HttpOptions,
} from '../../../plugins/outbound/http.ts'
import { createGuard, parseAllow } from '../../../plugins/outbound/allow.ts'
import { until } from '../../helpers/until.ts'

const LOOPBACK = ['127.0.0.0/8', '::1']

async function listen(t: Test, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as AddressInfo).port
}

async function serve(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  const port = await listen(t, server)
  t.teardown(() => server.closeAllConnections())
  return `http://127.0.0.1:${port}`
}

/** A peer that need not speak proper HTTP. */
async function serveRaw(t: Test, onRequest: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', () => onRequest(socket))
  })
  const port = await listen(t, server)
  t.teardown(() => sockets.forEach((socket) => socket.destroy()))
  return `http://127.0.0.1:${port}`
}

function client(t: Test, options: Partial<HttpOptions> = {}): Http {
  const http = createHttp({ allow: LOOPBACK, ...options })
  t.teardown(() => http.close())
  return http
}

async function failure(call: Promise<unknown>): Promise<OutboundError> {
  try {
    await call
  } catch (error) {
    if (error instanceof OutboundError) return error
    throw error
  }
  throw new Error('the call did not fail')
}

void t.test('answers status, headers and body; sends its own User-Agent', async (t) => {
  let seen: { method?: string | undefined; agent?: string | undefined; body: string } | undefined
  const url = await serve(t, (request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      seen = { method: request.method, agent: request.headers['user-agent'], body }
      response.writeHead(201, { 'X-Two': ['a', 'b'] }).end('grüße')
    })
  })
  const answer = await client(t).request({ method: 'POST', url: `${url}/x?y=1`, body: '{"ä":1}' })
  t.equal(answer.status, 201)
  t.equal(answer.body, 'grüße')
  t.equal(answer.headers['x-two'], 'a, b')
  t.match(seen?.agent, /^Zonekeeper\/\d+\.\d+\.\d+$/)
  t.match(seen, { method: 'POST', body: '{"ä":1}' })
})

void t.test('71. does not follow redirects', async (t) => {
  let calls = 0
  const url = await serve(t, (_, response) => {
    calls++
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  const answer = await client(t).request({ method: 'GET', url })
  t.equal(answer.status, 302)
  t.equal(calls, 1)
})

void t.test('keeps connections alive, and reuses them', async (t) => {
  const ports = new Set<number | undefined>()
  const url = await serve(t, (request, response) => {
    ports.add(request.socket.remotePort)
    response.end('ok')
  })
  const http = client(t)
  for (let i = 0; i < 6; i++) await http.request({ method: 'GET', url })
  // Two: to undici the first one is still busy for a moment after its answer.
  t.ok(ports.size <= 2, `${ports.size} connections for 6 requests`)
})

void t.test('a user and password in the address become basic authentication', async (t) => {
  const url = await serve(t, (request, response) => response.end(request.headers.authorization))
  const withUser = url.replace('//', '//me:p%40ss%25%@')
  const answer = await client(t).request({ method: 'GET', url: withUser })
  t.equal(answer.body, `Basic ${Buffer.from('me:p%40ss%25%').toString('base64')}`)
})

void t.test('72. unpacks gzip, up to the limit', async (t) => {
  const url = await serve(t, (request, response) => {
    const size = request.url === '/bomb' ? 50_000_000 : 5_000
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(size)))
  })
  const http = client(t)
  t.equal((await http.request({ method: 'GET', url })).body.length, 5_000)
  const error = await failure(http.request({ method: 'GET', url: `${url}/bomb` }))
  t.match(error, { kind: 'too_large', sent: true })
})

void t.test('72. ends a body above the limit, announced or not', async (t) => {
  let closed = 0
  const url = await serve(t, (request, response) => {
    response.on('close', () => closed++)
    if (request.url === '/announced') response.writeHead(200, { 'content-length': 2_000 })
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(1_000)));
      if (!response.destroyed) response.once('drain', pour)
    }
    if (request.url === '/announced') response.write('x')
    else pour()
  })
  const http = client(t)
  for (const path of ['/announced', '/endless']) {
    const error = await failure(http.request({ method: 'GET', url: url + path, maxBytes: 1_999 }))
    t.match(error, { kind: 'too_large', sent: true }, path)
  }
  await until('both to be closed', () => closed === 2)
})

void t.test('72. the time-out covers silence, dripping headers and a dripping body', async (t) => {
  const drip = (socket: Socket, head: string) => {
    socket.write(head)
    const timer = setInterval(() => socket.write('x'), 10)
    socket.on('close', () => clearInterval(timer))
  }
  const peers: Record<string, (socket: Socket) => void> = {
    silent: () => undefined,
    headers: (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Long: '),
    body: (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n'),
  }
  const http = client(t)
  for (const [name, peer] of Object.entries(peers)) {
    const url = await serveRaw(t, peer)
    const start = Date.now()
    const error = await failure(http.request({ method: 'GET', url, timeoutMs: 150 }))
    t.match(error, { kind: 'timeout', sent: true, message: /did not answer within 0\.15 s$/ }, name)
    t.ok(Date.now() - start < 1_000, `${name} ends in time`)
  }
})

void t.test('broken answers are unreachable, and sent', async (t) => {
  const peers: Record<string, (socket: Socket) => void> = {
    closed: (socket) => socket.destroy(),
    cut: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'),
    cutChunk: (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc'),
    noHttp: (socket) => socket.end('SSH-2.0-secret\r\n'),
    hugeHeaders: (socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`),
    badGzip: (socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 6\r\n\r\nsecret'),
    unknownEncoding: (socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 6\r\n\r\nsecret'),
  }
  const http = client(t)
  for (const [name, peer] of Object.entries(peers)) {
    const error = await failure(http.request({ method: 'GET', url: await serveRaw(t, peer) }))
    t.match(error, { kind: 'unreachable', sent: true }, name)
    t.notMatch(error.message, /secret/, name)
  }
})

void t.test('a refused connection, an unknown name and a bad header were not sent', async (t) => {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const noSuchName = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
  const http = client(t, { resolve: async () => Promise.reject(noSuchName) })
  const refused = await failure(
    http.request({ method: 'GET', url: `http://u:hunter2@127.0.0.1:${port}/secret?k=1` }),
  )
  t.match(refused, { kind: 'unreachable', sent: false })
  t.equal(refused.message, `127.0.0.1:${port} refused the connection`)
  const unknown = await failure(http.request({ method: 'GET', url: 'http://nowhere.test/' }))
  t.match(unknown, { kind: 'unreachable', sent: false, message: /nowhere\.test:80 has no address/ })
  const header = { 'x-key': 'hunter2\r\nx: y' }
  const invalid = await failure(
    http.request({ method: 'GET', url: `http://127.0.0.1:${port}`, headers: header }),
  )
  t.match(invalid, { kind: 'unreachable', sent: false })
  t.notMatch(invalid.message, /hunter2/)
})

void t.test('an aborted call ends at once', async (t) => {
  let calls = 0
  const url = await serve(t, () => calls++)
  const http = client(t)
  const before = await failure(http.request({ method: 'GET', url, signal: AbortSignal.abort() }))
  t.match(before, { kind: 'aborted', sent: false })
  t.equal(calls, 0)
  const during = await failure(http.request({ method: 'GET', url, signal: AbortSignal.timeout(100) }))
  t.match(during, { kind: 'aborted', sent: true })
  t.equal(calls, 1)
})

void t.test('what is given up while connecting is never written', async (t) => {
  let calls = 0
  const url = await serve(t, (_, response) => {
    calls++
    response.end()
  })
  const address = { address: '127.0.0.1', family: 4 }
  let found: (addresses: (typeof address)[]) => void = () => undefined
  const http = client(t, { allow: ['slow.test'], resolve: () => new Promise((done) => (found = done)) })
  const named = url.replace('127.0.0.1', 'slow.test')
  const error = await failure(http.request({ method: 'POST', url: named, timeoutMs: 50 }))
  t.match(error, { kind: 'timeout', sent: false })
  found([address])
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.equal(calls, 0)
})

void t.test('70. refuses literal addresses that are not public, in every spelling', async (t) => {
  const url = await serve(t, (_, response) => response.end('internal'))
  const { port } = new URL(url)
  const http = client(t, { allow: [] })
  const hosts = ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '１２７.0.0.1', '0.0.0.0']
  hosts.push('[::1]', '[::]', '[::ffff:127.0.0.1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]')
  hosts.push('10.0.0.1', '169.254.169.254', '100.64.0.1', '[fd00::1]', '[fe80::1]', '[fec0::1]', '[4000::1]')
  for (const host of hosts) {
    const error = await failure(http.request({ method: 'GET', url: `http://${host}:${port}/` }))
    t.match(error, { kind: 'blocked', sent: false, message: /OUTBOUND_ALLOW/ }, host)
  }
})

void t.test('70. refuses names that resolve to anything that is not public', async (t) => {
  let connections = 0
  const port = await listen(
    t,
    createTcpServer((socket) => {
      connections++
      socket.destroy()
    }),
  )
  const addresses: Record<string, string[]> = {
    'internal.test': ['127.0.0.1'],
    'mixed.test': ['8.8.8.8', '127.0.0.1'],
    'mapped.test': ['::ffff:127.0.0.1'],
  }
  const http = client(t, {
    allow: [],
    resolve: async (host) => (addresses[host] ?? []).map((address) => ({ address, family: 4 })),
  })
  for (const host of Object.keys(addresses)) {
    const error = await failure(http.request({ method: 'GET', url: `http://${host}:${port}/` }))
    t.match(error, { kind: 'blocked', sent: false }, host)
    t.equal(connections, 0, 'not even connected')
    t.notMatch(error.message, /127\.0\.0\.1|8\.8\.8\.8/, 'the internal address is not told')
  }
  const real = createHttp({ allow: [] })
  t.teardown(() => real.close())
  t.match(await failure(real.request({ method: 'GET', url: `http://localhost:${port}/` })), {
    kind: 'blocked',
  })
})

void t.test('70. checks what the socket really reached', async (t) => {
  const url = await serve(t, (_, response) => response.end('internal'))
  const port = Number(new URL(url).port)
  let lookups = 0
  // Says a public address to the guard's look at the list, and a private one to the socket.
  const twoFaced = {
    family: 4,
    get address() {
      return lookups++ === 0 ? '8.8.8.8' : '127.0.0.1'
    },
  }
  const http = client(t, { allow: [], resolve: async () => [twoFaced] })
  t.match(await failure(http.request({ method: 'GET', url: `http://rebind.test:${port}/` })), {
    kind: 'blocked',
    sent: false,
  })
})

void t.test('74. lets through what is listed', async (t) => {
  const url = await serve(t, (_, response) => response.end('internal'))
  const port = Number(new URL(url).port)
  const get = async (allow: string[], host: string) => {
    const http = client(t, { allow, resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
    return http.request({ method: 'GET', url: `http://${host}:${port}/` })
  }
  t.equal((await get(['127.0.0.0/8'], '127.0.0.1')).status, 200)
  t.equal((await get(['127.0.0.1'], 'name.test')).status, 200, 'the address behind a name')
  t.equal((await get([`127.0.0.1:${port}`], '127.0.0.1')).status, 200)
  t.equal((await get([`Name.test:${port}`], 'NAME.test.')).status, 200, 'a name, whatever it resolves to')
  t.match(await failure(get([`127.0.0.1:${port + 1}`], '127.0.0.1')), { kind: 'blocked' }, 'another port')
  t.match(await failure(get([`name.test:${port + 1}`], 'name.test')), { kind: 'blocked' }, 'another port')
  t.match(await failure(get(['name.test'], 'sub.name.test')), { kind: 'blocked' }, 'another name')
  t.match(await failure(get(['10.0.0.0/8'], '127.0.0.1')), { kind: 'blocked' }, 'another network')
})

void t.test('70. calls http and https only', async (t) => {
  const http = client(t)
  for (const url of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'unix:/run/x', '//host/', 'nonsense', '']) {
    t.match(await failure(http.request({ method: 'GET', url })), { kind: 'blocked', sent: false }, url)
  }
})

void t.test('an untrusted certificate is refused before anything is sent', async (t) => {
  const url = await serveRaw(t, (socket) => socket.end('no TLS here'))
  const error = await failure(client(t).request({ method: 'GET', url: url.replace('http', 'https') }))
  t.match(error, { kind: 'unreachable', sent: false })
})

void t.test('close ends calls in flight; later ones are refused', async (t) => {
  const url = await serve(t, () => undefined)
  const http = createHttp({ allow: LOOPBACK })
  const flying = failure(http.request({ method: 'GET', url }))
  await new Promise((resolve) => setTimeout(resolve, 50))
  await http.close()
  await http.close()
  t.match(await flying, { kind: 'aborted', sent: true })
  t.match(await failure(http.request({ method: 'GET', url })), { kind: 'aborted', sent: false })
})

void t.test('the plugin decorates and closes', async (t) => {
  const app = Fastify()
  await app.register(httpPlugin, { allow: LOOPBACK })
  const url = await serve(t, (_, response) => response.end('ok'))
  t.equal((await app.http.request({ method: 'GET', url })).body, 'ok')
  await app.close()
  t.match(await failure(app.http.request({ method: 'GET', url })), { kind: 'aborted' })
})

void t.test('parseAllow', async (t) => {
  const guard = createGuard([
    '10.0.0.0/8',
    '[fd00::/8]:443',
    'fe80::/10',
    '[::1]:8081',
    '::ffff:192.168.0.0/112',
  ])
  t.ok(guard.allowsAddress('10.255.0.1', 1))
  t.ok(guard.allowsAddress('::ffff:10.0.0.1', 1), 'a mapped address is the IPv4 address')
  t.ok(guard.allowsAddress('192.168.1.1', 1))
  t.notOk(guard.allowsAddress('172.16.1.1', 1))
  t.ok(guard.allowsAddress('fd12::1', 443))
  t.notOk(guard.allowsAddress('fd12::1', 80))
  t.ok(guard.allowsAddress('fe80::1', 80))
  t.ok(guard.allowsAddress('::1', 8081))
  t.ok(guard.allowsAddress('2606:4700::1', 80) && guard.allowsAddress('8.8.8.8', 80), 'public ones always')
  t.match(parseAllow('localhost:8081'), { kind: 'host', host: 'localhost', port: 8081 })
  t.match(parseAllow('PDNS.internal.'), { kind: 'host', host: 'pdns.internal', port: null })
  const wrong = ['', ' ', 'http://10.0.0.1', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', 'fd00::/129', '10.1']
  wrong.push('10.0.0', '2130706433', '0x7f.1', '[10.0.0.1]', '[::1', '::1]:80', 'a b', '*.internal', 'host:')
  wrong.push('host:0', 'host:65536', 'host:http', 'fe80::1%eth0', '-a.test', 'a..b', '::ffff:0:0/90', '1.2/8')
  for (const entry of wrong) t.throws(() => parseAllow(entry), /^Error: ".*" (is|has|reaches) |^".*" /, entry)
})
