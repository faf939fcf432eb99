import t from 'tap'
import { addManual, MANUAL, startZone } from '../helpers/zone.ts'

/* What leaves the service, and each use of stored credentials, has its row: also where nothing changes. */

const { admin, domainId, url, configId, add } = await startZone(t)
await add('A', 'www', '192.0.2.1')
const FROM = { remoteAddress: '192.0.2.90' }

async function last(action: string) {
  const { body } = await admin.get(`/api/audit?action=${action}&limit=1`)
  return body.entries[0]
}

void t.test('78. exports of a zone', async (t) => {
  const target = { type: 'domain', id: domainId, name: 'example.com' }
  const actor = { id: admin.userId, name: 'root' }
  for (const path of [`${url}/export`, `/api/domains/${domainId}/zone`]) {
    t.equal((await admin.get(path, FROM)).status, 200)
    t.match(await last('domain.exported'), {
      actor,
      ip: '192.0.2.90',
      target,
      after: { format: 'bind', records: Number },
    })
  }
  const count = async () => (await admin.get('/api/audit?action=domain.exported')).body.total
  const before = await count()
  t.equal((await admin.get('/api/domains/00000000-0000-7000-8000-000000000000/zone')).status, 404)
  t.equal(await count(), before, 'none for what was refused')
})

void t.test('78. exports of the audit trail itself, with what was asked for', async (t) => {
  const { status, body } = await admin.get('/api/audit/export?action=domain.*', FROM)
  t.equal(status, 200)
  t.notMatch(body, 'audit.exported')
  t.match(await last('audit.exported'), { ip: '192.0.2.90', after: { filter: { action: 'domain.*' } } })
})

void t.test('78. tests of provider connections, stored or not', async (t) => {
  await admin.post(`/api/provider-configs/${configId}/test`, undefined, FROM)
  t.match(await last('provider_config.tested'), {
    ip: '192.0.2.90',
    target: { type: 'provider_config', id: configId, name: 'PowerDNS' },
    after: { provider: 'powerdns', ok: true },
  })
  const manual = await addManual(admin, 'tried')
  await admin.post(`/api/provider-configs/${manual}/test`)
  t.match(await last('provider_config.tested'), { target: { id: manual, name: 'tried' } })
  await admin.post('/api/provider-configs/test', { providerId: MANUAL, name: 'not stored' })
  t.match(await last('provider_config.tested'), { target: { id: null, name: 'not stored' } })
  await admin.post('/api/provider-configs/test', { providerId: MANUAL })
  t.match(
    await last('provider_config.tested'),
    { target: { name: 'not stored' } },
    'none for what is refused',
  )
})

void t.test('78. tests of identity providers', async (t) => {
  const made = await admin.post('/api/oauth/providers', {
    providerId: 'oidc',
    clientId: 'zonekeeper',
    clientSecret: 'a-client-secret',
    wellKnownUrl: 'https://127.0.0.1:1/.well-known/openid-configuration',
    authorizeUrl: null,
    tokenUrl: null,
    userInfoUrl: null,
    scope: 'openid',
    enabled: true,
  })
  t.equal(made.status, 201)
  await admin.post(`/api/oauth/providers/${made.body.id}/test`)
  t.match(await last('oauth_provider.tested'), { target: { id: made.body.id }, after: { ok: false } })
})
