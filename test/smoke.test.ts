import t from 'tap'
import { startApp } from './helpers/app.ts'

t.test('manual', async (t) => {
  const { admin } = await startApp(t)
  const config = await admin.post('/api/provider-configs', {
    providerId: '0192f0a0-0000-7000-8000-000000000001',
    name: 'm',
  })
  t.match(config, { status: 201 })
  const domain = await admin.post('/api/domains', { name: 'example.com', providerConfigId: config.body.id })
  t.match(domain, { status: 201 })
  const record = await admin.post(`/api/domains/${domain.body.id}/records`, {
    recordType: 'A',
    name: 'www',
    value: '192.0.2.1',
    ttl: 300,
  })
  t.match(record, { status: 201, body: { status: 'active' } })
  console.error(record.body)
  for (const url of [
    '/api/domains',
    `/api/domains/${domain.body.id}/records`,
    '/api/domains/tags',
    '/api/records/search?q=192.0.2.1',
    `/api/domains/${domain.body.id}/changes`,
    `/api/domains/${domain.body.id}/records/export`,
  ]) {
    const answer = await admin.get(url)
    t.match(answer, { status: 200 }, url)
    console.error(url, JSON.stringify(answer.body))
  }
  const bulk = await admin.post(`/api/domains/${domain.body.id}/records/bulk`, {
    records: [
      { recordType: 'A', name: 'www', value: '192.0.2.2', ttl: 600 },
      { recordType: 'CNAME', name: 'www', value: 'x.example.com' },
      { recordType: 'A', name: 'x', value: 'bad' },
      5,
    ],
  })
  console.error(JSON.stringify(bulk.body))
  t.match(bulk, { status: 200, body: { succeeded: 1 } })
  const up = await admin.put(`/api/domains/${domain.body.id}/records/${record.body.id}`, {
    value: '192.0.2.9',
  })
  console.error(JSON.stringify(up.body))
  t.match(await admin.delete(`/api/domains/${domain.body.id}/records/${record.body.id}`), { status: 204 })
  const changes = await admin.get(`/api/domains/${domain.body.id}/changes`)
  const last = changes.body.changes[0]
  t.match(await admin.post(`/api/domains/${domain.body.id}/changes/${last.id}/revert`), { status: 200 })
})
