import type { AddressInfo } from 'node:net'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { call, type Answer } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { addManual, startZone, unsettled } from '../helpers/zone.ts'
import { runProgram, temporaryHome } from './cli/program.ts'
import { ExternalDns } from './external-dns-player.ts'

/* History and audit say by which way and with which token something was done. */
const zone = await startZone(t, { reconcileTimes: { afterLostAnswer: [0.1, 0.2], sweep: 0.1 } })
const { app, admin, domainId } = zone
const base = `/api/domains/${domainId}`
await app.listen({ host: '127.0.0.1', port: 0 })
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

interface Token {
  id: string
  token: string
  mark: { id: string; name: string; suffix: string }
}

async function addToken(name: string, ...permissions: string[]): Promise<Token> {
  const made = await admin.post('/api/auth/me/tokens', { name, permissions })
  const { id, token } = made.body as { id: string; token: string }
  return { id, token, mark: { id, name, suffix: token.slice(-4) } }
}
const RECORDS = ['domains:read', 'records:read', 'records:write']
const deploy = await addToken('deploy', ...RECORDS)

const record = (name: string) => ({ recordType: 'A', name, value: '192.0.2.1' })
const by = ({ token }: Token, payload: object, headers: Record<string, string> = {}) =>
  call(app, {
    method: 'POST',
    url: `/api/v1/domains/${domainId}/records`,
    headers: { authorization: `Bearer ${token}`, ...headers },
    payload,
  })
// oxlint-disable-next-line typescript/no-explicit-any -- of many shapes
const changes = async (query: string): Promise<any[]> =>
  (await admin.get(`${base}/changes?${query}`)).body.changes
// oxlint-disable-next-line typescript/no-explicit-any -- of many shapes
const trail = async (query: string): Promise<any[]> => (await admin.get(`/api/audit?${query}`)).body.entries

/** The newest change and its audit row came that way. */
async function cameBy(t: Test, origin: string, token: Token | null, what = origin) {
  const expected = { origin, token: token?.mark ?? null, actor: { name: 'root' } }
  const [change] = await changes('limit=1')
  t.match(change, expected, what)
  const [entry] = await trail(`action=records.changed&limit=1`)
  t.match(entry, { ...expected, after: { changeId: change.id } }, `${what} in the audit trail`)
  t.same((await changes(`origin=${origin}&limit=1`))[0]?.id, change.id, `${what} is found`)
  return change.id as string
}

void t.test('the console, other programs that sign in, and what claims to be it with a token', async (t) => {
  await admin.post(zone.url, record('plain'))
  await cameBy(t, 'api', null)
  const claim = (client: string) => ({ headers: { 'zonekeeper-client': client } })
  await admin.post(zone.url, record('console'), claim('console'))
  await cameBy(t, 'console', null)
  for (const [client, origin] of Object.entries({ console: 'api', cli: 'cli', mcp: 'mcp', ddns: 'api' })) {
    await by(deploy, record(`as-${client}`), { 'zonekeeper-client': client })
    await cameBy(t, origin, deploy, `claims ${client}`)
  }
  const [login] = await trail('action=auth.login&limit=1')
  t.match(login, { origin: 'api', token: null })
})

