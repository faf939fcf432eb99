import { createHash } from 'node:crypto'
import t from 'tap'
import { call } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { addDomain, addManual, contentsAt, startZone } from '../helpers/zone.ts'

/* What clients of lego's httpreq send, and what they may reach by it. */
const zone = await startZone(t)
const { app, admin, fake, add, domainId } = zone
const others = await addDomain(admin, await addManual(admin), 'other.example')
await zone.addUser('ada')
const ada = await zone.signIn('ada')

const value = (seed: string) => createHash('sha256').update(seed).digest('base64url')
const there = (name: string) =>
  contentsAt(fake, 'example.com', name, 'TXT').map((content) => content.slice(1, -1))

/** A token for challenges, as a client uses it. */
async function challenger(restrictions: object | null = null, client = admin, ip = '192.0.2.7') {
  const made = await client.post('/api/auth/me/tokens', {
    name: 'certificates',
    permissions: ['acme:challenge'],
    restrictions,
  })
  const { id, token } = made.body as { id: string; token: string }
  const post = (path: string, payload: object, headers: Record<string, string> = {}) =>
    call(app, {
      method: 'POST',
      url: `/api/v1/acme/${path}`,
      payload,
      remoteAddress: ip,
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
  return {
    id,
    token,
    present: (fqdn: string, seed: string) => post('present', { fqdn, value: value(seed) }),
    cleanup: (fqdn: string, seed: string) => post('cleanup', { fqdn, value: value(seed) }),
    post,
  }
}

const client = await challenger({ domainIds: [domainId] })

void t.test('a value is put and taken away, each as often as one likes', async (t) => {
  const fqdn = '_acme-challenge.www.example.com.'
  t.same(await client.present(fqdn, '1').then(({ status, body }) => [status, body]), [
    200,
    { fqdn, value: value('1') },
  ])
  t.equal((await client.present(fqdn, '1')).status, 200)
  t.same(there('_acme-challenge.www'), [value('1')])
  const { records } = (await admin.get(`${zone.url}?type=TXT`)).body
  t.match(records, [{ name: '_acme-challenge.www', ttl: 60, status: 'active' }])
  for (const _ of [1, 2]) t.equal((await client.cleanup(fqdn, '1')).status, 200)
  t.same(there('_acme-challenge.www'), [])
})

void t.test('in mode RAW the value follows from the key, and the name from the domain', async (t) => {
  const body = { domain: 'Raw.example.com', token: 'x', keyAuth: 'token.thumbprint' }
  const basic = `Basic ${Buffer.from(`ROOT:${client.token}`).toString('base64')}`
  const answer = await client.post('present', body, { authorization: basic })
  t.match(answer, {
    status: 200,
    body: { fqdn: '_acme-challenge.raw.example.com.', value: value('token.thumbprint') },
  })
  t.same(there('_acme-challenge.raw'), [value('token.thumbprint')])
  t.equal((await client.post('cleanup', body)).status, 200)
  t.same(there('_acme-challenge.raw'), [])
})

void t.test('several at one name at once: all succeed, beside what somebody else has there', async (t) => {
  const fqdn = '_acme-challenge.example.com'
  await add('TXT', '_acme-challenge', 'of somebody else')
  const seeds = ['a', 'b', 'c', 'd', 'e', 'a', 'b']
  const answers = await Promise.all(seeds.map((seed) => client.present(fqdn, seed)))
  t.same([...new Set(answers.map(({ status }) => status))], [200])
  const expected = ['a', 'b', 'c', 'd', 'e'].map(value)
  t.same(there('_acme-challenge'), [...expected, 'of somebody else'].sort())
  const mixed = await Promise.all([
    ...['a', 'b', 'a', 'c'].map((seed) => client.cleanup(fqdn, seed)),
    client.present(fqdn, 'f'),
  ])
  t.same([...new Set(mixed.map(({ status }) => status))], [200])
  t.same(there('_acme-challenge'), [...['d', 'e', 'f'].map(value), 'of somebody else'].sort())
})

void t.test(
  'below a delegation nobody would be answered: 409, and what is there can be cleaned up',
  async (t) => {
    const fqdn = '_acme-challenge.www.child.example.com.'
    t.equal((await client.present(fqdn, '1')).status, 200)
    await add('NS', 'child', 'ns.example.org')
    const writes = zone.writes()
    for (const name of [fqdn, '_acme-challenge.child.example.com'])
      t.match(await client.present(name, '2'), {
        status: 409,
        body: { code: 'conflict', reason: 'hidden_by_delegation', params: { above: 'child' } },
      })
    t.equal(zone.writes(), writes)
    t.equal((await client.cleanup(fqdn, '1')).status, 200)
    t.same(there('_acme-challenge.www.child'), [])
  },
)

void t.test('104. no other name, and nothing but a challenge', async (t) => {
  const refused: [object, number, string | RegExp][] = [
    [{ fqdn: 'www.example.com.', value: value('1') }, 403, 'forbidden'],
    [{ fqdn: 'x._acme-challenge.example.com.', value: value('1') }, 403, 'forbidden'],
    [{ fqdn: '_acme-challenges.example.com.', value: value('1') }, 403, 'forbidden'],
    [{ fqdn: 'example.com.', value: value('1') }, 403, 'forbidden'],
    [{ fqdn: '_acme-challenge.other.example.', value: value('1') }, 404, 'not_found'],
    [{ fqdn: '_acme-challenge.nowhere.test', value: value('1') }, 404, 'not_found'],
    [{ fqdn: '_acme-challenge.example.com', value: 'v=spf1 -all' }, 400, '/value'],
    [{ fqdn: '_acme-challenge.example.com' }, 400, '/value'],
    [{ fqdn: `_acme-challenge.${'a'.repeat(64)}.example.com`, value: value('1') }, 400, '/fqdn'],
    [{ fqdn: 'a.'.repeat(128), value: value('1') }, 400, '/fqdn'],
    [{ domain: 'example.com' }, 400, '/keyAuth'],
    [{ domain: 'example.com', keyAuth: 'x'.repeat(1001) }, 400, '/keyAuth'],
    [{ token: 'x' }, 400, '/fqdn'],
  ]
  const writes = zone.writes()
  for (const [body, status, what] of refused) {
    const answer = await client.post('present', body)
    t.match(answer, { status, headers: { 'content-type': /problem\+json/ } }, JSON.stringify(body))
    if (status === 400) t.match(answer.body.errors, [{ path: what }])
    else t.equal(answer.body.code, what)
  }
  // A name of the zone that looks like one of the zone above: a full name is never shortened.
  t.equal((await client.present('_acme-challenge.example.com.example.com.', '1')).status, 200)
  t.same(there('_acme-challenge.example.com'), [value('1')])
  t.equal(zone.writes(), writes + 1)
})

void t.test('104. what a token may not do beside', async (t) => {
  const cases: [string, Awaited<ReturnType<typeof challenger>>, number][] = [
    ['another type', await challenger({ recordTypes: ['A'] }), 403],
    ['another name', await challenger({ namePatterns: ['_acme-challenge.www'] }), 403],
    ['another domain', await challenger({ domainIds: [others.id] }), 404],
    ['another address', await challenger({ ipRanges: ['198.51.100.0/24'] }), 403],
    ['of another user', await challenger(null, ada), 404],
  ]
  for (const [what, { present, cleanup }, status] of cases) {
    t.equal((await present('_acme-challenge.no.example.com', '1')).status, status, what)
    t.equal((await cleanup('_acme-challenge.no.example.com', '1')).status, status, `${what}, cleanup`)
  }
  const assigned = await admin.post('/api/assignments', {
    userId: ada.userId,
    domainId,
    subdomainPattern: '_acme-challenge.ada',
    permission: 'write',
  })
  t.equal(assigned.status, 201)
  const hers = await challenger(null, ada)
  t.equal((await hers.present('_acme-challenge.ada.example.com', '1')).status, 200)
  t.equal((await hers.present('_acme-challenge.no.example.com', '1')).status, 403)

  const revoked = await challenger()
  await admin.delete(`/api/auth/me/tokens/${revoked.id}`)
  t.match(await revoked.present('_acme-challenge.no.example.com', '1'), {
    status: 401,
    headers: { 'www-authenticate': 'Basic realm="Zonekeeper"' },
  })
  const bare = await admin.post('/api/auth/me/tokens', { name: 'x', permissions: ['records:write'] })
  const authorization = `Bearer ${bare.body.token}`
  const body = { fqdn: '_acme-challenge.no.example.com', value: value('1') }
  t.match(await client.post('present', body, { authorization }), {
    status: 403,
    body: { code: 'permission_missing', permission: 'acme:challenge' },
  })
  t.same(there('_acme-challenge.no'), [])
})

void t.test('a CNAME leads on, and where it leads may be named itself', async (t) => {
  await add('CNAME', '_acme-challenge.shop', 'middle.other.example')
  const middle = { recordType: 'CNAME', name: 'middle', value: 'end.example.com', ttl: 300 }
  const { body: made } = await admin.post(`/api/domains/${others.id}/records`, middle)
  // By names that the token does not reach: what counts is where the TXT goes.
  for (const name of ['_acme-challenge.shop.example.com', 'middle.other.example', 'END.example.com.']) {
    t.equal((await client.present(name, name)).status, 200, name)
    t.same(there('end'), [value(name)], name)
    t.equal((await client.cleanup(name, name)).status, 200)
    t.same(there('end'), [])
  }
  t.equal((await client.present('www.example.com', '1')).status, 403, 'no other name')
  const narrow = await challenger({ namePatterns: ['_acme-challenge.shop'] })
  t.equal((await narrow.present('_acme-challenge.shop.example.com', '1')).status, 403)

  await admin.delete(`/api/domains/${others.id}/records/${made.id}`)
  t.equal((await client.present('end.example.com', '1')).status, 403, 'not when it leads there no more')
  t.equal((await client.present('_acme-challenge.shop.example.com', '1')).status, 404)

  await add('CNAME', '_acme-challenge.loop', '_acme-challenge.pool.example.com')
  await add('CNAME', '_acme-challenge.pool', '_acme-challenge.loop.example.com')
  t.equal((await client.present('_acme-challenge.loop.example.com', '1')).status, 403, 'a loop')
  await add('CNAME', '_acme-challenge.away', 'somewhere.else.test')
  t.equal((await client.present('_acme-challenge.away.example.com', '1')).status, 404)
})

void t.test('it answers when the DNS host has it, and says what that says', async (t) => {
  const fqdn = '_acme-challenge.slow.example.com'
  fake.fail({ on: 'write', kind: 'answer', answer: { status: 422, body: '{"error": "no"}' } })
  t.match(await client.present(fqdn, '1'), { status: 502, body: { code: 'provider_rejected' } })

  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const before = zone.writes()
  fake.fail({ on: 'write', kind: 'late', until: () => released })
  const answered: string[] = []
  const calls = ['1', '2'].map(async (seed) => {
    const { status } = await client.present(fqdn, seed)
    answered.push(`${status} ${there('_acme-challenge.slow').includes(value(seed))}`)
  })
  await until('the DNS host has it', () => zone.writes() > before)
  t.same(answered, [])
  release()
  await Promise.all(calls)
  t.same(answered, ['200 true', '200 true'])
})
