import t from 'tap'
import { decodeMessage, encodeMessage, type Message } from '../../../dns/wire/message.ts'
import { readTsig, signMessage, TsigVerifier, type TsigError, type TsigKey } from '../../../dns/wire/tsig.ts'
import { call, startApp } from '../../helpers/app.ts'
import { idOf, startZone } from '../../helpers/zone.ts'
import { until } from '../../helpers/until.ts'
import {
  add,
  ask,
  deleteValue,
  listen,
  makeKey,
  nameOf,
  now,
  queryOf,
  sendTcp,
  sendUdp,
  sign,
  update,
  updateOf,
} from './client.ts'

/* Whose messages are worked on (RFC 8945), and how often. */
const zone = await startZone(t)
const place = await listen(zone)
const { key, keyId, token, tokenId } = await makeKey(zone, zone.admin)
const SOA = 6
const www = (value: string) => [add('www.example.com', 'A', value)]

/** Sends octets, and returns the answer with the error of its signature. */
async function answerTo(bytes: Buffer): Promise<Message & { error: number; size: number }> {
  const answer = await sendUdp(place, bytes)
  if (!answer) throw new Error('No answer')
  const decoded = decodeMessage(answer)
  const error = decoded.tsig ? readTsig(decoded.tsig.record.data).error : -1
  return { ...decoded, error, size: answer.length }
}

const [BADSIG, BADKEY, BADTIME, BADTRUNC] = [16, 17, 18, 22]

void t.test('each algorithm, and the case of a key name does not matter', async (t) => {
  for (const algorithm of ['hmac-sha256', 'hmac-sha384', 'hmac-sha512']) {
    const made = await makeKey(zone, zone.admin, null, { algorithm })
    t.match(await ask(place, made.key, queryOf('example.com', SOA)), { rcode: 0, isAuthoritative: true })
    const other = algorithm === 'hmac-sha256' ? 'hmac-sha512' : 'hmac-sha256'
    const { message } = sign(queryOf('example.com', SOA), { ...made.key, algorithm: other })
    t.match(await answerTo(message), { rcode: 9, error: BADKEY })
  }
  const upper = Buffer.from(sign(queryOf('example.com', SOA), key).message)
  const at = upper.indexOf('dhcp-at-home', 0, 'latin1')
  upper.write('DHCP-AT-HOME', at, 'latin1')
  t.match(await answerTo(upper), { rcode: 0, error: 0 })
})

void t.test('MD5 and SHA-1 are not taken', async (t) => {
  for (const algorithm of ['hmac-md5.sig-alg.reg.int', 'hmac-sha1', 'hmac-sha224'] as const)
    t.match(await answerTo(sign(updateOf('example.com', www('192.0.2.1')), { ...key, algorithm }).message), {
      rcode: 9,
      error: BADKEY,
    })
  const asked = {
    method: 'POST',
    url: '/api/v1/token/tsig-keys',
    payload: { algorithm: 'hmac-sha1' },
  } as const
  t.equal((await call(zone.app, { ...asked, headers: { authorization: `Bearer ${token}` } })).status, 400)
})

void t.test(
  '109. a wrong secret, an unknown key and an altered message: BADSIG and BADKEY, unsigned',
  async (t) => {
    const message = updateOf('example.com', www('192.0.2.66'))
    const cases: [Buffer, number][] = [
      [sign(message, { ...key, secret: Buffer.alloc(32, 1) }).message, BADSIG],
      [sign(message, { ...key, name: 'nobody.example' }).message, BADKEY],
      [sign(message, { ...key, name: key.name.replace(/.$/, '!') }).message, BADKEY],
    ]
    const altered = Buffer.from(sign(message, key).message)
    altered[altered.indexOf(Buffer.of(192, 0, 2, 66))] = 193
    cases.push([altered, BADSIG])
    for (const [bytes, error] of cases) {
      const answer = await answerTo(bytes)
      t.match(answer, { rcode: 9, error })
      t.ok(answer.size <= bytes.length)
      t.equal(readTsig((answer.tsig as NonNullable<Message['tsig']>).record.data).mac.length, 0)
    }
    t.same(zone.there('www', 'A'), [])
  },
)

