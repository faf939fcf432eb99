import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import powerdns from '../../modules/providers/adapters/powerdns/index.ts'
import type { RRsetEdit, Zone } from '../../modules/providers/contract.ts'
import { createHttp } from '../../plugins/outbound/http.ts'
import { createTcp } from '../../plugins/outbound/tcp.ts'
import { adapterContext } from '../conformance/adapter-context.ts'
import { startServer } from '../conformance/simulators/server.ts'
import { callApi } from '../conformance/subjects/powerdns-subject.ts'
import { LARGE } from '../conformance/subjects/powerdns-specifics.ts'
import { add, edit, replace, TTL } from '../conformance/suite/subject.ts'
import { startPowerDns } from './powerdns.ts'

/* Disabled records of a large zone on a real PowerDNS 4.7, which hides them unless the whole zone is read. */
const server = await startPowerDns()
t.teardown(() => server.close())
const run = promisify(execFile)
const inDatabase = (statement: string) =>
  run('sqlite3', ['-cmd', '.timeout 10000', join(server.directory, 'pdns.sqlite'), statement])

const on = (content: string) => ({ content, disabled: false })
const off = (content: string) => ({ content, disabled: true })
type RawRecord = ReturnType<typeof on>

let zones = 0

/** A zone, and an adapter that wrote to it so often that it knows what is disabled there. */
async function begin(t: Test, soaEditApi = 'DEFAULT') {
  const name = `s${++zones}.serial.test`
  const api = (method: string, path: string, body?: object) => callApi(server, method, path, body)
  const created = {
    name: `${name}.`,
    kind: 'Native',
    nameservers: ['ns1.example.net.'],
    soa_edit_api: soaEditApi,
  }
  t.match(await api('POST', '/zones', created), { status: 201 })
  const zone: Zone = { id: `${name}.`, name, size: LARGE }
  /** Somebody else replaces A records through the API. */
  const put = async (owner: string, ...records: RawRecord[]) => {
    const rrset = { name: `${owner}.${name}.`, type: 'A', ttl: TTL, changetype: 'REPLACE', records }
    t.match(await api('PATCH', `/zones/${name}.`, { rrsets: [rrset] }), { status: 204 })
  }
  /** All A records of the name; disabled ones begin with "-". */
  const held = async (owner: string) => {
    const { rrsets } = JSON.parse((await api('GET', `/zones/${name}.`)).body) as {
      rrsets: { name: string; type: string; records: RawRecord[] }[]
    }
    const found = rrsets.find((rrset) => rrset.name === `${owner}.${name}.` && rrset.type === 'A')
    return (found?.records ?? []).map(({ content, disabled }) => (disabled ? '-' : '') + content).sort()
  }
  /** What happens when a write of ours has reached PowerDNS's door. */
  let meanwhile: (() => Promise<void>) | undefined
  const front = await startServer(async ({ method, path, query, headers, body }) => {
    if (method === 'PATCH') await meanwhile?.()
    const answer = await fetch(`${server.apiUrl}${path}?${query.toString()}`, {
      method,
      headers: { accept: 'application/json', 'x-api-key': String(headers['x-api-key']) },
      ...(body !== '' && { body }),
    })
    const passed = ['content-type', 'x-pdns-new-serial'].map((name) => [name, answer.headers.get(name) ?? ''])
    return { status: answer.status, headers: Object.fromEntries(passed), body: await answer.text() }
  })
  t.teardown(() => front.close())
  let later = 0
  const context = adapterContext({
    http: createHttp({ allow: ['127.0.0.0/8'] }),
    tcp: createTcp({ allow: [] }),
    clock: { now: () => Date.now() + later, sleep: async () => {} },
  })
  t.teardown(() => context.http.close())
  t.teardown(() => context.tcp.close())
  const credentials = { apiUrl: front.url, apiKey: server.apiKey, serverId: 'localhost' }
  const adapter = await powerdns.open(credentials, context)
  const write = (...edits: RRsetEdit[]) => adapter.apply(zone, edits)
  const reads = () =>
    front.requests.filter(({ method, path }) => method === 'GET' && path.endsWith(`/zones/${name}.`))
  await put('x', on('192.0.2.1'), off('192.0.2.2'))
  for (const last of [1, 2, 3]) await write(edit('warm', 'A', [add(`198.51.100.${last}`)]))
  return {
    name,
    front,
    put,
    held,
    write,
    /** Whether the work read the whole zone. */
    async readsAll(work: () => Promise<unknown>) {
      const before = reads().length
      await work()
      return reads()
        .slice(before)
        .some(({ query }) => !query.has('rrset_name'))
    },
    before: (happens: () => Promise<void>) => {
      meanwhile = async () => {
        meanwhile = undefined
        await happens()
      }
    },
    pass: (milliseconds: number) => void (later += milliseconds),
    raiseInDatabase: () =>
      inDatabase(
        `update records set content = replace(content, ' 20', ' 21') where type = 'SOA' and name = '${name}'`,
      ),
  }
}

