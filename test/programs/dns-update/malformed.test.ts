import { once } from 'node:events'
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { decodeMessage } from '../../../dns/wire/message.ts'
import { readTsig } from '../../../dns/wire/tsig.ts'
import { readUpdate } from '../../../modules/protocols/dns-update/update/sections.ts'
import { Refused } from '../../../modules/protocols/dns-update/refusal.ts'
import { signatureOf, verifyRequest } from '../../../dns/wire/tsig-answers.ts'
import { WireError } from '../../../dns/wire/wire.ts'
import { startZone } from '../../helpers/zone.ts'
import { ask, listen, makeKey, now, queryOf, sendTcp, sendUdp, sign } from './client.ts'
import { goodMessages, mutated, randomNumbers } from './mutations.ts'

/* Messages that no honest client sends. */
const zone = await startZone(t)
const place = await listen(zone)
const { key } = await makeKey(zone, zone.admin)

void t.test('100,000 malformed messages: each is read, or refused for what is wrong', (t) => {
  const good = goodMessages(key, now())
  const random = randomNumbers(1)
  const seen = { read: 0, malformed: 0, refused: 0 }
  for (let i = 0; i < 100_000; i++) {
    const bytes = mutated(good[i % good.length] as Buffer, random)
    try {
      const message = decodeMessage(bytes)
      const signature = signatureOf(message)
      if (signature) verifyRequest(bytes, signature, { ...key, name: signature.keyName }, now())
      if (message.opcode === 5) readUpdate(message)
      seen.read++
    } catch (error) {
      if (error instanceof WireError) seen.malformed++
      else if (error instanceof Refused) seen.refused++
      else throw error
    }
  }
  t.ok(seen.read > 5_000 && seen.malformed > 10_000 && seen.refused > 1_000, JSON.stringify(seen))
  t.end()
})

void t.test(
  '10,000 of them over UDP: no answer is longer than what was sent, and none does what it should not',
  async (t) => {
    const [good, random] = [goodMessages(key, now()), randomNumbers(2)]
    const socket = createSocket('udp4')
    t.teardown(() => socket.close())
    const sizes = new Map<number, number>()
    let answers = 0
    const longer: string[] = []
    socket.on('message', (bytes) => {
      answers++
      const id = bytes.readUInt16BE(0)
      const signed = decodeMessage(bytes).tsig
      const isTrusted = signed !== null && readTsig(signed.record.data).mac.length > 0
      if (!isTrusted && bytes.length > (sizes.get(id) ?? 0)) longer.push(bytes.toString('hex'))
    })
    for (let i = 0; i < 10_000; i++) {
      const bytes = mutated(good[i % good.length] as Buffer, random)
      const id = i % 65_536
      bytes.writeUInt16BE(id, 0)
      sizes.set(id, bytes.length)
      socket.send(bytes, place.port, place.address)
      if (i % 50 === 0) await sleep(1)
    }
    await sleep(200)
    t.ok(answers > 10, `${answers} answers`)
    t.same(longer, [])
    // A change of the id, or of the case of the key's name, leaves the signature valid.
    const signed = new Set(['www A 192.0.2.1', 'www MX 10 mail.example.com', 'www TXT some text'])
    t.same(
      (await zone.here()).filter((record) => !signed.has(record)),
      [],
    )
    t.match(await ask(place, key, queryOf('example.com', 6), 1_000), { rcode: 0 }, 'it serves as before')
  },
)

void t.test('a flood without a key is answered only so often, and those with a key are served', async (t) => {
  const socket = createSocket('udp4')
  t.teardown(() => socket.close())
  let answers = 0
  socket.on('message', () => answers++)
  const { message } = sign(queryOf('example.com', 6), { ...key, name: 'unknown.example' })
  for (let i = 0; i < 2_000; i++) socket.send(message, place.port, place.address)
  t.match(await ask(place, key, queryOf('example.com', 6), 1_000), { rcode: 0 })
  await sleep(300)
  t.ok(answers <= 40, `${answers} answers`)
})

void t.test('answers are not answered, and what is too short for a header is not, either', async (t) => {
  const answer = sign(queryOf('example.com', 6, { isResponse: true }), key).message
  t.equal(await sendUdp(place, answer, 300), null)
  t.equal(await sendUdp(place, Buffer.alloc(11), 300), null)
})

void t.test('over TCP: several messages in one go; without a key one answer, then the end', async (t) => {
  const good = [1, 2, 3].map(() => sign(queryOf('example.com', 6), key).message)
  t.equal((await sendTcp(place, good, 3)).length, 3)
  await sleep(1_100)
  const bad = [1, 2, 3].map(
    () => sign(queryOf('example.com', 6), { ...key, name: 'unknown.example' }).message,
  )
  t.equal((await sendTcp(place, bad, 3)).length, 1)
})

void t.test('over TCP: one address has a bounded number of connections', async (t) => {
  const sockets = Array.from({ length: 40 }, () => connect(place.port, place.address))
  t.teardown(() => sockets.forEach((socket) => socket.destroy()))
  const closed = await Promise.all(
    sockets.map((socket) => {
      socket.on('error', () => {})
      return Promise.race([once(socket, 'close').then(() => true), sleep(500).then(() => false)])
    }),
  )
  t.equal(closed.filter((isClosed) => isClosed).length, 8)
})

void t.test('metrics count what came', async (t) => {
  const text = await zone.app.metrics.text()
  t.match(text, /zonekeeper_dns_messages_total\{kind="soa",result="NOERROR"\} [1-9]/)
  t.match(text, /zonekeeper_dns_messages_total\{kind="soa",result="BADKEY"\} [1-9]/)
})
