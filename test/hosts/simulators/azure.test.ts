import t from 'tap'
import { startAzureSimulator } from '../../conformance/simulators/azure.ts'

const sim = await startAzureSimulator()
t.teardown(() => sim.close())
const zone = sim.createZone('example.test')
const RESOURCE = 'https://management.azure.com'

const login = async (fields: Record<string, string> = {}, { version = '', at = sim } = {}) => {
  const { clientId, clientSecret } = at.client
  const whole = {
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'client_credentials',
    ...(version === '' ? { resource: RESOURCE } : { scope: `${RESOURCE}/.default` }),
  }
  const url = `${at.login.server.url}/${at.login.tenantId}/oauth2/${version}token`
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ ...whole, ...fields }) })
  return { status: answer.status, body: (await answer.json()) as { access_token: string } }
}
const token = (await login()).body.access_token

interface Answer {
  etag?: string
  value?: { name: string; properties: object }[]
  nextLink?: string
}
interface Options {
  headers?: Record<string, string>
  version?: string
  by?: string
  at?: typeof sim
}
const call = async (method: string, path: string, body?: unknown, options: Options = {}) => {
  const { headers, version = '2018-05-01', by = token, at = sim } = options
  const group = `/subscriptions/${at.subscriptionId}/resourceGroups/${at.resourceGroup}`
  const url = `${at.apiUrl}${group}/providers/Microsoft.Network/dnsZones${path}`
  const answer = await fetch(
    path.startsWith('http') ? path : `${url}${path.includes('?') ? '&' : '?'}api-version=${version}`,
    {
      method,
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
  )
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    body: (text === '' ? {} : JSON.parse(text)) as Answer,
  }
}
const error = (status: number, code: string, message = /./) => ({
  status,
  body: { error: { code, message } },
})
const bare = (status: number, code: string, message = /./) => ({
  status,
  body: { code, message, error: undefined },
})
const put = (path: string, properties: object, options?: Options) =>
  call('PUT', `/example.test/${path}`, { properties: { TTL: 60, ...properties } }, options)
const A = { ARecords: [{ ipv4Address: '192.0.2.1' }] }

void t.test('tokens', async (t) => {
  t.match(await login(), { status: 200, body: { token_type: 'Bearer', expires_in: '3599' } })
  t.match(await login({}, { version: 'v2.0/' }), { status: 200, body: { expires_in: 3599 } })
  t.match(await login({ client_secret: 'no' }), { status: 401, body: { error: 'invalid_client' } })
  t.match(await login({ client_id: 'no' }), { status: 400, body: { error: 'unauthorized_client' } })
  t.match(await login({ resource: 'https://x.test' }), { status: 400, body: { error: 'invalid_resource' } })
  t.match(await call('GET', '', undefined, { by: 'no' }), error(401, 'InvalidAuthenticationToken'))
  const { clientId, clientSecret } = sim.reader
  const by = (await login({ client_id: clientId, client_secret: clientSecret })).body.access_token
  t.equal((await call('GET', '', undefined, { by })).status, 200)
  t.match(await call('DELETE', '/example.test', undefined, { by }), error(403, 'AuthorizationFailed'))
  const foreign = `${sim.apiUrl}/subscriptions/none/providers/Microsoft.Network/dnszones?api-version=2018-05-01`
  t.match(await call('GET', foreign), error(404, 'SubscriptionNotFound'))
  const group = `${sim.apiUrl}/subscriptions/${sim.subscriptionId}/resourceGroups/none/providers/Microsoft.Network/dnszones`
  t.match(await call('GET', `${group}?api-version=2018-05-01`), error(404, 'ResourceGroupNotFound'))
  t.match(await call('GET', group), error(400, 'MissingApiVersionParameter'))
  const brief = await startAzureSimulator({ tokenSeconds: 0 })
  t.teardown(() => brief.close())
  const gone = (await login({}, { at: brief })).body.access_token
  t.equal((await call('GET', '', undefined, { by: gone, at: brief })).status, 401, 'it ended')
})

void t.test('what is refused', async (t) => {
  for (const [path, properties, message] of [
    ['A/x', { ...A, TTL: 0 }, /TTL/],
    ['A/x', { ARecords: [{ ipv4Address: 'x' }] }, /not valid/],
    ['A/x', { TXTRecords: [{ value: ['x'] }] }, /TXTRecords/],
    ['A/x', { ARecords: [...A.ARecords, ...A.ARecords] }, /twice/],
    ['A/a..b', A, /name/],
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

void t.test('pages by links, and signing', async (t) => {
  for (let i = 0; i < 250; i++) zone.put('A', `h${i}`, { properties: { TTL: 60, ...A } })
  const lengths: (number | undefined)[] = []
  for (let next: string | undefined = '/example.test/recordsets'; next !== undefined;) {
    const { body }: { body: Answer } = await call('GET', next)
    lengths.push(body.value?.length)
    next = body.nextLink
  }
  t.same(lengths, [100, 100, 52], 'with NS and SOA')
  t.equal((await call('GET', '/example.test/A?$top=500')).body.value?.length, 250)
  const later = { version: '2023-07-01-preview' }
  const config = '/example.test/dnssecConfigs/default'
  t.equal((await call('GET', config, undefined, later)).status, 404)
  const begun = await call('PUT', config, {}, later)
  t.match([begun.status, begun.body], [201, { properties: { provisioningState: 'Creating' } }])
  for (let i = 0; i < 2; i++) await call('GET', begun.headers.get('azure-asyncoperation') ?? '')
  t.match((await call('GET', config, undefined, later)).body, {
    properties: { provisioningState: 'Succeeded', signingKeys: [{ flags: 256 }, { flags: 257 }] },
  })
})