void t.test('a clock that differs: BADTIME with our time, signed; nothing is done', async (t) => {
  for (const shift of [-301, 302, -86_400]) {
    const { message, mac } = sign(updateOf('example.com', www('192.0.2.1')), key, now() + shift)
    const answer = await sendUdp(place, message)
    const error = (() => {
      try {
        new TsigVerifier(key, mac, now).verify(answer as Buffer, decodeMessage(answer as Buffer))
      } catch (raised) {
        return raised as TsigError
      }
      return null
    })()
    t.match(error, { fault: 'BADTIME', said: true })
    t.ok(Math.abs((error?.peerTime ?? 0) - now()) < 5)
    t.match(decodeMessage(answer as Buffer), { rcode: 9 })
  }
  t.same(zone.there('www', 'A'), [])
  for (const shift of [-290, 290])
    t.match(await answerTo(sign(queryOf('example.com', SOA), key, now() + shift).message), { rcode: 0 })
  t.equal(BADTIME, 18)
})

void t.test('a truncated MAC: BADTRUNC if it is right, FORMERR below half', async (t) => {
  const shortened = (octets: number) => {
    const { message } = signMessage(encodeMessage(queryOf('example.com', SOA)), key, now())
    // …, the length of the MAC, the MAC, original id, error, length of other data.
    const end = message.length - 6
    const cut = Buffer.concat([message.subarray(0, end - 32 + octets), message.subarray(end)])
    cut.writeUInt16BE(octets, end - 32 - 2)
    const fixed = end - 32 - 2 - 2 - 6 - 'hmac-sha256'.length - 2
    cut.writeUInt16BE(cut.length - fixed, fixed - 2)
    return cut
  }
  t.match(await answerTo(shortened(16)), { rcode: 9, error: BADTRUNC })
  t.match(await answerTo(shortened(15)), { rcode: 1, tsig: null })
  t.match(await answerTo(shortened(0)), { rcode: 1, tsig: null })
})

void t.test('109. a repeated update gets the same answer, and is done once', async (t) => {
  const name = 'replayed.example.com'
  const first = sign(updateOf('example.com', [add(name, 'A', '192.0.2.1')]), key).message
  t.match(await answerTo(first), { rcode: 0 })
  t.equal(await update(place, key, 'example.com', [deleteValue(name, 'A', '192.0.2.1')]), 'NOERROR')
  const writes = zone.writes()
  for (const again of [await answerTo(first), await answerTo(first)]) t.match(again, { rcode: 0, error: 0 })
  const [tcp] = await sendTcp(place, [first], 1)
  t.match(decodeMessage(tcp as Buffer), { rcode: 0 })
  t.equal(zone.writes(), writes)
  t.same(zone.there('replayed', 'A'), [])
  // Another id outside of the signature doesn't make it another message.
  const other = Buffer.from(first)
  other.writeUInt16BE(4711, 0)
  t.match(await answerTo(other), { rcode: 0, id: 4711 })
  t.same(zone.there('replayed', 'A'), [])
})

void t.test('109. the same update sent ten times at once is done once', async (t) => {
  const { message } = sign(updateOf('example.com', [add('ten.example.com', 'A', '192.0.2.1')]), key)
  const writes = zone.writes()
  const answers = await Promise.all(Array.from({ length: 10 }, () => answerTo(message)))
  t.same([...new Set(answers.map(({ rcode }) => nameOf(rcode)))], ['NOERROR'])
  t.equal(zone.writes(), writes + 1)
})

void t.test('109. several instances do it once together, and answer alike', async (t) => {
  const other = await startApp(t, { database: zone.database, alone: false })
  const second = await listen(other)
  const name = 'instances.example.com'
  const { message } = sign(updateOf('example.com', [add(name, 'A', '192.0.2.1')]), key)
  const writes = zone.writes()
  const answers = await Promise.all([place, second, place, second].map((one) => sendUdp(one, message)))
  t.same([...new Set(answers.map((answer) => decodeMessage(answer as Buffer).rcode))], [0])
  t.equal(zone.writes(), writes + 1)
  t.equal(await update(second, key, 'example.com', [deleteValue(name, 'A', '192.0.2.1')]), 'NOERROR')
  await sendUdp(place, message)
  t.same(zone.there('instances', 'A'), [])
})

