import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startReceiver } from '../../channels/simulators/receiver.ts'
import { createDatabase } from '../../helpers/database.ts'
import { startMailbox } from '../../helpers/mailbox.ts'
import { until } from '../../helpers/until.ts'
import { idOf, MANUAL } from '../../helpers/zone.ts'
import { call, databaseUrl, signIn, startZonekeeper, type Zonekeeper } from '../zonekeeper.ts'

/*
 * 200 changes while two instances are killed (`kill -9`) and started again at random: each change that is done
 * has its event, once in the lists of those it concerns, and at least once outside.
 */
t.setTimeout(240_000)
const DOMAINS = 5
const ROUNDS = 8
/** Of each domain. */
const CHANGES_A_ROUND = 5
/** Every fifth change gives rights, which is mailed; the others are records. */
const RIGHTS_EVERY = 5
/** From the beginning of a round to the kill: into the changes, or into telling of them. */
const MAX_DELAY_MS = 600

const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31))
t.comment(`SEED=${seed}`)
const random = generator(seed)

const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-events-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))
const database = await createDatabase(t)
const { db } = database
const mailbox = await startMailbox(t)
const receiver = await startReceiver(t)
receiver.state.delayMs = 3
const environment = {
  DATABASE_URL: databaseUrl(database.config),
  SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
  DATA_DIR: work,
  OUTBOUND_ALLOW: '127.0.0.1',
  LOG_LEVEL: 'warn',
  ...mailbox.environment,
}

/** Those that run; null while one is started again. */
const instances: (Zonekeeper | null)[] = [
  await startZonekeeper(environment),
  await startZonekeeper(environment),
]
t.teardown(() => Promise.all(instances.map(async (instance) => instance?.stop())))
const admin = await signIn((instances[0] as Zonekeeper).url)

interface Domain {
  id: string
  name: string
  /** Has rights on the whole domain, and wants e-mail. */
  member: { id: string; token: string }
  changes: Change[]
}

interface Change {
  event: 'record.created' | 'assignment.create'
  /** Of the record, or the pattern of the assignment. */
  name: string
  acknowledged: boolean
}

async function createDomain(name: string, providerConfigId: string): Promise<Domain> {
  const id = idOf(await admin.post('/api/domains', { name, providerConfigId }))
  const account = { username: `of-${name}`, password: 'a fine secret of a member' }
  const userId = idOf(await admin.post('/api/users', { ...account, role: 'member' }))
  await db
    .updateTable('users')
    .set({ email: `member@${name}`, email_verified: true, email_notifications_enabled: true })
    .where('id', '=', userId)
    .execute()
  idOf(await admin.post('/api/assignments', { userId, domainId: id, permission: 'read' }))
  const login = await call((instances[0] as Zonekeeper).url, 'POST', '/api/auth/login', { body: account })
  return { id, name, member: { id: userId, token: login.body.accessToken }, changes: [] }
}

const manual = idOf(await admin.post('/api/provider-configs', { providerId: MANUAL, name: 'manual' }))
const domains = await Promise.all(
  Array.from({ length: DOMAINS }, (_, n) => createDomain(`domain${n}.example`, manual)),
)
idOf(
  await admin.post('/api/notifications', {
    channel: 'webhook',
    name: 'Receiver',
    config: receiver.config,
    events: ['record.created', 'assignment.create'],
  }),
)

/** Asks for changes of a domain, one after the other and of the instances in turns. */
async function change(domain: Domain, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const number = domain.changes.length
    const isRight = number % RIGHTS_EVERY === 0
    const event = isRight ? 'assignment.create' : 'record.created'
    const asked: Change = { event, name: `change${number}`, acknowledged: false }
    domain.changes.push(asked)
    const { url } = await until(
      'an instance runs',
      () => instances[number % 2] ?? instances[(number + 1) % 2],
    )
    const answer = await (
      isRight ? assign(url, domain, asked.name) : addRecord(url, domain, asked.name)
    ).catch(() => null)
    if (answer !== null && answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    asked.acknowledged = answer !== null
  }
}

const addRecord = (url: string, { id }: Domain, name: string) =>
  call(url, 'POST', `/api/domains/${id}/records`, {
    token: admin.accessToken,
    body: { recordType: 'A', name, value: '192.0.2.1', ttl: 300 },
  })

const assign = (url: string, { id, member }: Domain, subdomainPattern: string) =>
  call(url, 'POST', '/api/assignments', {
    token: admin.accessToken,
    body: { userId: member.id, domainId: id, subdomainPattern, permission: 'write' },
  })

/** `kill -9` of these at once, and new ones in their place. */
async function killAndRestart(which: number[]): Promise<void> {
  const kill = async (index: number) => {
    const doomed = instances[index]
    instances[index] = null
    await doomed?.kill()
  }
  await Promise.all(which.map(kill))
  // What two dead ones had taken to be sent is free after at most a minute: that it is over saves waiting.
  if (which.length === instances.length) await endLeases()
  for (const index of which) instances[index] = await startZonekeeper(environment)
}

async function endLeases(): Promise<void> {
  await db.updateTable('mails').set({ next_try_at: new Date() }).execute()
}

