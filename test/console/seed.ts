import type { Answer, Client, TestApp } from '../helpers/app.ts'

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

/** The body of an answer that says yes. */
export function made({ status, body }: Answer): Answer['body'] {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** A connection of the kind that keeps records here alone. */
export async function addManual(by: Client): Promise<string> {
  const { providers } = made(await by.get('/api/providers'))
  const { id: providerId } =
    (providers as { id: string; key: string }[]).find(({ key }) => key === 'manual') ?? {}
  const nameServers = ['ns1.example.net', 'ns2.example.net']
  return made(
    await by.post('/api/provider-configs', {
      providerId,
      name: 'Kept by hand',
      credentials: {},
      nameServers,
    }),
  ).id
}

const RECORDS = [
  ['A', '@', '192.0.2.1'],
  ['AAAA', '@', '2001:db8::1'],
  ['MX', '@', '10 mail.example.com'],
  ['TXT', '@', 'v=spf1 mx -all'],
  ['CAA', '@', '0 issue "letsencrypt.org"'],
  ['A', 'www', '192.0.2.10'],
  ['CNAME', 'blog', 'www.example.com'],
  ['A', 'mail', '192.0.2.25'],
  ['A', 'sip', '192.0.2.30'],
  ['SRV', '_sip._tcp', '10 60 5060 sip.example.com'],
  ['TXT', '_dmarc', 'v=DMARC1; p=none'],
] as const

export interface Seeded {
  /** `$id` of each area: `/domains/$id` and so on. */
  ids: Record<string, string>
}

/** A service in use: something for every view to show. */
export async function seed({ admin, addUser, signIn }: TestApp): Promise<Seeded> {
  const config = await addManual(admin)
  const add = async (name: string, more: object = {}) =>
    made(await admin.post('/api/domains', { name, providerConfigId: config, ...more })).id as string
  const domain = await add('example.com', { groupName: 'Main', tags: ['web', 'mail'], expiresAt: inDays(20) })
  const records = `/api/domains/${domain}/records`
  const all = RECORDS.map(([recordType, name, value]) => ({ recordType, name, value, ttl: 3600 }))
  made(await admin.post(`${records}/bulk`, { records: all }))
  const [first] = made(await admin.get(records)).records
  made(await admin.put(`${records}/${first.id}`, { ttl: 7200 }))
  for (let nth = 0; nth < 24; nth++)
    await add(`domain-${nth}.example`, { expiresAt: inDays(nth * 15 - 40), tags: nth % 3 ? [] : ['shop'] })

  const user = await addUser('ada')
  await addUser('grace')
  const ada = await signIn('ada')
  const assignment = { username: 'ada', domainId: domain, subdomainPattern: '*.dev', permission: 'write' }
  made(await admin.post('/api/assignments', assignment))
  for (const pattern of ['shop', 'blog'])
    made(
      await ada.post('/api/assignments/requests', {
        domain: 'example.com',
        subdomainPattern: pattern,
        permission: 'write',
        reason: `I keep ${pattern}.example.com`,
      }),
    )
  const requested = await ada.post(`/api/domains/${domain}/change-requests`, {
    title: 'A host for the tests',
    reason: 'The nightly build needs one',
    changes: [{ action: 'create', recordType: 'A', name: 'build1.dev', value: '192.0.2.70' }],
  })
  made(await admin.post(`/api/domains/${domain}/health/check`))
  made(await admin.post('/api/invitations', { role: 'member', email: 'mary@example.org' }))
  const records1 = [{ recordType: 'A', name: '@', value: '{{address}}', ttl: 300 }]
  const variables = [{ name: 'address', label: 'Address', required: true }]
  const template = made(await admin.post('/api/templates', { name: 'Web', variables, records: records1 })).id
  const hook = {
    webhookUrl: 'https://open.feishu.cn/open-apis/bot/v2/hook/0f7b2c1e-4d5a',
    secret: 'a-secret',
  }
  const channel = made(
    await admin.post('/api/notifications', { channel: 'chat_b', name: 'Team', config: hook, events: ['*'] }),
  ).id
  made(
    await admin.post('/api/oauth/providers', {
      providerId: 'oidc',
      clientId: 'zonekeeper',
      clientSecret: 'the-client-secret',
      wellKnownUrl: 'https://login.example.com/.well-known/openid-configuration',
      authorizeUrl: null,
      tokenUrl: null,
      userInfoUrl: null,
      scope: 'openid profile email',
      enabled: true,
    }),
  )
  return {
    ids: {
      domains: domain,
      providers: config,
      templates: template,
      channels: channel,
      users: user,
      'change-requests': made(requested).id,
    },
  }
}

/** Records enough that no view may draw them all: `host-0` and on, with addresses of 10.0.0.0/8. */
export async function addLargeZone(
  by: Client,
  config: string,
  name: string,
  count = 10_000,
): Promise<string> {
  const { id } = made(await by.post('/api/domains', { name, providerConfigId: config }))
  for (let at = 0; at < count; at += 1000) {
    const changes = Array.from({ length: Math.min(1000, count - at) }, (_, nth) => ({
      action: 'create',
      recordType: 'A',
      name: `host-${at + nth}`,
      value: `10.${at / 1000}.${nth >> 8}.${nth & 255}`,
      ttl: 3600,
    }))
    made(await by.post(`/api/domains/${id}/records/apply`, { changes }))
  }
  return id
}
