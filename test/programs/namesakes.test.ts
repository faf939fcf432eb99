import { createHash } from 'node:crypto'
import t from 'tap'
import { PERMISSIONS } from '../../schemas/people/permission.ts'
import { call, startApp, type Client } from '../helpers/app.ts'
import { addDomain, addManual, idOf } from '../helpers/zone.ts'
import { ExternalDns } from './external-dns-player.ts'

/**
 * A stranger has zones with the name of the victim's, and below it, and assigns them to the victim, whom nobody asks. What
 * the victim's programs write must go on to the victim's own zone.
 */
const { app, admin, addUser, signIn } = await startApp(t, { environment: { NAMESAKES: 'allow' } })
await Promise.all([addUser('victim'), addUser('stranger')])
const [victim, stranger] = await Promise.all([signIn('victim'), signIn('stranger')])
const config = await addManual(victim)
const adminConfig = await addManual(admin)

/** Comes into the hands of somebody by an administrator, however it may be kept from members. */
async function zoneOf(owner: Client, name: string, configId = adminConfig) {
  const { id } = await addDomain(admin, configId, name)
  const given = await admin.post(`/api/domains/${id}/transfer`, { userId: owner.userId })
  if (given.status !== 204) throw new Error(JSON.stringify(given.body))
  return id
}

const assign = async (domainId: string, more: object = {}) =>
  idOf(
    await admin.post('/api/assignments', { userId: victim.userId, domainId, permission: 'write', ...more }),
  )

const valuesOf = async (domainId: string) => {
  const { body } = await admin.get(`/api/domains/${domainId}/records?limit=200`)
  const records = body.records as { name: string; recordType: string; value: string }[]
  return records.map(({ name, recordType, value }) => `${name} ${recordType} ${value}`).toSorted()
}

async function programs(restrictions: object | null = null, client = victim, username = 'victim') {
  const made = await client.post('/api/auth/me/tokens', { name: 'x', permissions: PERMISSIONS, restrictions })
  const token = made.body.token as string
  const basic = `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`
  const value = createHash('sha256').update(token).digest('base64url')
  const post = (url: string, authorization: string, payload?: object) =>
    call(app, { method: 'POST', url, headers: { authorization }, ...(payload && { payload }) })
  return {
    value,
    update: async (hostname: string, myip: string) => {
      const query = { hostname, myip }
      return (
        await app.inject({ url: '/nic/update', query, headers: { authorization: basic } })
      ).body.trimEnd()
    },
    present: (fqdn: string) => post('/api/v1/acme/present', `Bearer ${token}`, { fqdn, value }),
    cleanup: (fqdn: string) => post('/api/v1/acme/cleanup', `Bearer ${token}`, { fqdn, value }),
    register: (base?: string) => post(`/api/v1/acme-dns${base ? `/${base}` : ''}/register`, basic, {}),
    externalDns: new ExternalDns(app, username, token),
  }
}

const own = await addDomain(victim, config, 'victim.example')
const below = await zoneOf(stranger, 'app.victim.example')
const equal = await zoneOf(stranger, 'victim.example')
await assign(below)
await assign(equal)
const strangers = async () => [...(await valuesOf(below)), ...(await valuesOf(equal))]

for (const [title, restrictions] of [
  ['without restrictions', null],
  ['for the own domain', { domainIds: [own.id] }],
  ['for names', { namePatterns: ['*.app', '*.pki'] }],
] as const) {
  void t.test(`24. a token ${title}`, async (t) => {
    const { update, present, cleanup, externalDns, register, value } = await programs(restrictions)
    t.equal(await update('home.app.victim.example', '192.0.2.7'), 'good 192.0.2.7')
    const challenge = '_acme-challenge.www.app.victim.example.'
    t.match(await present(challenge), { status: 200 })
    t.ok((await valuesOf(own.id)).includes(`_acme-challenge.www.app TXT ${value}`))
    t.match(await cleanup(challenge), { status: 200 })
    t.notOk((await valuesOf(own.id)).some((found) => found.endsWith(value)))
    if (restrictions === null || 'domainIds' in restrictions) {
      const wish = [{ dnsName: 'shop.app.victim.example', recordType: 'A', targets: ['192.0.2.8'] }]
      t.match(await externalDns.round(wish), { answer: { status: 204 } })
      t.match(await externalDns.round(wish), { changes: 0 }, 'and is seen there')
      t.match(await externalDns.round([]), { answer: { status: 204 } })
      t.match(
        await register(),
        { status: 201, body: { fulldomain: /\.victim\.example$/ } },
        'the only own one',
      )
      t.match(await register('app.victim.example'), { status: 201 })
    }
    t.ok((await valuesOf(own.id)).includes('home.app A 192.0.2.7'))
    t.same(await strangers(), [], 'nothing went to the stranger')
    const home = (await victim.get(`/api/domains/${own.id}/records?search=home.app`)).body.records[0] as {
      id: string
    }
    t.match(await victim.delete(`/api/domains/${own.id}/records/${home.id}`), { status: 204 })
  })
}

