import t from 'tap'
import azure from '../../modules/providers/adapters/azure/index.ts'
import type { RRset } from '../../modules/providers/contract.ts'
import { conformance } from '../conformance/suite/index.ts'
import {
  add,
  applyEdits,
  edit,
  expectError,
  open,
  remove,
  replace,
  rrset,
  start,
} from '../conformance/suite/subject.ts'
import dialect from '../conformance/simulators/azure.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'
import { send, startSimulator } from '../conformance/simulators/simulator.ts'

const [A, B, C] = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
const NOBODY = '00000000-0000-4000-8000-000000000000'

void t.test('Azure DNS', async (t) => {
  const { sim, makeSubject } = await simulate(t, azure, dialect)
  const zoneOf = (name: string) => sim.zones.get(name)
  await conformance(t, 'conformance', makeSubject)

  await t.test('of many that change the same set at once nothing is lost', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    await subject.seed([rrset('www', 'A', [A])])
    const other = await open(t, subject)
    await Promise.all([
      applyEdits(adapter, zone, [edit('www', 'A', [add(B)])]),
      applyEdits(other, zone, [edit('www', 'A', [add(C)])]),
      applyEdits(adapter, zone, [edit('new', 'A', [add(B)])]),
      applyEdits(other, zone, [edit('new', 'A', [add(C)])]),
    ])
    t.same(await subject.dump(), [rrset('new', 'A', [B, C]), rrset('www', 'A', [A, B, C])])
  })

  await t.test('an alias is shown, and nothing is written over it', async (t) => {
    const { subject, adapter, zone, list, apply } = await start(t, makeSubject)
    const id = `/subscriptions/${sim.subscriptionId}/resourceGroups/web/providers/x/publicIPAddresses/ip`
    zoneOf(subject.zoneName)?.write('A', '@', { properties: { TTL: 60, targetResource: { id } } })
    t.match((await list()).unmanaged, [{ name: '@', type: 'A', ttl: 60, value: `alias of ${id}` }])
    await apply([edit('@', 'A', [remove(A)])])
    const call = adapter.apply(zone, [edit('@', 'A', [add(A)])])
    t.match(await expectError(t, subject, call, 'rejected'), { message: /alias of/ })
    t.match(zoneOf(subject.zoneName)?.read('@', 'A'), { properties: { targetResource: { id } } })
  })

  await t.test('metadata is shown, kept, and there again after an undo', async (t) => {
    const { subject, adapter, zone, apply } = await start(t, makeSubject)
    const there = zoneOf(subject.zoneName)
    const metadata = { owner: 'somebody' }
    there?.write('TXT', 'empty', { properties: { TTL: 3600, TXTRecords: [], metadata } })
    await apply([edit('empty', 'TXT', [add('full')])])
    const set = (await adapter.readRRset(zone, 'empty', 'TXT')) as RRset
    t.match(set, { extra: { metadata }, members: [{ value: 'full' }] })
    await apply([edit('empty', 'TXT', [remove('full')])])
    t.equal(there?.read('empty', 'TXT'), null)
    await apply([{ ...edit('empty', 'TXT', [add('full')]), extra: set.extra ?? null }])
    t.match(there?.read('empty', 'TXT'), { properties: { metadata } })
    await apply([edit('empty', 'TXT', [replace('full', 'fuller')])])
    t.match(there?.read('empty', 'TXT'), { properties: { metadata } })
  })

  await t.test('what is wrong with the credentials is told apart', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    const as = (credentials: object) => open(t, subject, { ...subject.credentials, ...credentials })
    const wrong = async (credentials: object, kind: 'auth' | 'not_found', message: RegExp) =>
      t.match(await expectError(t, subject, (await as(credentials)).verify(), kind), { message })
    await wrong({ clientSecret: 'wrong' }, 'auth', /client secret/)
    await wrong({ clientId: NOBODY }, 'auth', /check clientId/)
    await wrong({ tenantId: NOBODY }, 'auth', /check tenantId/)
    await wrong({ subscriptionId: NOBODY }, 'not_found', /this subscription/)
    await wrong({ resourceGroup: 'another' }, 'not_found', /this resource group/)
    const reader = await as({ clientId: sim.readerId, clientSecret: sim.readerSecret })
    await t.resolves(reader.verify())
    await expectError(t, subject, reader.apply(zone, [edit('www', 'A', [add(A)])]), 'forbidden')
    await adapter.verify()
    sim.tokens.revoke()
    await t.resolves(adapter.verify(), 'a token that ended early is asked for anew')
  })
})