const get = async (path: string, token = admin.accessToken) => {
  const running = instances[0] as Zonekeeper
  return (await call(running.url, 'GET', path, { token })).body
}

interface Named {
  name: string
  status: string
}

/** What was done in a domain, when nothing is under way any more. */
async function done({ id, member }: Domain): Promise<Record<Change['event'], string[]>> {
  const records = await until('no record is under way', async () => {
    const { records: all } = await get(`/api/domains/${id}/records?limit=200`)
    return (all as Named[]).every(({ status }) => status === 'active') && (all as Named[])
  })
  const { assignments } = await get(`/api/assignments?domainId=${id}&userId=${member.id}&limit=200`)
  const patterns = (assignments as { subdomainPattern: string }[]).map((one) => one.subdomainPattern)
  return {
    'record.created': records.map(({ name }) => name).sort(),
    'assignment.create': patterns.filter((pattern) => pattern !== ALL_NAMES).sort(),
  }
}

type Metadata = Record<string, unknown> & { records?: { name: string }[] }

/** The first assignment of a domain, which is no change: it may be told after the receiver was made known. */
const ALL_NAMES = '*'

/** Which change of its domain a message tells of. */
const nameIn = ({ subdomainPattern, records }: Metadata) => records?.[0]?.name ?? String(subdomainPattern)

/** The changes that the list of the domain's member tells of. */
async function listed({ name, member }: Domain, event: Change['event']): Promise<string[]> {
  const { notifications } = await get('/api/notifications?limit=200', member.token)
  return (notifications as { event: string; metadata: Metadata }[])
    .filter((message) => message.event === event && message.metadata['domainName'] === name)
    .map(({ metadata }) => nameIn(metadata))
    .filter((change) => change !== ALL_NAMES)
    .sort()
}

/** The changes of a domain that came to the receiver, in the order of their first arrival, with their ids. */
function arrived({ name }: Domain): Map<string, Set<string>> {
  const changes = new Map<string, Set<string>>()
  for (const { id, metadata } of receiver.told.filter((message) => message.metadata['domainName'] === name)) {
    const change = nameIn(metadata)
    if (change === ALL_NAMES) continue
    changes.set(change, (changes.get(change) ?? new Set()).add(id))
  }
  return changes
}

const isMailed = ({ name }: Domain, pattern: string) =>
  mailbox.received.some(
    ({ to, headers }) =>
      to.includes(`member@${name}`) && headers['subject'] === `Access to ${pattern}.${name} granted`,
  )

/** Waits until nothing is left to be told. */
const allTold = () =>
  until(
    'everything is told',
    async () => {
      const waiting = await Promise.all([
        db.selectFrom('events').select('id').execute(),
        db.selectFrom('deliveries').select('id').where('status', '=', 'pending').execute(),
        db.selectFrom('mails').select('id').execute(),
      ])
      return waiting.flat().length === 0
    },
    { within: 60 },
  )

void t.test('what is done is told, once within and at least once outside', async (t) => {
  for (let round = 1; round <= ROUNDS; round++) {
    const asked = Promise.all(domains.map((domain) => change(domain, CHANGES_A_ROUND)))
    await sleep(random(MAX_DELAY_MS))
    // The last kill is of both, so that nobody waits for what a dead one had taken.
    await killAndRestart(round === ROUNDS ? [0, 1] : ([[0], [1], [0, 1]][random(3)] as number[]))
    await asked
  }
  const all = domains.flatMap(({ changes }) => changes)
  const acknowledged = all.filter((one) => one.acknowledged).length
  t.comment(`${acknowledged} of ${all.length} were acknowledged`)
  t.equal(all.length, ROUNDS * CHANGES_A_ROUND * DOMAINS)
  t.ok(acknowledged > all.length / 2)

  const results = await Promise.all(domains.map(done))
  await allTold()
  for (const [n, domain] of domains.entries()) {
    const { 'record.created': records, 'assignment.create': patterns } = results[n] as Awaited<
      ReturnType<typeof done>
    >
    const wanted = domain.changes.filter((one) => one.acknowledged).map(({ name }) => name)
    const lost = wanted.filter((name) => ![...records, ...patterns].includes(name))
    t.same(lost, [], `${domain.name}: what was acknowledged is there`)
    t.same(await listed(domain, 'record.created'), records, 'each record is once in the list')
    t.same(await listed(domain, 'assignment.create'), patterns, 'and each assignment')

    const outside = arrived(domain)
    t.same([...outside.keys()].sort(), [...records, ...patterns].sort(), 'each came to the receiver')
    t.ok(
      [...outside.values()].every(({ size }) => size === 1),
      'with the same id each time',
    )
    const order = [...outside.keys()].filter((name) => wanted.includes(name))
    t.same(order, wanted, 'those acknowledged in their order')
    t.same(
      patterns.filter((pattern) => !isMailed(domain, pattern)),
      [],
      'each assignment was mailed',
    )
  }
})

/** Numbers from 0 and below `end`, the same for the same seed (mulberry32). */
function generator(state: number): (end: number) => number {
  return (end) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end)
  }
}
