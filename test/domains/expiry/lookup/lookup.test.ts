import t from 'tap'
import {
  createRegistries,
  type Found,
  type Registries,
  type RegistryOptions,
} from '../../../../modules/domains/expiry/lookup/lookup.ts'
import { deletePassedTurns } from '../../../../modules/domains/expiry/lookup/pacing-queries.ts'
import { LookupError } from '../../../../modules/domains/expiry/lookup/registration.ts'
import { createHttp } from '../../../../plugins/outbound/http.ts'
import { createTcp } from '../../../../plugins/outbound/tcp.ts'
import { createDatabase } from '../../../helpers/database.ts'
import { bootstrapList, rdapDomain, startRdap, startWhois } from '../registries.ts'

const rdap = await startRdap(t)
const registrarRdap = await startRdap(t)
const iana = await startWhois(t)
const whois = await startWhois(t)
const registrarWhois = await startWhois(t)
/** The TLDs of RDAP and, without one, of WHOIS alone. */
rdap.replies.set('/list.json', { body: bootstrapList([[['com', 'org', 'dev'], [`${rdap.url}/rdap`]]]) })
iana.answers.set('*', `refer:  ${whois.host}\n`)

const servers = [rdap, registrarRdap, iana, whois, registrarWhois]
const allow = servers.map(({ host }) => host)
const http = createHttp({ allow })
const tcp = createTcp({ allow })
t.teardown(() => http.close())

const { db } = await createDatabase(t)

/** A service that remembers nothing. */
async function fresh(more: Partial<RegistryOptions> = {}): Promise<Registries> {
  await db.deleteFrom('registry_turns').execute()
  return beside(more)
}

/** Another instance on the same database. */
const beside = (more: Partial<RegistryOptions> = {}) =>
  createRegistries({
    db,
    http,
    tcp,
    bootstrapUrl: `${rdap.url}/list.json`,
    whoisServer: iana.host,
    spacingMs: 0,
    timeoutMs: 300,
    report: (error) => t.fail('no list', { error }),
    ...more,
  })

async function find(name: string, more?: Partial<RegistryOptions>): Promise<Found | LookupError> {
  const registries = await fresh(more)
  return registries.lookUp(name).catch((error: unknown) => {
    if (error instanceof LookupError) return error
    throw error
  })
}
const at = (name: string) => `/rdap/domain/${name}`
/** Why a look-up fails. */
const failureOf = (looking: Promise<unknown>): Promise<unknown> =>
  looking.then(
    () => null,
    (error: unknown) => error,
  )
const dateOf = (found: Found | LookupError) =>
  found instanceof LookupError ? found.message : (found.expiresAt?.toISOString() ?? null)
const askedOf = (path: string) => rdap.requests.filter((request) => request.path === path).length

void t.test('RDAP: what a registry says', async (t) => {
  rdap.replies.set(at('plain.com'), { body: rdapDomain('plain.com') })
  t.same(await find('plain.com'), {
    domain: 'plain.com',
    source: 'rdap',
    expiresAt: new Date('2031-05-04T03:02:01Z'),
    registrar: 'Test Registrar Ltd',
    nameServers: ['ns1.test.example', 'ns2.test.example'],
    status: ['clientTransferProhibited', 'ok'],
  })
  const request = rdap.requests.find(({ path }) => path === at('plain.com'))
  t.match(request?.headers.accept, /^application\/rdap\+json/)
  t.match(await find('www.deep.plain.com'), { domain: 'plain.com' }, 'the registrable domain is asked for')
  t.equal(iana.questions.length, 0)
})

void t.test('RDAP: answers that are odd', async (t) => {
  const events = (...list: [string, unknown][]) => ({
    events: list.map(([eventAction, eventDate]) => ({ eventAction, eventDate })),
  })
  const odd = async (more: object) => {
    rdap.replies.set(at('odd.com'), { body: rdapDomain('odd.com', more) })
    return find('odd.com')
  }
  t.equal(
    dateOf(await odd(events(['expiration', '2031-01-02T03:04:05.881923Z']))),
    '2031-01-02T03:04:05.000Z',
  )
  t.equal(dateOf(await odd(events(['Expiration', '2031-01-02T03:04:05+03:00']))), '2031-01-02T00:04:05.000Z')
  t.equal(dateOf(await odd(events(['registration', '2001-01-02T03:04:05Z']))), null, 'no date is no error')
  t.equal(
    dateOf(await odd(events(['registrar expiration', '2031-01-02T03:04:05Z']))),
    '2031-01-02T03:04:05.000Z',
  )
  t.equal(
    dateOf(
      await odd(
        events(['registrar expiration', '2030-01-01T00:00:00Z'], ['expiration', '2031-01-01T00:00:00Z']),
      ),
    ),
    '2031-01-01T00:00:00.000Z',
    "the registry's goes first",
  )
  t.equal(dateOf(await odd(events(['expiration', 'soon'], ['expiration', 7]))), null)
  for (const broken of [{ events: 'none' }, { events: [null, 7, []] }, { entities: {}, events: null }]) {
    t.match(await odd({ ...broken, nameservers: 'x', status: 'active', links: 5 }), {
      nameServers: { length: 0 },
      status: ['ok'],
    })
  }
  t.match(await odd({ entities: [{ roles: ['registrar'], handle: 'REG-7' }] }), { registrar: 'REG-7' })
  t.match(
    await odd({
      entities: [{ roles: 'registrar', handle: 'R', vcardArray: ['vcard', [['fn', {}, 'text', '']]] }],
    }),
    {
      registrar: 'R',
    },
  )
  t.match(await odd({ entities: [{ roles: ['registrant'], handle: 'A PERSON' }] }), { registrar: null })
})

