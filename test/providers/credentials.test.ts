import t from 'tap'
import cloudflare from '../../modules/providers/adapters/cloudflare/index.ts'
import rfc2136 from '../../modules/providers/adapters/rfc2136/index.ts'
import { startApp } from '../helpers/app.ts'

const { admin } = await startApp(t)

const create = (providerId: string, credentials: Record<string, string>) =>
  admin.post('/api/provider-configs', { providerId, name: 'empty fields', credentials })

void t.test('an optional credential that is empty was left out', async (t) => {
  const answer = await create(cloudflare.id, { apiToken: 'a-token-of-cloudflare', accountId: '', apiUrl: '' })
  t.equal(answer.status, 201)
  t.same(Object.keys(answer.body.credentials), ['apiToken'])
})

void t.test('one with a default has it then', async (t) => {
  const key = { keyName: 'key', secret: 'AAAA', algorithm: '', port: '' }
  const answer = await create(rfc2136.id, { server: 'ns1.example.net', ...key })
  t.match(answer, { status: 201, body: { credentials: { algorithm: 'hmac-sha256', port: '53' } } })
})

void t.test('one that is needed is not left empty', async (t) => {
  const answer = await create(cloudflare.id, { apiToken: '' })
  t.match(answer, { status: 400, body: { errors: [{ path: '/credentials/apiToken' }] } })
})

void t.test('one that is optional is removed by null, and comes to its default', async (t) => {
  const { body } = await create(cloudflare.id, { apiToken: 'a-token-of-cloudflare', accountId: 'an-account' })
  const url = `/api/provider-configs/${body.id}`
  const emptied = await admin.put(url, { credentials: { accountId: '' } })
  t.equal(emptied.body.credentials.accountId, 'an-account', 'empty keeps')
  t.match(await admin.put(url, { credentials: { apiToken: null } }), {
    status: 400,
    body: { errors: [{ path: '/credentials/apiToken' }] },
  })
  const removed = await admin.put(url, { credentials: { accountId: null } })
  t.equal(removed.status, 200)
  t.same(Object.keys(removed.body.credentials), ['apiToken'])
})