void t.test('the simulator of Azure DNS', async (t) => {
  const sim = await startSimulator(dialect)
  t.teardown(() => sim.close())
  const zone = sim.createZone('example.test')
  const RESOURCE = 'https://management.azure.com'

  const login = async (fields: Record<string, string> = {}, { version = '', at = sim } = {}) => {
    const whole = {
      client_id: at.clientId,
      client_secret: at.clientSecret,
      grant_type: 'client_credentials',
      ...(version === '' ? { resource: RESOURCE } : { scope: `${RESOURCE}/.default` }),
    }
    const url = `${at.loginUrl}/${at.tenantId}/oauth2/${version}token`
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ ...whole, ...fields }) })
    return { status: answer.status, body: (await answer.json()) as { access_token: string } }
  }
  interface Options {
    version?: string
    by?: string
    at?: typeof sim
  }
  const dnsZones = (subscription: string, group = '') =>
    `/subscriptions/${subscription}${group}/providers/Microsoft.Network/dnsZones`
  const call = (method: string, path: string, body?: unknown, options: Options = {}) => {
    const { version = '2018-05-01', by, at = sim } = options
    const zones = dnsZones(at.subscriptionId, `/resourceGroups/${at.resourceGroup}`)
    const whole = path.startsWith('/subscriptions') ? path : `${zones}${path}`
    const separator = path.includes('?') ? '&' : '?'
    return send(
      at,
      method,
      path.includes('api-version') ? path : `${whole}${separator}api-version=${version}`,
      body,
      {
        ...(by !== undefined && { authorization: `Bearer ${by}` }),
      },
    )
  }
  const error = (status: number, code: string) => ({ status, body: { error: { code } } })
  const bare = (status: number, code: string, message = /./) => ({
    status,
    body: { code, message, error: undefined },
  })
  const put = (path: string, properties: object, options?: Options) =>
    call('PUT', `/example.test/${path}`, { properties: { TTL: 60, ...properties } }, options)
  const ADDRESS = { ARecords: [{ ipv4Address: A }] }

  await t.test('tokens', async (t) => {
    t.match(await login(), { status: 200, body: { token_type: 'Bearer', expires_in: '3599' } })
    t.match(await login({}, { version: 'v2.0/' }), { status: 200, body: { expires_in: 3599 } })
    t.match(await login({ client_secret: 'no' }), { status: 401, body: { error: 'invalid_client' } })
    t.match(await login({ client_id: 'no' }), { status: 400, body: { error: 'unauthorized_client' } })
    t.match(await login({ resource: 'https://x.test' }), { status: 400, body: { error: 'invalid_resource' } })
    t.match(await call('GET', '', undefined, { by: 'no' }), error(401, 'InvalidAuthenticationToken'))
    const reader = { client_id: sim.readerId, client_secret: sim.readerSecret }
    const by = (await login(reader)).body.access_token
    t.equal((await call('GET', '', undefined, { by })).status, 200)
    t.match(await call('DELETE', '/example.test', undefined, { by }), error(403, 'AuthorizationFailed'))
    t.match(await call('GET', dnsZones('none')), error(404, 'SubscriptionNotFound'))
    const group = dnsZones(sim.subscriptionId, '/resourceGroups/none')
    t.match(await call('GET', group), error(404, 'ResourceGroupNotFound'))
    t.match(await send(sim, 'GET', group), error(400, 'MissingApiVersionParameter'))
    const brief = await startSimulator(dialect, { tokenSeconds: 0 })
    t.teardown(() => brief.close())
    const gone = (await login({}, { at: brief })).body.access_token
    t.equal((await call('GET', '', undefined, { by: gone, at: brief })).status, 401, 'it ended')
  })

  await t.test('what is refused', async (t) => {
    for (const [path, properties, message] of [
      ['A/x', { ...ADDRESS, TTL: 0 }, /TTL/],
      ['A/x', { ARecords: [{ ipv4Address: 'x' }] }, /not valid/],
      ['A/x', { TXTRecords: [{ value: ['x'] }] }, /TXTRecords/],
      ['A/x', { ARecords: [...ADDRESS.ARecords, ...ADDRESS.ARecords] }, /twice/],
      ['A/a..b', ADDRESS, /name/],
      ['MX/x', { MXRecords: [{ preference: 0, exchange: '.' }] }, /domain name/],
      ['CNAME/@', { CNAMERecord: { cname: 'a.test' } }, /apex/],
      ['NS/@', { NSRecords: [{ nsdname: 'ns.test' }] }, /own name servers/],
      ['TXT/x', { TXTRecords: [{ value: [] }] }, /not valid/],
      ['TXT/x', { TXTRecords: [{ value: ['x'.repeat(256)] }] }, /not valid/],
      ['TXT/x', { TXTRecords: [{ value: ['ü'] }] }, /ASCII/],
    ] as const)
      t.match(await put(path, properties), bare(400, 'BadRequest', message))
    t.match(await call('DELETE', '/example.test/SOA/@'), bare(400, 'BadRequest'))
    const DS = {
      DSRecords: [{ keyTag: 1, algorithm: 13, digest: { algorithmType: 2, value: 'AB'.repeat(32) } }],
    }
    t.match(await put('DS/sub', DS), error(400, 'InvalidResourceType'))
    t.equal((await put('DS/sub', DS, { version: '2023-07-01-preview' })).status, 201)
  })

  await t.test('pages by links, and signing', async (t) => {
    for (let i = 0; i < 250; i++) zone.write('A', `h${i}`, { properties: { TTL: 60, ...ADDRESS } })
    const read = async (path: string) =>
      (await call('GET', path)).body as { value: unknown[]; nextLink?: string }
    const lengths: number[] = []
    for (let next: string | undefined = '/example.test/recordsets'; next !== undefined;) {
      const { value, nextLink } = await read(next)
      lengths.push(value.length)
      next = nextLink?.slice(sim.url.length)
    }
    t.same(lengths, [100, 100, 52], 'with NS and SOA')
    t.equal((await read('/example.test/A?$top=500')).value.length, 250)
    const later = { version: '2023-07-01-preview' }
    const config = '/example.test/dnssecConfigs/default'
    t.equal((await call('GET', config, undefined, later)).status, 404)
    const begun = await call('PUT', config, {}, later)
    t.match([begun.status, begun.body], [201, { properties: { provisioningState: 'Creating' } }])
    const url = begun.headers.get('azure-asyncoperation') ?? ''
    for (let i = 0; i < 2; i++) await call('GET', url.slice(sim.url.length))
    t.match((await call('GET', config, undefined, later)).body, {
      properties: { provisioningState: 'Succeeded', signingKeys: [{ flags: 256 }, { flags: 257 }] },
    })
  })
})
