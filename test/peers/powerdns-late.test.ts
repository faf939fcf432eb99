// Runs first: takes long for its size.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { until } from '../helpers/until.ts'
import { startPowerDns } from './powerdns.ts'
import { addDomain, signIn, startZonekeeper, type Session } from './zonekeeper.ts'

/* PowerDNS writes long after its answer was given up. */
t.setTimeout(240_000)
const LATE_MS = 16_000

const powerdns = await startPowerDns()
t.teardown(() => powerdns.close())
const dataDir = mkdtempSync(path.join(tmpdir(), 'zonekeeper-late-'))
t.teardown(() => rmSync(dataDir, { recursive: true, force: true }))
const environment = { DATA_DIR: dataDir, OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'warn' }

/** PowerDNS behind a proxy that holds back what is written until it is told. */
let held: Promise<void> | null = null
const proxy = createServer((request, response) => {
  const forward = async () => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.method === 'PATCH') await held
    const answer = await fetch(powerdns.apiUrl + request.url, {
      method: request.method ?? 'GET',
      headers: { 'x-api-key': powerdns.apiKey, 'content-type': 'application/json' },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const headers = { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }
    response.writeHead(answer.status, headers).end(await answer.text())
  }
  forward().catch(() => response.destroy())
})
proxy.listen(0, '127.0.0.1')
await once(proxy, 'listening')
t.teardown(() => {
  proxy.close()
  proxy.closeAllConnections()
})
const slow = {
  apiUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  apiKey: powerdns.apiKey,
}

/** What is written from now on waits until it is released. */
function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  return resolve
}

const record = (name: string) => ({ recordType: 'A', name, value: '192.0.2.1', ttl: 300 })
const statusOf = async (session: Session, domainId: string, name: string) => {
  const { body } = await session.get(`/api/domains/${domainId}/records?search=${name}`)
  return (body as { records: { status: string }[] }).records[0]?.status
}
const becomes = (session: Session, domainId: string, name: string, status: string) =>
  until(`${name} is ${status}`, async () => (await statusOf(session, domainId, name)) === status, {
    within: 100,
  })

const first = await startZonekeeper(environment)
t.teardown(() => first.stop())
const session = await signIn(first.url)
const domainId = await addDomain(session, slow, 'late.test')
const url = `/api/domains/${domainId}/records`

void t.test('92. what is written after the answer was given up', async (t) => {
  const release = hold()
  const begun = Date.now()
  t.match(await session.post(url, record('slow')), { status: 504, body: { code: 'provider_timeout' } })
  t.equal(await statusOf(session, domainId, 'slow'), 'pending', 'nobody knows')
  await sleep(begun + LATE_MS - Date.now())
  t.equal(await statusOf(session, domainId, 'slow'), 'pending', 'still not')
  release()
  await becomes(session, domainId, 'slow', 'active')
  t.same(await powerdns.dig('slow.late.test', 'A'), ['192.0.2.1'])
})

void t.test('92. what is written after the service was stopped and started', async (t) => {
  const release = hold()
  const begun = Date.now()
  const answer = session.post(url, record('stopped')).catch(() => null)
  await until('it is under way', async () => (await statusOf(session, domainId, 'stopped')) === 'pending')
  // It must have reached PowerDNS, which waits.
  await sleep(1_000)
  await first.stop()
  await answer
  const second = await startZonekeeper(environment)
  t.teardown(() => second.stop())
  const again = await signIn(second.url)
  await sleep(Math.max(0, begun + LATE_MS - Date.now()))
  t.equal(await statusOf(again, domainId, 'stopped'), 'pending', 'it was looked for, and is waited for')
  release()
  await becomes(again, domainId, 'stopped', 'active')
  t.same(await powerdns.dig('stopped.late.test', 'A'), ['192.0.2.1'])
})
