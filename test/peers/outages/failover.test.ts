// Runs last: holds times to bounds.
import { mkdtempSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { connect } from '../../../db/connection/connect.ts'
import { areHonest, timed, underLoad } from '../../helpers/outages.ts'
import { startNetwork } from '../../helpers/postgres.ts'
import { until } from '../../helpers/until.ts'
import { idOf, MANUAL } from '../../helpers/zone.ts'
import { startDebianPair, type DebianPair } from '../debian-pair.ts'
import { call, signIn, startZonekeeper } from '../zonekeeper.ts'

/*
 * Two instances under load on a PostgreSQL with a synchronous standby. The machine of the primary dies, the common
 * address leads to the standby, and that is promoted: what was acknowledged is there, and both go on by themselves.
 */
t.setTimeout(180_000)
const RECOVERY = { within: 10 }
/** For what many clients ask at once. */
const BUSY_MS = 4_000
const BACK = '"msg":"LISTEN connection restored"'

const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-failover-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))

async function failOver(t: Test, harm: (pair: DebianPair) => void): Promise<void> {
  const pair = await startDebianPair(t)
  const address = await startNetwork(t, pair.primary)
  const environment = {
    DATABASE_URL: `postgres://postgres@127.0.0.1:${address.port}/postgres`,
    SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    DATA_DIR: work,
    LOG_LEVEL: 'info',
  }
  const start = async () => {
    const service = await startZonekeeper(environment)
    t.teardown(() => service.stop())
    return { service, session: await signIn(service.url) }
  }
  const instances = [await start(), await start()] as const
  const [here, there] = [instances[0].session, instances[1].session]
  const manual = await here.post('/api/provider-configs', { providerId: MANUAL, name: 'manual' })
  const domain = { name: 'example.com', providerConfigId: idOf(manual) }
  const records = `/api/domains/${idOf(await here.post('/api/domains', domain))}/records`
  const goesOn = ({ service, session }: (typeof instances)[0]) =>
    until(
      'the instance goes on',
      async () => {
        const record = { recordType: 'A', name: `host-${crypto.randomUUID()}`, value: '192.0.2.1' }
        const answers = [
          call(service.url, 'GET', '/readyz'),
          session.get(records),
          session.post(records, record),
        ]
        return (await Promise.all(answers)).every(({ status }) => status < 300)
      },
      RECOVERY,
    )

  /** Uses all connections of both; answers what was not served within BUSY_MS. */
  const burst = async () => {
    const reads = Array.from({ length: 40 }, (_, n) =>
      timed(instances[n % 2 === 0 ? 0 : 1].session.get(records)),
    )
    return (await Promise.all(reads)).filter(({ status, ms }) => status !== 200 || ms > BUSY_MS)
  }
  let slow = await burst()
  const answers = await underLoad([here, there], records.split('/')[3] as string, async () => {
    harm(pair)
    // The common address may lead to a standby that takes no writes yet.
    address.leadTo(pair.standby)
    await sleep(2_000)
    pair.promote()
    await Promise.all(instances.map(goesOn))
    slow = await burst()
  })
  t.same(slow, [], 'no connection to the old one is used any more')
  const standby = connect(pair.standby)
  t.teardown(() => standby.close())
  await areHonest(t, standby, answers)

  await t.test('they hear each other again', async (t) => {
    for (const { service } of instances)
      await until('it listens', () => service.output().includes(BACK), RECOVERY)
    t.equal((await there.get('/api/auth/me')).status, 200)
    t.equal((await here.delete('/api/auth/me/sessions')).status, 204)
    await until('it has ended', async () => (await there.get('/api/auth/me')).status === 401, RECOVERY)
  })
  await t.test('scheduled tasks are run', async () => {
    pair.sql("update scheduled_tasks set due_at = now() where name = 'sessions.cleanup'")
    const done =
      "select holder is null and due_at > now() from scheduled_tasks where name = 'sessions.cleanup'"
    await until('the task has run', () => pair.sql(done).trim() === 't', { within: 60 })
  })
}

void t.test('88. the primary dies', (t) => failOver(t, (pair) => pair.signalPrimary('SIGKILL')))

void t.test('88. the primary stands still', (t) =>
  failOver(t, (pair) => {
    pair.signalPrimary('SIGSTOP')
    t.teardown(() => pair.signalPrimary('SIGKILL'))
  }),
)
