import t from 'tap'
import { PERMISSIONS } from '../../../schemas/people/permission.ts'
import { call, startApp, type Client } from '../../helpers/app.ts'
import { startNameServer } from '../../helpers/name-server.ts'
import { addDomain, addManual, addPowerDns, startFake } from '../../helpers/zone.ts'

/** Nobody comes to hold names of a domain that somebody else manages, but by proof in public DNS. */
const dns = await startNameServer(t)
const service = await startApp(t, { environment: dns.environment })
const { app, admin, addUser, signIn, database } = service
for (const name of ['ada', 'bob', 'eve']) await addUser(name)
const [ada, bob, eve] = await Promise.all([signIn('ada'), signIn('bob'), signIn('eve')])
const [adas, bobs, eves, roots] = await Promise.all([ada, bob, eve, admin].map((who) => addManual(who)))
const config = new Map([
  [ada, adas],
  [bob, bobs],
  [eve, eves],
  [admin, roots],
])
const register = (who: Client, name: string) =>
  who.post('/api/domains', { name, providerConfigId: config.get(who) })
const refused = { status: 403, body: { code: 'forbidden', reason: 'name_proof_required' } }

await addDomain(ada, adas ?? '', 'app.victim.example')

async function told(who: Client) {
  await app.outbox.drain()
  const { body } = await who.get('/api/notifications')
  const all = body.notifications as { event: string; metadata: Record<string, string> }[]
  return all.filter(({ event }) => event === 'domain.overlapped').map(({ metadata }) => metadata)
}

/** Publishes what a refusal asks for. */
async function prove(who: Client, name: string) {
  const { challenge } = (await register(who, name)).body as { challenge: { name: string; value: string } }
  dns.texts.set(challenge.name, ['v=spf1 -all', challenge.value])
  return challenge
}

void t.test(
  'equal, below and above are refused alike, and nothing is told of the other domain',
  async (t) => {
    const shapes = new Set<string>()
    for (const name of [
      'app.victim.example',
      'x.y.app.victim.example',
      'victim.example',
      'VICTIM.example.',
    ]) {
      const answer = await register(bob, name)
      const canonical = name.toLowerCase().replace(/\.$/, '')
      const challenge = { name: `_zonekeeper-challenge.${canonical}`, type: 'TXT', found: 'none' }
      t.match(answer, refused, name)
      t.match(answer.body.challenge, challenge)
      t.match(answer.body.challenge.value, /^zonekeeper-verification=[\w-]{43}$/)
      const said = JSON.stringify({ ...answer.body, requestId: '' })
        .replaceAll(canonical, 'NAME')
        .replaceAll(answer.body.challenge.value, 'VALUE')
      t.notMatch(said, new RegExp(`ada|${ada.userId}|app\\.victim`))
      shapes.add(said)
    }
    t.equal(shapes.size, 1)
    t.match(await bob.get('/api/domains'), { body: { total: 0 } })
  },
)

void t.test('what only looks alike is free, and so is what overlaps with own domains', async (t) => {
  for (const name of ['xapp.victim.example', 'app.victim.example.net', 'app-victim.example'])
    t.match(await register(bob, name), { status: 201 }, name)
  t.match(await register(ada, 'deep.app.victim.example'), { status: 201 })
  t.equal(dns.asked.length, 4, 'and nobody is asked for it')
  t.same(await told(ada), [])
})

void t.test('an administrator needs no proof; the owner is told, and nobody else', async (t) => {
  t.match(await register(admin, 'shop.app.victim.example'), { status: 201 })
  t.match(await told(ada), [
    {
      domainName: 'app.victim.example',
      registeredName: 'shop.app.victim.example',
      username: 'root',
    },
  ])
  t.same([...(await told(bob)), ...(await told(eve))], [])
})

