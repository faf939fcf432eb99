import t from 'tap'
import { startZone } from '../../helpers/zone.ts'

const zone = await startZone(t)
const { admin, domainId, url } = zone
const rrset = (name: string, type: string, contents: string[]) => ({
  name: `${name}.example.com.`,
  type,
  ttl: 300,
  changetype: contents.length > 0 ? 'REPLACE' : 'DELETE',
  records: contents.map((content) => ({ content, disabled: false })),
})

void t.test('unmanaged records are listed, counted and exported as comments', async (t) => {
  zone.fake.patch('example.com', [
    rrset('4', 'MINFO', ['1 x.example.net.', '1 y.example.net.']),
    rrset('lua', 'LUA', ['A "return \'192.0.2.1\'"']),
    rrset('www', 'A', ['192.0.2.1']),
  ])
  t.match(await admin.post(`/api/domains/${domainId}/sync?dryRun=true`), { body: { skipped: 3 } })
  t.match(await admin.get(`${url}/unmanaged`), { status: 200, body: { records: { length: 0 }, total: 0 } })
  t.match(await admin.post(`/api/domains/${domainId}/sync`), { body: { synced: 1, skipped: 3 } })
  const { body } = await admin.get(`${url}/unmanaged`)
  t.same(body, {
    records: [
      { name: '4', recordType: 'MINFO', ttl: 300, value: '1 x.example.net.' },
      { name: '4', recordType: 'MINFO', ttl: 300, value: '1 y.example.net.' },
      { name: 'lua', recordType: 'LUA', ttl: 300, value: 'A "return \'192.0.2.1\'"' },
    ],
    total: 3,
    page: 1,
    limit: 50,
  })
  t.match(await admin.get(`${url}/unmanaged?limit=1&page=3`), {
    body: { records: [{ name: 'lua' }], total: 3 },
  })
  t.match(await admin.get(`/api/domains/${domainId}`), { body: { recordCount: 1, unmanaged: 3 } })
  t.match(await admin.get('/api/domains'), { body: { domains: [{ recordCount: 1, unmanaged: 3 }] } })
  t.match(await admin.get('/api/dashboard'), {
    body: { unmanaged: { total: 3, domains: [{ domainId, domainName: 'example.com', count: 3 }] } },
  })
  const { body: text } = await admin.get(`${url}/export`)
  t.match(
    text,
    '; Left out, as they are not managed here: 3 records\n; 4\t300\tIN\tMINFO\t1 x.example.net.\n',
  )
  const again = await admin.post(`${url}/import`, { zonefile: text, mode: 'replace' })
  t.match(again, {
    status: 200,
    body: { plan: { creates: { length: 0 }, updates: { length: 0 }, deletes: { length: 0 } } },
  })

  zone.fake.patch('example.com', [rrset('4', 'MINFO', ['1 y.example.net.']), rrset('lua', 'LUA', [])])
  await admin.post(`/api/domains/${domainId}/sync`)
  t.match(await admin.get(`${url}/unmanaged`), { body: { records: [{ value: 'y.example.net.' }], total: 1 } })
  t.match(await admin.get(`/api/domains/${domainId}`), { body: { unmanaged: 1 } })
})

void t.test('delegates see the unmanaged records in their scope', async (t) => {
  zone.fake.patch('example.com', [
    rrset('p.dev', 'MINFO', ['1 x.example.net.']),
    rrset('q', 'MINFO', ['1 x.example.net.']),
  ])
  await admin.post(`/api/domains/${domainId}/sync`)
  await zone.addUser('ada')
  const member = await zone.signIn('ada')
  const assigned = await admin.post('/api/assignments', {
    userId: member.userId,
    domainId,
    subdomainPattern: '*.dev',
    permission: 'read',
  })
  t.equal(assigned.status, 201)
  t.match(await member.get(`${url}/unmanaged`), { body: { records: [{ name: 'p.dev' }], total: 1 } })
  t.match(await member.get(`/api/domains/${domainId}`), { body: { unmanaged: 1 } })
  t.match(await member.get('/api/domains'), { body: { domains: [{ unmanaged: 1 }] } })
  t.match(await member.get('/api/dashboard'), { body: { unmanaged: { total: 1, domains: [{ count: 1 }] } } })
  const { body: text } = await member.get(`${url}/export`)
  t.match(text, '\tMINFO\t')
  t.notMatch(text, /^; q\t/m)
})

void t.test('an import of zones counts them, and the dashboard shows where most of them are', async (t) => {
  zone.fake.createZone('more.example')
  const names = ['a', 'b', 'c', 'd'].map((name) => `${name}.more.example.`)
  zone.fake.patch(
    'more.example',
    names.map((name) => ({ ...rrset('x', 'MINFO', ['1 x.example.net.']), name })),
  )
  const body = { providerConfigId: zone.configId, zones: ['more.example'] }
  t.match(await admin.post('/api/domains/import', body), {
    body: { results: [{ success: true, synced: 0, unmanaged: 4 }] },
  })
  const dashboard = await admin.get('/api/dashboard')
  t.match(dashboard.body.unmanaged, {
    total: 7,
    domains: [
      { domainName: 'more.example', count: 4 },
      { domainId, count: 3 },
    ],
  })
})