void t.test('one RRset is read, and its disabled records stay', async (t) => {
  const { write, held, readsAll } = await begin(t)
  t.equal(await readsAll(() => write(edit('x', 'A', [add('192.0.2.3')]))), false)
  t.same(await held('x'), ['-192.0.2.2', '192.0.2.1', '192.0.2.3'])
  // PowerDNS may spell it differently, so it is read again.
  t.equal(await readsAll(() => write(edit('other', 'A', [add('192.0.2.3')]))), true)
  await write(edit('other', 'A', [add('192.0.2.4')]))
  t.equal(await readsAll(() => write(edit('x', 'A', [add('192.0.2.4')]))), false)
  t.same(await held('x'), ['-192.0.2.2', '192.0.2.1', '192.0.2.3', '192.0.2.4'])
})

void t.test('disabled through the API', async (t) => {
  const { write, put, held } = await begin(t)
  await put('new', off('192.0.2.1'))
  await put('x', off('192.0.2.1'), off('192.0.2.2'), on('192.0.2.3'))
  await write(edit('x', 'A', [add('192.0.2.4')]))
  t.same(await held('x'), ['-192.0.2.1', '-192.0.2.2', '192.0.2.3', '192.0.2.4'])
  await write(edit('new', 'A', [add('192.0.2.2')]))
  t.same(await held('new'), ['-192.0.2.1', '192.0.2.2'])
})

void t.test('disabled through the API between our reading and our writing', async (t) => {
  const { write, put, held, before } = await begin(t)
  before(() => put('y', off('192.0.2.1')))
  await write(edit('w', 'A', [add('192.0.2.3')]))
  await write(edit('y', 'A', [add('192.0.2.2')]))
  t.same(await held('y'), ['-192.0.2.1', '192.0.2.2'])
})

for (const soaEditApi of ['', 'EPOCH', 'OFF', 'SOA-EDIT-INCREASE']) {
  void t.test(`SOA-EDIT-API "${soaEditApi}": the whole zone is read each time`, async (t) => {
    const { write, put, held, readsAll } = await begin(t, soaEditApi)
    await put('y', off('192.0.2.1'))
    t.equal(await readsAll(() => write(edit('y', 'A', [add('192.0.2.2')]))), true)
    t.same(await held('y'), ['-192.0.2.1', '192.0.2.2'])
    await write(edit('z', 'A', [add('192.0.2.1')]))
    t.equal(await readsAll(() => write(edit('z', 'A', [add('192.0.2.2')]))), true)
  })
}

void t.test('INCREASE', async (t) => {
  const { write, put, held, readsAll } = await begin(t, 'INCREASE')
  t.equal(await readsAll(() => write(edit('y', 'A', [add('192.0.2.2')]))), false)
  await put('y', off('192.0.2.1'), on('192.0.2.2'))
  await write(edit('y', 'A', [replace('192.0.2.2', '192.0.2.3')]))
  t.same(await held('y'), ['-192.0.2.1', '192.0.2.3'])
})

