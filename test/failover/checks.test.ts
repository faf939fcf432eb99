import { createServer as createTlsServer } from 'node:https'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import t from 'tap'
import type { StoredProbe } from '../../db/tables/index.ts'
import { CLASS, RCODE } from '../../dns/wire/message.ts'
import { checkTargets } from '../../modules/failover/checks/check.ts'
import { createDns } from '../../plugins/outbound/dns/index.ts'
import { createProbe } from '../../plugins/outbound/probe.ts'
import { startDnsServer } from '../helpers/dns-server.ts'
import { CERTIFICATE, KEY } from './certificate.ts'

const probe = createProbe({ allow: ['127.0.0.0/8'] })
const dns = createDns({ allow: ['127.0.0.0/8'], resolvers: ['127.0.0.1:1'] })
t.teardown(() => {
  probe.close()
  dns.close()
})
const BLOCKED = { name: 'OutboundError', message: /is not a public address/ }
const check = (settings: StoredProbe, ...targets: string[]) =>
  checkTargets({ probe, dns }, settings, targets, new AbortController().signal)

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

const http = (port: number, more: object = {}): StoredProbe => ({
  kind: 'http',
  timeoutSeconds: 1,
  port,
  tls: false,
  host: 'www.example.com',
  path: '/',
  status: [],
  contains: null,
  verifyCertificate: true,
  certificateDays: null,
  ...more,
})

void t.test('TCP: a connection is enough', async (t) => {
  const port = await listening(createServer((socket) => socket.destroy()))
  t.match(await check({ kind: 'tcp', port, timeoutSeconds: 1 }, '127.0.0.1'), { ok: true, ms: Number })
  t.match(await check({ kind: 'tcp', port: 1, timeoutSeconds: 1 }, '127.0.0.1'), {
    ok: false,
    reason: 'unreachable',
  })
})

void t.test('the guard holds for addresses and for names; it is no outage', async (t) => {
  for (const target of ['10.0.0.1', '169.254.169.254', '::1'])
    t.match(await check(http(80), target), { ok: null, reason: 'blocked' }, target)
  const named = createProbe({ allow: [], resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
  const inside = { host: 'inside.example.com', port: 80, timeoutMs: 1000 }
  await t.rejects(named.tcp(inside), BLOCKED)
  await t.rejects(
    named.http({
      ...inside,
      tls: false,
      hostName: 'x.example',
      path: '/',
      verifyCertificate: true,
      maxBytes: 1,
    }),
    BLOCKED,
  )
  const both = createProbe({
    allow: [],
    resolve: async () => [
      { address: '192.0.2.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
  })
  await t.rejects(both.tcp(inside), BLOCKED, 'one private address among others')
})

void t.test('HTTP: a body without end is read only so far', async (t) => {
  let sent = 0
  const port = await listening(
    createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n')
        const more = () => {
          if (socket.destroyed) return
          sent += 65_536
          if (socket.write('x'.repeat(65_536))) setImmediate(more)
          else socket.once('drain', more)
        }
        more()
      })
    }),
  )
  const begun = performance.now()
  t.match(await check(http(port, { contains: 'needle' }), '127.0.0.1'), { ok: false, reason: 'text' })
  t.ok(performance.now() - begun < 900, 'not until its time is over')
  t.ok(sent < 32 * 1024 * 1024)
})

void t.test('HTTP: what is no HTTP, and redirects', async (t) => {
  const noise = await listening(createServer((socket) => socket.end('220 mail.example.com ESMTP\r\n')))
  t.match(await check(http(noise), '127.0.0.1'), { ok: false, reason: 'unreachable' })
  const answer = 'HTTP/1.1 301 Moved\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n'
  const moved = await listening(createServer((socket) => void socket.once('data', () => socket.end(answer))))
  t.match(await check(http(moved), '127.0.0.1'), { ok: true }, 'not followed')
  t.match(await check(http(moved, { status: [200] }), '127.0.0.1'), { ok: false, reason: 'status' })
})

void t.test('HTTPS: the certificate', async (t) => {
  const server = createTlsServer({ cert: CERTIFICATE, key: KEY }, (_request, response) => {
    response.end('secure')
  })
  const port = await listening(server)
  t.teardown(() => server.closeAllConnections())
  const untrusted = await check(http(port, { tls: true }), '127.0.0.1')
  t.match(untrusted, { ok: false, reason: 'unreachable', detail: /certificate/ })
  const loose = { tls: true, verifyCertificate: false, contains: 'secure' }
  const fine = await check(http(port, loose), '127.0.0.1')
  t.match(fine, { ok: true, certificateExpires: Date })
  t.equal(fine.certificateExpires?.getUTCFullYear(), 2126)
  t.match(await check(http(port, { ...loose, certificateDays: 30 }), '127.0.0.1'), { ok: true })
  t.match(await check(http(port, { ...loose, certificateDays: 100_000 }), '127.0.0.1'), {
    ok: false,
    reason: 'certificate',
  })
})

void t.test('DNS: the answer of the server at the target', async (t) => {
  const server = await startDnsServer(t, () => ({
    isAuthoritative: true,
    answers: [{ name: 'example.com', type: 1, class: CLASS.IN, ttl: 60, data: Buffer.from([192, 0, 2, 1]) }],
  }))
  const wanted = (more: object = {}): StoredProbe => ({
    kind: 'dns',
    timeoutSeconds: 1,
    port: server.port,
    query: 'example.com',
    queryType: 'A',
    contains: null,
    ...more,
  })
  t.match(await check(wanted(), server.address), { ok: true })
  t.match(await check(wanted({ contains: '192.0.2.1' }), server.address), { ok: true })
  t.match(await check(wanted({ contains: '192.0.2.2' }), server.address), { ok: false, reason: 'answer' })
  t.match(await check(wanted({ queryType: 'AAAA' }), server.address), { ok: false, reason: 'answer' })
  server.answer = () => ({ rcode: RCODE.SERVFAIL })
  t.match(await check(wanted(), server.address), { ok: false, reason: 'rcode' })
  server.answer = () => null
  t.match(await check(wanted(), server.address), { ok: false, reason: 'timeout' })
})

void t.test('an alternative works if all of its targets do', async (t) => {
  const port = await listening(createServer((socket) => socket.destroy()))
  const tcp = { kind: 'tcp', port, timeoutSeconds: 1 } as const
  t.match(await check(tcp, '127.0.0.1', '127.0.0.9'), { ok: false, reason: 'unreachable' })
  t.match(await check(tcp, '127.0.0.1', '10.0.0.1'), { ok: null, reason: 'blocked' })
  t.match(await check(tcp, '127.0.0.9', '10.0.0.1'), { ok: false })
})