void t.test('a key is read for each message: it ends with itself, its token, or its user', async (t) => {
  const isOpen = async (which: TsigKey) => {
    const { message } = sign(queryOf('example.com', SOA), which)
    const { rcode, error } = await answerTo(message)
    return error === BADKEY ? 'BADKEY' : nameOf(rcode)
  }
  const own = await makeKey(zone, zone.admin)
  const url = `/api/v1/token/tsig-keys/${own.keyId}`
  const authorization = { authorization: `Bearer ${own.token}` }
  const other = { authorization: `Bearer ${token}` }
  t.equal((await call(zone.app, { method: 'DELETE', url, headers: other })).status, 404)
  t.equal(await isOpen(own.key), 'NOERROR')
  t.equal((await call(zone.app, { method: 'DELETE', url, headers: authorization })).status, 204)
  t.equal(await isOpen(own.key), 'BADKEY')

  const ended = await makeKey(zone, zone.admin)
  await zone.admin.delete(`/api/auth/me/tokens/${ended.tokenId}`)
  t.equal(await isOpen(ended.key), 'BADKEY')

  const ada = await zone.addUser('ada')
  const hers = await makeKey(zone, await zone.signIn('ada'))
  t.equal(await isOpen(hers.key), 'REFUSED', 'she sees no domain')
  t.equal((await zone.admin.put(`/api/users/${ada}`, { disabled: true })).status, 200)
  t.equal(await isOpen(hers.key), 'BADKEY')

  const late = await makeKey(zone, zone.admin)
  await zone.database.db
    .updateTable('personal_tokens')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', late.tokenId)
    .execute()
  t.equal(await isOpen(late.key), 'BADKEY')
})

void t.test('a replaced token leaves its keys to its successor', async (t) => {
  const made = await makeKey(zone, zone.admin)
  const headers = { authorization: `Bearer ${made.token}` }
  const next = await call(zone.app, { method: 'POST', url: '/api/v1/token/rotate', headers })
  t.equal(next.status, 201)
  t.match(await ask(place, made.key, queryOf('example.com', SOA)), { rcode: 0 })
  await zone.admin.delete(`/api/auth/me/tokens/${idOf(next)}`)
  t.match(await answerTo(sign(queryOf('example.com', SOA), made.key).message), { error: BADKEY })
})

void t.test('the secret is shown once, and stored encrypted', async (t) => {
  const list = await call(zone.app, {
    method: 'GET',
    url: '/api/v1/token/tsig-keys',
    headers: { authorization: `Bearer ${token}` },
  })
  t.same(Object.keys(list.body.keys[0]).sort(), ['algorithm', 'createdAt', 'id', 'lastUsedAt', 'name'])
  await until('its use is noted', async () => {
    const { keys } = (await zone.admin.get('/api/auth/me/tokens')).body.tokens.find(
      ({ id }: { id: string }) => id === tokenId,
    ) as { keys?: unknown }
    return keys === undefined
  })
  t.match(list.body.keys, [{ id: keyId, lastUsedAt: String }])
  const rows = await zone.database.db.selectFrom('tsig_keys').select('secret').execute()
  t.notOk(rows.some(({ secret }) => secret.includes(Buffer.from(key.secret))))
  t.notOk(rows.some(({ secret }) => secret.includes(Buffer.from(key.secret).toString('base64'))))
  const { entries } = (await zone.admin.get('/api/audit?action=tsig_key.created')).body
  t.ok(entries.length > 0)
  t.notMatch(JSON.stringify(entries), Buffer.from(key.secret).toString('base64'))
  t.equal((await zone.admin.post('/api/v1/token/tsig-keys', {})).status, 403, 'not without a token')
})