void t.test('the command line, and assistants', async (t) => {
  const env = { HOME: temporaryHome(t), ZONEKEEPER_URL: url, ZONEKEEPER_TOKEN: deploy.token }
  const added = await runProgram(['records', 'add', 'example.com', 'by-cli', 'A', '192.0.2.1', '--yes'], {
    env,
  })
  t.equal(added.exit, 0, added.err)
  await cameBy(t, 'cli', deploy)
  const listed = await runProgram(['history', 'example.com'], { env, terminal: { columns: 200 } })
  t.match(listed.out, /root.*cli.*deploy …/, 'it says so itself')
  t.match(
    (await runProgram(['history', 'example.com', '--origin', 'cli', '--token', 'deploy', '--json'], { env }))
      .out,
    /"cli"/,
  )
  t.same(
    JSON.parse((await runProgram(['history', 'example.com', '--origin', 'acme', '--json'], { env })).out),
    [],
  )

  const assistant = new McpClient({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${deploy.token}` } }
  await assistant.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  t.teardown(() => assistant.close())
  const wanted = { action: 'create', type: 'A', name: 'by-mcp', value: '192.0.2.1' }
  const plan = await assistant.callTool({
    name: 'plan_changes',
    arguments: { domain: 'example.com', changes: [wanted] },
  })
  const { planId } = plan.structuredContent as { planId: string }
  await assistant.callTool({ name: 'apply_plan', arguments: { domain: 'example.com', planId } })
  await cameBy(t, 'mcp', deploy)
})

void t.test('protocols', async (t) => {
  const router = await addToken('router', 'ddns:update')
  const basic = ({ token }: Token) => `Basic ${Buffer.from(`root:${token}`).toString('base64')}`
  const claims = { 'zonekeeper-client': 'cli' }
  await call(app, {
    url: '/nic/update?hostname=home.example.com&myip=192.0.2.9',
    headers: { authorization: basic(router), ...claims },
  })
  await cameBy(t, 'ddns', router)

  const certificates = await addToken('certificates', 'acme:challenge')
  const challenge = { fqdn: '_acme-challenge.www.example.com.', value: 'A'.repeat(43) }
  await call(app, {
    method: 'POST',
    url: '/api/v1/acme/present',
    headers: { authorization: basic(certificates), ...claims },
    payload: challenge,
  })
  await cameBy(t, 'acme', certificates)
  const { body: account } = await call(app, {
    method: 'POST',
    url: '/api/v1/acme-dns/example.com/register',
    headers: { authorization: basic(certificates) },
  })
  const [registered] = await trail('action=acme_registration.created&limit=1')
  t.match(registered, { origin: 'acme', token: certificates.mark })
  await call(app, {
    method: 'POST',
    url: '/api/v1/acme-dns/update',
    headers: { 'x-api-user': account.username, 'x-api-key': account.password },
    payload: { subdomain: account.subdomain, txt: 'B'.repeat(43) },
  })
  await cameBy(t, 'acme', certificates, 'by an account of acme-dns')

  const cluster = await addToken('cluster', 'records:write')
  await new ExternalDns(app, 'root', cluster.token).apply({
    create: [{ dnsName: 'shop.example.com', recordType: 'A', targets: ['192.0.2.4'] }],
    updateOld: [],
    updateNew: [],
    delete: [],
  })
  await cameBy(t, 'external-dns', cluster)
})

void t.test('the service itself', async (t) => {
  zone.fake.patch('example.com', [
    {
      name: 'outside.example.com.',
      type: 'A',
      ttl: 300,
      changetype: 'REPLACE',
      records: [{ content: '192.0.2.7', disabled: false }],
    },
  ])
  await admin.put(base, { syncInterval: 60 })
  await sql`update domains set sync_due_at = now() where id = ${domainId}`.execute(zone.database.db)
  await app.work.run('records.sync')
  const system = { origin: 'sync', token: null, actor: { name: 'system' } }
  t.match(await changes('limit=1'), [{ ...system, source: 'sync' }])
  t.match(await trail('action=domain.synced&limit=1'), [system])
  t.equal((await admin.post(`${base}/sync`)).status, 200)
  await admin.put(base, { syncInterval: null })
})

void t.test('a lost answer, and an operation, keep them', async (t) => {
  zone.fake.fail({ on: 'write', kind: 'cut' })
  const lost = await by(deploy, record('lost'), { 'zonekeeper-client': 'cli' })
  t.equal(lost.status, 502)
  await until('it is settled', async () => (await unsettled(zone)).every((count) => count === 0))
  t.equal(await cameBy(t, 'cli', deploy, 'settled later'), lost.body.changeId)

  const bulk = await addToken('bulk', ...RECORDS)
  const bearer = { authorization: `Bearer ${bulk.token}` }
  const planned = await call(app, {
    method: 'POST',
    url: '/api/v1/records/replace',
    headers: bearer,
    payload: { find: { value: '192.0.2.9', type: 'A' }, replaceWith: { value: '192.0.2.10' } },
  })
  t.equal(planned.status, 200, JSON.stringify(planned.body))
  const begun = await call(app, {
    method: 'POST',
    url: '/api/v1/records/replace/apply',
    headers: bearer,
    payload: { planId: planned.body.planId },
  })
  const operationId = begun.body.operation.id as string
  await until('the operation', async () => (await admin.get(`/api/operations/${operationId}`)).body.outcome)
  const id = await cameBy(t, 'api', bulk, 'an operation')
  t.match(await admin.get(`${base}/changes/${id}`), { body: { operationId } })
})

void t.test('the token is named when it is gone, and can be asked for', async (t) => {
  const gone = await addToken('gone', ...RECORDS)
  await by(gone, record('gone'))
  await admin.delete(`/api/auth/me/tokens/${gone.id}`)
  for (const filter of ['token=gone', `token=${gone.id}`, `token=${gone.id.toUpperCase()}&origin=api`]) {
    t.match(await changes(filter), [{ token: gone.mark }], filter)
    t.match(await trail(filter), [{ token: gone.mark, action: 'records.changed' }], filter)
    const asked: Answer[] = [
      await admin.get(`/api/v1/domains/${domainId}/changes?${filter}`),
      await admin.get(`/api/v1/audit?${filter}`),
    ]
    for (const { body } of asked) t.equal(body.total, 1, filter)
  }
  t.same(await changes('token=nobody'), [])
  t.match(await admin.get(`${base}/changes?origin=post`), { status: 400 })
  const { body: csv } = await admin.get('/api/audit/export?token=gone')
  const [head, line] = csv.split('\r\n')
  t.ok(head.endsWith(',before,after,origin,tokenId,tokenName,tokenSuffix'))
  t.ok(line.endsWith(`,api,${gone.id},gone,${gone.mark.suffix}`), line)
})

void t.test(
  'the last characters of a token from before they were kept are learned when it is used',
  async (t) => {
    const old = await addToken('old', ...RECORDS)
    await zone.database.db
      .updateTable('personal_tokens')
      .set({ token_suffix: null })
      .where('id', '=', old.id)
      .execute()
    const listed = async () =>
      (await admin.get('/api/auth/me/tokens')).body.tokens.find(({ id }: Token) => id === old.id)
    t.match(await listed(), { tokenSuffix: null })
    await by(old, record('old'))
    await cameBy(t, 'api', old)
    t.match(await listed(), { tokenSuffix: old.mark.suffix })
  },
)

void t.test('what was written before it was noted says that it is not known', async (t) => {
  const { id } = await zone.add('A', 'unknown', '192.0.2.1')
  t.ok(id)
  const [{ id: changeId }] = await changes('limit=1')
  await zone.database.db.updateTable('changes').set({ origin: null }).where('id', '=', changeId).execute()
  t.match(await admin.get(`${base}/changes/${changeId}`), {
    status: 200,
    body: { origin: null, token: null },
  })
  t.ok(await addManual(admin, 'another'))
})