void t.test('a CNAME in the zone of a stranger leads no challenge away', async (t) => {
  const target = await zoneOf(stranger, 'stranger.example')
  await assign(target)
  for (const [id, name] of [
    [below, '_acme-challenge'],
    [equal, '_acme-challenge.app'],
  ]) {
    const record = { recordType: 'CNAME', name, value: 'here.stranger.example' }
    idOf(await stranger.post(`/api/domains/${id}/records`, record))
  }
  for (const restrictions of [null, { domainIds: [own.id] }]) {
    const { present, cleanup, value } = await programs(restrictions)
    t.match(await present('_acme-challenge.app.victim.example.'), { status: 200 })
    t.ok((await valuesOf(own.id)).includes(`_acme-challenge.app TXT ${value}`))
    t.same(await valuesOf(target), [])
    t.match(await cleanup('_acme-challenge.app.victim.example.'), { status: 200 })
  }
})

void t.test('records of the stranger are not what external-dns finds in the own zone', async (t) => {
  const shared = { recordType: 'A', name: 'www', value: '203.0.113.66' }
  idOf(await stranger.post(`/api/domains/${equal}/records`, shared))
  const { externalDns } = await programs()
  const { body } = await externalDns.ask('GET', '/records')
  t.notMatch(JSON.stringify(body), /203\.0\.113\.66/)
})

void t.test('a token that names an assigned domain means that one', async (t) => {
  const { update } = await programs({ domainIds: [below] })
  t.equal(await update('there.app.victim.example', '192.0.2.9'), 'good 192.0.2.9')
  t.ok((await valuesOf(below)).includes('there A 192.0.2.9'))
})

void t.test('where the caller may only read does not stand before where they may write', async (t) => {
  const wide = await zoneOf(stranger, 'shared.example')
  await assign(wide)
  await assign(await zoneOf(stranger, 'app.shared.example'), { permission: 'read' })
  const { update } = await programs()
  t.equal(await update('x.app.shared.example', '192.0.2.10'), 'good 192.0.2.10')
  t.ok((await valuesOf(wide)).includes('x.app A 192.0.2.10'))
})

void t.test('of the own domains the nearest is meant', async (t) => {
  const nearer = await addDomain(victim, config, 'pki.victim.example')
  const { update } = await programs()
  t.equal(await update('x.pki.victim.example', '192.0.2.11'), 'good 192.0.2.11')
  t.same(await valuesOf(nearer.id), ['x A 192.0.2.11'])
})

void t.test('two that are equal are a fault that names both', async (t) => {
  const other = await addManual(admin, 'another')
  const ids = [await zoneOf(stranger, 'twice.example'), await zoneOf(stranger, 'twice.example', other)]
  for (const id of ids) await assign(id)
  const [first = '', second = ''] = ids
  const both = new RegExp(`(?=.*${first})(?=.*${second})`)
  const all = await programs()
  const said = await all.update('www.twice.example', '192.0.2.12')
  t.match(said, /^dnserr /)
  t.match(said, both)
  const conflict = { status: 409, body: { reason: 'several_domains', detail: both } }
  t.match(await all.present('_acme-challenge.twice.example.'), conflict)
  const wish = [{ dnsName: 'www.twice.example', recordType: 'A', targets: ['192.0.2.12'] }]
  const { answer } = await all.externalDns.round(wish)
  t.equal(answer?.status, 500)
  t.match(JSON.stringify(answer?.body), both)
  t.same([...(await valuesOf(first)), ...(await valuesOf(second))], [], 'and nothing is written')
  const { update } = await programs({ domainIds: [second] })
  t.equal(await update('www.twice.example', '192.0.2.12'), 'good 192.0.2.12', 'the token can say which')
  t.same(await valuesOf(second), ['www A 192.0.2.12'])
})