void t.test(
  'with the same serial, by a write at the same moment: it leaves two SOA on PostgreSQL',
  async (t) => {
    const { name, write, put, held } = await begin(t)
    await put('y', on('192.0.2.1'))
    for (const last of [1, 2]) await write(edit('warm', 'A', [add(`203.0.113.${last}`)]))
    const copy = `select domain_id, name, type, content, ttl, auth from records where name = '${name}' and type = 'SOA'`
    await inDatabase(`
    insert into records (domain_id, name, type, content, ttl, auth) ${copy};
    insert into records (domain_id, name, type, content, ttl, disabled, auth)
      select id, 'y.${name}', 'A', '192.0.2.2', 3600, 1, 1 from domains where name = '${name}'`)
    await write(edit('y', 'A', [add('192.0.2.3')]))
    t.same(await held('y'), ['-192.0.2.2', '192.0.2.1', '192.0.2.3'])
  },
)

void t.test('in the database, with a new serial', async (t) => {
  const { name, write, put, held, raiseInDatabase } = await begin(t)
  await put('y', on('192.0.2.1'), on('192.0.2.2'))
  for (const last of [1, 2]) await write(edit('warm', 'A', [add(`203.0.113.${last}`)]))
  await inDatabase(`update records set disabled = 1 where name = 'y.${name}' and content = '192.0.2.1'`)
  await raiseInDatabase()
  await write(edit('y', 'A', [add('192.0.2.3')]))
  t.same(await held('y'), ['-192.0.2.1', '192.0.2.2', '192.0.2.3'])
})

void t.test('in the database, with the old serial: a record that the service knows', async (t) => {
  const { name, write, put, held } = await begin(t)
  await put('y', on('192.0.2.1'), on('192.0.2.2'))
  for (const last of [1, 2]) await write(edit('warm', 'A', [add(`203.0.113.${last}`)]))
  await inDatabase(`update records set disabled = 1 where name = 'y.${name}' and content = '192.0.2.1'`)
  await write({ ...edit('y', 'A', [add('192.0.2.3')]), known: ['192.0.2.1', '192.0.2.2'] })
  t.same(await held('y'), ['-192.0.2.1', '192.0.2.2', '192.0.2.3'])
  await inDatabase(`update records set disabled = 0 where name = 'y.${name}'`)
  await write({ ...edit('y', 'A', [add('192.0.2.4')]), known: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] })
  t.same(await held('y'), ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'], 'and enabled')
})

void t.test('in the database, with the old serial: a new record, after ten minutes', async (t) => {
  const { name, write, put, held, pass } = await begin(t)
  await put('y', on('192.0.2.1'))
  for (const last of [1, 2]) await write(edit('warm', 'A', [add(`203.0.113.${last}`)]))
  await inDatabase(
    `insert into records (domain_id, name, type, content, ttl, disabled, auth)
     select id, 'y.${name}', 'A', '192.0.2.2', 3600, 1, 1 from domains where name = '${name}'`,
  )
  // However often we write in the meantime.
  for (const last of [3, 4]) {
    pass(301_000)
    await write(edit('warm', 'A', [add(`203.0.113.${last}`)]))
  }
  await write(edit('y', 'A', [add('192.0.2.3')]))
  t.same(await held('y'), ['-192.0.2.2', '192.0.2.1', '192.0.2.3'])
})

void t.test('a write of ours whose answer is lost', async (t) => {
  for (const applied of [true, false]) {
    const { front, write, held, readsAll } = await begin(t)
    front.fail({ kind: 'reset', applied, on: 'write' })
    const member = { value: '192.0.2.9', disabled: true }
    await t.rejects(write(edit('y', 'A', [{ action: 'add', member }])))
    t.equal(await readsAll(() => write(edit('y', 'A', [add('192.0.2.1')]))), true)
    t.same(await held('y'), [...(applied ? ['-192.0.2.9'] : []), '192.0.2.1'])
  }
})