void t.test('RDAP: not registered', async (t) => {
  t.match(await find('nobody.com'), { kind: 'not_registered', message: 'nobody.com is not registered' })
  rdap.replies.set(at('nobody.org'), {
    status: 404,
    body: { errorCode: 404, title: 'Not Found', description: ['-'] },
  })
  t.match(await find('nobody.org'), { kind: 'not_registered' })
  rdap.replies.set(at('inbody.org'), { body: { errorCode: 404, title: 'Not Found' } })
  t.match(await find('inbody.org'), { kind: 'not_registered' })
  t.equal(iana.questions.length, 0, 'that is an answer: nobody else is asked')
})

void t.test('RDAP: the registrar is asked for what the registry leaves out', async (t) => {
  const link = (href: string) => ({
    links: [
      { rel: 'self', type: 'application/rdap+json', href: rdap.url },
      { rel: 'related', type: 'application/rdap+json', href },
    ],
  })
  const url = `${registrarRdap.url}/domain/THIN.COM`
  registrarRdap.replies.set('/domain/THIN.COM', {
    body: rdapDomain('thin.com', {
      events: [{ eventAction: 'expiration', eventDate: '2029-01-01T00:00:00Z' }],
    }),
  })
  rdap.replies.set(at('thin.com'), { body: rdapDomain('thin.com', { entities: [], ...link(url) }) })
  t.match(await find('thin.com'), {
    registrar: 'Test Registrar Ltd',
    expiresAt: new Date('2031-05-04T03:02:01Z'),
  })
  rdap.replies.set(at('thin.com'), { body: rdapDomain('thin.com', { events: [], ...link(url) }) })
  t.equal(dateOf(await find('thin.com')), '2029-01-01T00:00:00.000Z')
  const asked = registrarRdap.requests.length
  rdap.replies.set(at('thin.com'), { body: rdapDomain('thin.com', link(url)) })
  await find('thin.com')
  t.equal(registrarRdap.requests.length, asked, 'not when nothing is missing')
  for (const href of [
    `${registrarRdap.url}/gone`,
    'http://10.1.2.3/',
    'http://127.0.0.1:1/',
    'nonsense',
    'file:///etc/passwd',
  ]) {
    rdap.replies.set(at('thin.com'), { body: rdapDomain('thin.com', { events: [], ...link(href) }) })
    t.match(await find('thin.com'), { expiresAt: null, registrar: 'Test Registrar Ltd' }, href)
  }
})

void t.test('75. RDAP: redirects', async (t) => {
  rdap.replies.set('/final', { body: rdapDomain('moved.com') })
  rdap.replies.set('/two', { status: 307, headers: { location: '/final' } })
  rdap.replies.set('/one', { status: 302, headers: { location: `${rdap.url}/two` } })
  rdap.replies.set(at('moved.com'), { status: 301, headers: { location: '../../one' } })
  iana.answers.set('moved.com', 'nothing\n')
  t.equal(dateOf(await find('moved.com')), '2031-05-04T03:02:01.000Z', 'three')
  const failing = async (location: string) => {
    rdap.replies.set(at('moved.com'), { status: 301, headers: { location } })
    return find('moved.com')
  }
  rdap.replies.set('/zero', { status: 301, headers: { location: '/one' } })
  t.match(await failing('/zero'), { kind: 'unavailable' }, 'four are too many')
  t.match(await failing(at('moved.com')), { kind: 'unavailable' }, 'a circle')
  t.match(
    await failing('http://127.0.0.1:1/'),
    { kind: 'unavailable', message: /OUTBOUND_ALLOW/ },
    'a private address',
  )
  t.match(await failing('http://169.254.169.254/latest/'), { kind: 'unavailable', message: /OUTBOUND_ALLOW/ })
  t.match(await failing('gopher://x/'), { kind: 'unavailable' })
  t.match(await failing(`http://${'long.'.repeat(1_000)}example/`), { kind: 'unavailable' })
})