void t.test('a proof counts for one user and one name', async (t) => {
  const { name, value } = await prove(bob, 'bob.app.victim.example')
  t.match(await register(eve, 'bob.app.victim.example'), {
    ...refused,
    body: { challenge: { found: 'other' } },
  })
  t.match(await register(bob, 'deeper.bob.app.victim.example'), {
    ...refused,
    body: { challenge: { found: 'none' } },
  })
  dns.texts.set('_zonekeeper-challenge.deeper.bob.app.victim.example', [value])
  t.match(await register(bob, 'deeper.bob.app.victim.example'), refused, 'that of another name')
  t.match(await register(bob, 'bob.app.victim.example'), { status: 201, body: { ownerId: bob.userId } })
  t.match((await told(ada))[0], { registeredName: 'bob.app.victim.example', username: 'bob' })
  t.equal((await told(ada)).length, 2)
  dns.texts.delete(name)
  const { rows } = {
    rows: await database.db.selectFrom('audit').selectAll().where('actor_id', '=', bob.userId).execute(),
  }
  t.match(
    rows.find(({ target_name }) => target_name === 'bob.app.victim.example'),
    { action: 'domain.created', after: { overlaps: true } },
  )
})

void t.test('who manages what lies below is told as well, each of one of their own', async (t) => {
  t.match(await register(eve, 'victim.example'), refused)
  await prove(eve, 'victim.example')
  t.match(await register(eve, 'victim.example'), { status: 201 })
  t.match((await told(ada))[0], { domainName: 'app.victim.example', registeredName: 'victim.example' })
  t.match(await told(bob), [{ domainName: 'xapp.victim.example', registeredName: 'victim.example' }])
})

void t.test('without an answer of DNS there is no proof', async (t) => {
  const { name } = await prove(bob, 'quiet.victim.example')
  dns.fails = true
  const unanswered = { ...refused, body: { ...refused.body, challenge: { name, found: 'unanswered' } } }
  t.match(await register(bob, 'quiet.victim.example'), unanswered)
  dns.fails = false
  t.match(await register(bob, 'quiet.victim.example'), { status: 201 })
})

void t.test('each way to register demands it, before a zone is made', async (t) => {
  const fake = await startFake(t)
  const configId = await addPowerDns(eve, fake)
  await addDomain(bob, bobs ?? '', 'ways.example')
  const body = { name: 'a.ways.example', providerConfigId: configId, createZone: true }
  t.match(await eve.post('/api/domains', body), refused)
  const { body: made } = await eve.post('/api/auth/me/tokens', { name: 'x', permissions: PERMISSIONS })
  const headers = { authorization: `Bearer ${made.token}` }
  t.match(await call(app, { method: 'POST', url: '/api/v1/domains', headers, payload: body }), refused)
  t.same(fake.requests.filter(({ method }) => method === 'POST').length, 0)
  fake.createZone('a.ways.example')
  fake.createZone('free.example')
  // What the own account holds proves nothing.
  const { value } = (await eve.post('/api/domains', body)).body.challenge as { value: string }
  fake.patch('a.ways.example', [
    {
      name: '_zonekeeper-challenge.a.ways.example.',
      type: 'TXT',
      changetype: 'REPLACE',
      ttl: 60,
      records: [{ content: `"${value}"`, disabled: false }],
    },
  ])
  for (const base of ['/api', '/api/v1']) {
    const url = `${base}/domains/import`
    const payload = {
      providerConfigId: configId,
      zones: ['a.ways.example', ...(base === '/api' ? ['free.example'] : [])],
    }
    const { body: imported } = await call(app, {
      method: 'POST',
      url,
      headers: base === '/api' ? { authorization: `Bearer ${eve.accessToken}` } : headers,
      payload,
    })
    t.match(imported.results[0], { success: false, problem: { ...refused.body, challenge: { type: 'TXT' } } })
    if (base === '/api') t.match(imported.results[1], { success: true })
  }
})

void t.test('of two who register at the same time one has the name', async (t) => {
  for (let round = 0; round < 8; round++) {
    const name = `race${round}.example`
    const names = [name, round % 2 === 0 ? name : `below.${name}`]
    const answers = await Promise.all([register(bob, names[0] ?? ''), register(eve, names[1] ?? '')])
    t.same(answers.map(({ status }) => String(status)).toSorted(), ['201', '403'], names.join(' '))
  }
})

void t.test('NAMESAKES=allow demands nothing; the other owner is still told', async (t) => {
  const open = await startApp(t, {
    database,
    environment: { ...dns.environment, NAMESAKES: 'allow' },
  })
  const eveThere = await open.signIn('eve')
  t.match(await eveThere.post('/api/domains', { name: 'ways.example', providerConfigId: eves }), {
    status: 201,
  })
  t.match((await told(bob))[0], { registeredName: 'ways.example', username: 'eve' })
})
