import path from 'node:path'
import pg from 'pg'
import t, { type Test } from 'tap'
import { until } from '../../helpers/until.ts'
import { idOf, MANUAL } from '../../helpers/zone.ts'
import { mountSmallDisk } from './small-disk.ts'
import { call, signIn, startZonekeeper, type Answer, type Session, type Zonekeeper } from '../zonekeeper.ts'

/*
 * The embedded PostgreSQL on a disk that becomes full: that is said, the service goes on by itself when there is room
 * again, and what was acknowledged is there.
 */
t.setTimeout(180_000)
const disk = mountSmallDisk(t, 256)
if (disk === null) {
  t.pass('not tried', { skip: 'mounting a file system is not allowed here' })
} else {
  const dataDir = path.join(disk.dir, 'data')
  const environment = { DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
  const start = async (): Promise<{ service: Zonekeeper; admin: Session }> => {
    const service = await startZonekeeper(environment)
    t.teardown(() => service.stop())
    return { service, admin: await signIn(service.url) }
  }
  let { service, admin } = await start()
  const manual = await admin.post('/api/provider-configs', { providerId: MANUAL, name: 'manual' })
  const domain = { name: 'example.com', providerConfigId: idOf(manual) }
  const records = `/api/domains/${idOf(await admin.post('/api/domains', domain))}/records`
  const acknowledged: string[] = []

  const write = async (): Promise<Answer> => {
    const name = `host-${crypto.randomUUID()}`
    const answer = await admin.post(records, { recordType: 'TXT', name, value: 'x'.repeat(2_000) })
    if (answer.status === 201) acknowledged.push(name)
    return answer
  }
  const isRefused = (t: Test, { status, body, headers }: Answer) => {
    t.match({ status, body }, { status: 503, body: { code: 'unavailable', detail: /disk is full/ } })
    t.match(headers.get('retry-after'), /^\d+$/)
  }
  const ready = () => call(service.url, 'GET', '/readyz')
  const isWell = async (t: Test) => {
    await until('it serves by itself', async () => (await ready()).status === 200, { within: 20 })
    await until('it writes', async () => (await write()).status === 201)
    const { body } = await admin.get(`${records}?limit=200`)
    const there = new Set((body.records as { name: string }[]).map(({ name }) => name))
    t.same(
      acknowledged.filter((name) => !there.has(name)),
      [],
      'nothing acknowledged is lost',
    )
  }
  /** Asks PostgreSQL for the next piece of its log, until it ends for want of room for it. */
  const useUpTheLog = async () => {
    const client = new pg.Client({
      host: path.join(dataDir, 'postgres'),
      user: 'postgres',
      database: 'postgres',
    })
    // It is cut off, which is what it is for.
    const ended = new Promise<void>((resolve) => client.on('error', () => {}).on('end', resolve))
    await client.connect()
    const next = `select pg_switch_wal(), pg_logical_emit_message(true, 'next', 'piece')`
    await until('PostgreSQL ends', () =>
      client.query(next).then(
        () => false,
        () => true,
      ),
    )
    client.end().catch(() => {})
    await ended
  }
  const isRefusedAStart = async (t: Test) => {
    await t.rejects(startZonekeeper(environment), {
      message: /can't start\. DATA_DIR: The disk of .* is full/,
    })
  }

  void t.test('89. writes are refused, reads go on', async (t) => {
    t.equal((await write()).status, 201)
    disk.fill()
    isRefused(
      t,
      await until('a write is refused', async () => {
        const answer = await write()
        return answer.status === 201 ? null : answer
      }),
    )
    t.equal((await admin.get(records)).status, 200)
    t.match(await ready(), { status: 503, body: { checks: [{ status: 'disk_full' }] } })
    disk.empty()
    await isWell(t)
  })

  void t.test('89. full for the log: all is refused, and served again when there is room', async (t) => {
    disk.fill()
    await useUpTheLog()
    await until('that is told', async () => /disk is full/.test((await admin.get(records)).body.detail))
    isRefused(t, await write())
    t.match(await ready(), { status: 503, body: { checks: [{ status: 'disk_full' }] } })
    t.equal((await call(service.url, 'GET', '/healthz')).status, 200)
    disk.empty()
    await isWell(t)
  })

  for (const how of ['stop', 'kill'] as const) {
    void t.test(`a ${how} and a start while it is full`, async (t) => {
      disk.fill()
      if (how === 'kill') await useUpTheLog()
      await service[how]()
      await isRefusedAStart(t)
      disk.empty()
      ;({ service, admin } = await start())
      await isWell(t)
    })
  }
}