void t.test('RDAP: asked too often', async (t) => {
  const path = at('often.com')
  for (const [header, seconds] of [
    ['30', 30],
    [new Date(Date.now() + 600_000).toUTCString(), 600],
    ['0', 120],
    [undefined, 120],
    ['soon', 120],
  ] as const) {
    rdap.replies.set(path, { status: 429, headers: header === undefined ? {} : { 'retry-after': header } })
    const registries = await fresh()
    t.match(await failureOf(registries.lookUp('often.com')), { kind: 'rate_limited' })
    const [asked, questions] = [askedOf(path), iana.questions.length]
    const failure = await failureOf(registries.lookUp('often.com'))
    t.match(failure, { kind: 'rate_limited' })
    const wait = Number(/in (\d+) s/.exec((failure as Error).message)?.[1])
    t.ok(wait > seconds - 5 && wait <= seconds, `${header}: rests for ${wait} s`)
    t.same([askedOf(path), iana.questions.length], [asked, questions], 'nobody is asked meanwhile')
  }
})

void t.test('RDAP: faults lead to WHOIS', async (t) => {
  whois.answers.set('domain fallback.com', 'Registrar: Other\nRegistry Expiry Date: 2033-01-01T00:00:00Z\n')
  for (const [what, reply] of [
    ['status 500', { status: 500 }],
    ['status 501', { status: 501, body: { errorCode: 501 } }],
    ['status 400', { status: 400 }],
    ['no JSON', { body: '<html>' }],
    ['an array', { body: [] }],
    ['another kind of object', { body: { objectClassName: 'entity' } }],
    ['another domain', { body: rdapDomain('other.com') }],
    ['silence', { body: null }],
    ['megabytes', { body: rdapDomain('fallback.com', { notices: 'x'.repeat(600_000) }) }],
  ] as const) {
    rdap.replies.set(at('fallback.com'), reply)
    t.match(await find('fallback.com'), { source: 'whois', registrar: 'Other' }, what)
  }
  iana.answers.set('fallback.com', 'domain: COM\n')
  rdap.replies.set(at('fallback.com'), { status: 500 })
  t.match(
    await find('fallback.com'),
    { kind: 'unavailable', message: /status 500/ },
    'without WHOIS that is the reason',
  )
})

void t.test('WHOIS: from the TLD to the registry to the registrar', async (t) => {
  registrarWhois.answers.set(
    'thin.test',
    'Registrar: Thin Ltd\nRegistrar Registration Expiration Date: 2032-02-03T04:05:06Z\n',
  )
  whois.answers.set(
    'thin.test',
    `Domain: thin.test\nName Server: ns1.test.example\nRegistrar WHOIS Server: ${registrarWhois.host}\n`,
  )
  const registries = await fresh()
  t.match(await registries.lookUp('thin.test'), {
    domain: 'thin.test',
    source: 'whois',
    expiresAt: new Date('2032-02-03T04:05:06Z'),
    registrar: 'Thin Ltd',
    nameServers: ['ns1.test.example'],
  })
  const asked = iana.questions.length
  await registries.lookUp('thin.test')
  t.equal(iana.questions.length, asked, 'who has the TLD is known by now')

  const toRegistrar = registrarWhois.questions.length
  whois.answers.set(
    'thick.test',
    `Registrar: Thick\nExpiry Date: 2030-01-01\nRegistrar WHOIS Server: ${registrarWhois.host}\n`,
  )
  t.match(await registries.lookUp('thick.test'), { registrar: 'Thick' })
  t.equal(registrarWhois.questions.length, toRegistrar, 'nothing was missing')
})

void t.test('75. WHOIS: referrals that lead nowhere', async (t) => {
  const thin = (server: string) => `Name Server: ns1.test.example\nRegistrar WHOIS Server: ${server}\n`
  const before = [iana.questions.length, whois.questions.length]
  for (const server of [
    whois.host,
    iana.host,
    '127.0.0.1:1',
    '10.0.0.1',
    '169.254.169.254',
    '127.0.0.1:99999',
    '[::1]:43',
    'rwhois://127.0.0.1:4321/',
    'x y; z',
    '127.0.0.1',
  ]) {
    whois.answers.set('loop.test', thin(server))
    t.match(await find('loop.test'), { expiresAt: null, nameServers: ['ns1.test.example'] }, server)
  }
  t.same(
    [iana.questions.length, whois.questions.length],
    before.map((count) => count + 10),
    'each is asked once',
  )

  for (const server of [iana.host, '10.0.0.1:43', '127.0.0.1:1', 'example.com:25', '']) {
    iana.answers.set('lost.test', `refer: ${server}\n`)
    const failure = await find('lost.test')
    t.ok(failure instanceof LookupError && ['no_server', 'unavailable'].includes(failure.kind), server)
  }
  iana.answers.set('lost.test', 'domain: TEST\nstatus: ACTIVE\n')
  t.match(await find('lost.test'), { kind: 'no_server' })
})

