import { generate } from 'otplib'
import { FIREFOX, inDays, PASSWORD, type Person, type Service } from './service.ts'

/** Members, another administrator with a second factor, and a machine account; returns their ids. */
export async function addPeople({ person }: Service, mara: Person) {
  const add = async (username: string, displayName: string, more: object = {}) =>
    (await mara.post('/api/users', { username, displayName, password: PASSWORD, ...more })).id as string
  const jonas = await add('jonas', 'Jonas Okafor', { email: 'jonas@tidewater.example' })
  const wei = await add('wei.chen', '陈 伟', { email: 'wei.chen@tidewater.example' })
  await add('amara', 'Amara Diallo', { role: 'admin' })
  const noor = await add('noor', 'Noor', { email: 'noor@granite-and-oak.example' })
  await add('ines', 'Inês Duarte')
  const bot = (
    await mara.post('/api/users', { kind: 'machine', username: 'deploy-bot', displayName: 'Build server' })
  ).id as string
  const theirs = await person('amara', FIREFOX)
  const { secret } = await theirs.post('/api/2fa/totp/setup')
  await theirs.post('/api/2fa/totp/enable', { code: await generate({ secret }) })
  return { jonas, wei, noor, bot }
}

interface Sharing {
  jonas: string
  wei: string
  noor: string
  company: string
  customer: string
}

/** Permissions of users other than the owner. */
export async function share(mara: Person, { jonas, wei, noor, company, customer }: Sharing) {
  const give = (userId: string, domainId: string, more: object) =>
    mara.post('/api/assignments', { userId, domainId, permission: 'write', ...more })
  await give(jonas, company, { subdomainPattern: '*.dev' })
  await give(wei, company, { subdomainPattern: '*', recordTypes: ['TXT', 'CAA'] })
  await give(noor, customer, { subdomainPattern: '*', expiresAt: inDays(45) })
  await give(noor, company, { subdomainPattern: 'shop', permission: 'read' })
}

/** Permission requests: two pending, one granted, one rejected. */
export async function ask(mara: Person, jonas: Person, wei: Person) {
  const send = (by: Person, domain: string, subdomainPattern: string, reason: string) =>
    by.post('/api/assignments/requests', { domain, subdomainPattern, permission: 'write', reason })
  const first = await send(jonas, 'westend-cycles.example', '*', 'I am building their new shop until spring')
  const second = await send(wei, 'machines.example', '*', 'To rename the racks')
  await mara.post(`/api/assignments/requests/${first.id}/approve`, { expiresAt: inDays(120) })
  await mara.post(`/api/assignments/requests/${second.id}/reject`, {
    reason: 'The inventory system writes these; please ask Amara',
  })
  await send(jonas, 'tidewater.example', 'shop', 'The shop moves to other servers next week')
  await send(wei, 'blue-kite.example', '*', 'To answer certificate challenges for the campaign')
}

/** A change request with a comment; returns its id. */
export async function requestChange(mara: Person, jonas: Person, company: string): Promise<string> {
  const url = `/api/domains/${company}/records?search=dev&in=name&limit=200`
  const { records } = await jonas.get(url)
  const web = (records as { id: string; name: string }[]).find(({ name }) => name === 'web.dev')
  const { id } = await jonas.post(`/api/domains/${company}/change-requests`, {
    title: 'Move the development servers to the new rack',
    reason: 'The old rack is switched off on Friday. The database keeps its address until then.',
    changes: [
      { action: 'update', recordId: web?.id, value: '192.0.2.180' },
      { action: 'create', recordType: 'AAAA', name: 'web.dev', value: '2001:db8:180::1', ttl: 300 },
      {
        action: 'create',
        recordType: 'CNAME',
        name: 'www.dev',
        value: 'web.dev.tidewater.example',
        ttl: 300,
      },
    ],
  })
  await mara.post(`/api/change-requests/${id}/comments`, { text: 'Is the TTL of five minutes intended?' })
  await jonas.post(`/api/change-requests/${id}/comments`, { text: 'Yes, until the move is done.' })
  return id as string
}

/** Channels, including a failing one, invitations, and identity providers. */
export async function addOutside(mara: Person, receiver: string) {
  const add = (channel: string, name: string, config: object, more: object) =>
    mara.post('/api/notifications', { channel, name, config, ...more })
  await add('webhook', 'Inventory', { url: `${receiver}/zonekeeper` }, { events: ['record.*', 'domain.*'] })
  await add(
    'webhook',
    'Status page',
    { url: `${receiver}/status` },
    { events: ['domain.*'], domains: { tags: ['web'] } },
  )
  const { configs } = await mara.get('/api/notifications/configs')
  for (const { id } of configs as { id: string }[])
    await mara.post(`/api/notifications/configs/${id}/test`).catch(() => null)
  await mara.post('/api/invitations', {
    role: 'member',
    email: 'olu@tidewater.example',
    expiresAt: inDays(14),
  })
  await mara.post('/api/invitations', { role: 'member', maxUses: 5, expiresAt: inDays(30) })
  await mara.post('/api/oauth/providers', {
    providerId: 'oidc',
    name: 'Tidewater login',
    clientId: 'zonekeeper',
    clientSecret: 'a-client-secret-for-pictures',
    wellKnownUrl: 'https://login.example.com/.well-known/openid-configuration',
    scope: 'openid profile email',
    enabled: true,
  })
  await mara.post('/api/oauth/providers', {
    providerId: 'codehost_a',
    clientId: 'Iv1.0123456789abcdef',
    clientSecret: 'another-secret-for-pictures',
    enabled: true,
  })
}

/** A template for all; returns its id. */
export async function addTemplates(mara: Person): Promise<string> {
  const record = (name: string, recordType: string, value: string, ttl = 3600) => ({
    name,
    recordType,
    value,
    ttl,
  })
  const { id } = await mara.post('/api/templates', {
    name: 'Web on our servers',
    description: 'Address, www and certificate policy of every shop.',
    shared: true,
    variables: [{ name: 'address', label: 'Address of the web server', required: true, pattern: '[0-9.]+' }],
    records: [
      record('@', 'A', '{{address}}', 300),
      record('www', 'CNAME', '{{domain}}'),
      record('@', 'CAA', '0 issue "letsencrypt.org"'),
    ],
  })
  return id as string
}

/** Tokens of the administrator and of the machine account. */
export async function addTokens(mara: Person, bot: string) {
  await mara.post('/api/auth/me/tokens', {
    name: 'router at home',
    permissions: ['ddns:update'],
    restrictions: { namePatterns: ['vpn'] },
  })
  await mara.post('/api/auth/me/tokens', {
    name: 'certificates on mx1',
    permissions: ['records:read', 'acme:challenge'],
    restrictions: { recordTypes: ['TXT'], ipRanges: ['192.0.2.0/24'] },
    expiresAt: inDays(21),
  })
  await mara.post(`/api/users/${bot}/tokens`, {
    name: 'pipeline',
    permissions: ['domains:read', 'records:read', 'records:write'],
    expiresAt: inDays(90),
  })
}
