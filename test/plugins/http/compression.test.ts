import { once } from 'node:events'
import { request as send, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { startZone } from '../../helpers/zone.ts'

const { app, admin, url: records, domainId } = await startZone(t)
const address = await app.listen({ host: '127.0.0.1', port: 0 })

interface Received {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** As a client sends it that decodes nothing by itself. */
async function get(path: string, headers: Record<string, string> = {}): Promise<Received> {
  const authorization = `Bearer ${admin.accessToken}`
  const request = send(`${address}${path}`, { headers: { authorization, ...headers } }).end()
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return { status: answer.statusCode ?? 0, headers: answer.headers, bytes: await buffer(answer) }
}

void t.test('110. answers over a kilobyte are compressed for clients that accept it', async (t) => {
  const many = Array.from({ length: 60 }, (_, i) => ({ recordType: 'A', name: `h${i}`, value: '192.0.2.1' }))
  t.match(await admin.post(`${records}/bulk`, { records: many }), { body: { succeeded: 60 } })
  const plain = await get(`${records}?limit=100`)
  t.notOk(plain.headers['content-encoding'])
  for (const [coding, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const answer = await get(`${records}?limit=100`, { 'accept-encoding': coding })
    t.equal(answer.headers['content-encoding'], coding)
    t.match(answer.headers.vary, /accept-encoding/i)
    t.same(decode(answer.bytes), plain.bytes)
    t.ok(
      answer.bytes.length < plain.bytes.length / 5,
      `${answer.bytes.length} of ${plain.bytes.length} bytes`,
    )
    t.equal(answer.headers.etag, plain.headers.etag, 'a weak tag names both')
  }
})

void t.test('small answers, pictures and event streams stay as they are', async (t) => {
  const all = { 'accept-encoding': 'br, gzip' }
  t.notOk((await get(`/api/domains/${domainId}/soa`, all)).headers['content-encoding'])
  t.notOk((await get('/healthz', all)).headers['content-encoding'])
})

void t.test('zone files are compressed, and what has not changed is not sent again', async (t) => {
  const path = `/api/domains/${domainId}/zone`
  const zoneFile = await get(path, { 'accept-encoding': 'gzip' })
  t.equal(zoneFile.headers['content-encoding'], 'gzip')
  t.match(String(gunzipSync(zoneFile.bytes)), /^h59\s/m)
  const again = await get(`${records}?limit=100`, { 'accept-encoding': 'gzip' })
  const unchanged = await get(`${records}?limit=100`, {
    'accept-encoding': 'gzip',
    'if-none-match': String(again.headers.etag),
  })
  t.match(unchanged, { status: 304, bytes: { length: 0 } })
})

void t.test('110. a compressed request is refused before it is decompressed', async (t) => {
  const answer = await fetch(`${address}${records}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${admin.accessToken}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: Buffer.from('H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==', 'base64'),
  })
  t.ok([400, 415].includes(answer.status), String(answer.status))
})