void t.test('75. WHOIS: another server does not choose the port', async (t) => {
  const asked = whois.questions.length
  // The address may be reached on all ports, but nobody named this one.
  const failure = await find('port.test', { tcp: createTcp({ allow: ['127.0.0.0/8'] }) })
  t.match(failure, { kind: 'no_server' })
  t.equal(whois.questions.length, asked)
})

void t.test('75. WHOIS: servers that misbehave', async (t) => {
  for (const [what, words, kind] of [
    ['silence', null, 'unavailable'],
    ['no end', { endless: 'Registrar: x\n' }, 'unavailable'],
    ['nothing', '', 'unavailable'],
    ['a text of its own', 'Welcome!\n', 'unavailable'],
    ['not registered', 'No match for domain\n', 'not_registered'],
  ] as const) {
    whois.answers.set('bad.test', words)
    t.match(await find('bad.test'), { kind }, what)
  }
  const dead = await find('bad.test', { whoisServer: '127.0.0.1:1' })
  t.match(dead, { kind: 'unavailable', message: /OUTBOUND_ALLOW/ })
})

void t.test('WHOIS: asked too often', async (t) => {
  whois.answers.set('often.test', 'Please go away for 77 Seconds\n')
  const registries = await fresh()
  const first = await failureOf(registries.lookUp('often.test'))
  t.match(first, { kind: 'rate_limited', message: /^Rate limit/ })
  const asked = whois.questions.length
  const second = await failureOf(registries.lookUp('other.test'))
  t.match(second, { kind: 'rate_limited', message: /7\d s/ })
  t.equal(whois.questions.length, asked, 'the whole registry is left alone')
})

void t.test('WHOIS: text that is no UTF-8 is Latin-1', async (t) => {
  whois.answers.set(
    'latin.test',
    Buffer.from('Registrar: Dom\xednios S\xe3o Paulo\nExpires: 20300102\n', 'latin1'),
  )
  t.match(await find('latin.test'), { registrar: 'Domínios São Paulo' })
  whois.answers.set('latin.test', Buffer.from('Registrar: Domínios São Paulo\n'))
  t.match(await find('latin.test'), { registrar: 'Domínios São Paulo' })
})

void t.test('one server is asked at its pace', async (t) => {
  rdap.replies.set(at('paced.com'), { body: rdapDomain('paced.com') })
  const registries = await fresh({ spacingMs: 60 })
  await registries.lookUp('paced.com')
  const begun = performance.now()
  await Promise.all([1, 2, 3].map(() => registries.lookUp('paced.com')))
  const took = performance.now() - begun
  t.ok(took >= 150, `four questions, ${took} ms`)
  const impatient = Promise.all([1, 2, 3].map(() => registries.lookUp('paced.com', { maxWaitMs: 70 })))
  t.match(await failureOf(impatient), { kind: 'rate_limited' }, 'and nobody waits longer than they want')
})

void t.test('94. the pace counts for all instances', async (t) => {
  rdap.replies.set(at('shared.com'), { body: rdapDomain('shared.com') })
  const instances = [await fresh({ spacingMs: 60 }), beside({ spacingMs: 60 })]
  const begun = performance.now()
  await Promise.all([...instances, ...instances].map((instance) => instance.lookUp('shared.com')))
  const took = performance.now() - begun
  t.ok(took >= 150, `four questions, ${took} ms`)
})

void t.test('what one instance is refused for, no other asks', async (t) => {
  rdap.replies.set(at('resting.com'), { status: 429, headers: { 'retry-after': '600' } })
  const [one, two] = [await fresh(), beside()]
  t.match(await failureOf(one.lookUp('resting.com')), { kind: 'rate_limited' })
  t.match(await failureOf(two.lookUp('resting.com')), { kind: 'rate_limited', message: /again in \d+ s/ })
  t.equal(askedOf(at('resting.com')), 1)
  await deletePassedTurns(db)
  t.match(await failureOf(beside().lookUp('resting.com')), { kind: 'rate_limited' }, 'nor after the upkeep')
  t.equal(askedOf(at('resting.com')), 1)
})

void t.test('a look-up that is given up', async (t) => {
  whois.answers.set('hang.test', null)
  const giveUp = new AbortController()
  const registries = await fresh({ timeoutMs: 10_000 })
  const looking = registries.lookUp('hang.test', { signal: giveUp.signal })
  setTimeout(() => giveUp.abort(), 100)
  t.match(await failureOf(looking), { kind: 'unavailable' })
})
