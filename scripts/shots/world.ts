import { startPowerDns, type PowerDns } from '../../test/peers/powerdns.ts'
import { startServer } from '../../test/conformance/simulators/server.ts'
import { changeLater, watchNames } from './later.ts'
import { startNameServers, type NameServers } from './name-servers.ts'
import { addOutside, addPeople, addTemplates, addTokens, ask, requestChange, share } from './people.ts'
import { FIREFOX, inDays, startService, type Person, type Service } from './service.ts'
import { COMPANY, MISTAKES, OTHERS, small, type Line } from './zones.ts'

export interface World {
  service: Service
  origin: string
  /** `$id` in the paths of each area, and ids that some pictures need. */
  ids: Record<
    'domains' | 'change-requests' | 'providers' | 'templates' | 'channels' | 'users' | Special,
    string
  >
  stop(): Promise<void>
}
type Special = 'verified' | 'later' | 'large' | 'local' | 'byHand' | 'failing' | 'empty' | 'jonas'

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1'

const create = ([name, recordType, value, ttl = 3600, comment]: Line) => ({
  action: 'create',
  name,
  recordType,
  value,
  ttl,
  ...(comment !== undefined && { comment }),
})

/** A service in use for months: a trading company with its brands, shops and customers. */
export async function startWorld(): Promise<World> {
  const [powerdns, broken] = await Promise.all([startPowerDns(), startPowerDns()])
  const receiver = await startServer(async ({ path }) => ({ status: path === '/status' ? 503 : 204 }))
  const nameServers = await startNameServers()
  const service = await startService('mara', `127.0.0.1:${nameServers.resolver.port}`)
  const stop = async () => {
    await service.stop()
    nameServers.close()
    await Promise.all([powerdns.close(), broken.close(), receiver.close()])
  }
  try {
    const ids = await settle(service, powerdns, broken, receiver.url, nameServers)
    return { service, origin: service.origin, ids, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function settle(
  service: Service,
  powerdns: PowerDns,
  broken: PowerDns,
  receiver: string,
  { old, silent }: NameServers,
): Promise<World['ids']> {
  const { daysPass, person } = service
  const mara = await person('mara')
  await mara.put('/api/auth/me/profile', { displayName: 'Mara Lindqvist' })
  const users = await addPeople(service, mara)
  const configs = await connect(mara, powerdns, broken)
  await person('mara', FIREFOX)
  await daysPass(40)

  const change = (by: Person, domain: string, changes: object[]) =>
    by.post(`/api/domains/${domain}/records/apply`, { changes })
  const add = async (name: string, config: string, more: object = {}) =>
    (await mara.post('/api/domains', { name, providerConfigId: config, ...more })).id as string
  const [head, tail] = [COMPANY.slice(0, 22), COMPANY.slice(22)]
  const company = await add('tidewater.example', configs.powerdns, {
    createZone: true,
    expiresAt: inDays(211),
    groupName: 'Brands',
    tags: ['web', 'mail'],
    notes: 'The company itself. Ask Jonas before the MX records change.',
  })
  await change(mara, company, head.map(create))
  await daysPass(17)
  await change(mara, company, tail.map(create))
  await mara.post(`/api/domains/${company}/sync`)

  const named = new Map<string, string>()
  for (const [at, [name, days, groupName, tags]] of OTHERS.entries()) {
    const isBroken = name === 'blue-kite.example'
    const isLocal = at % 6 === 5
    const config = isBroken ? configs.broken : isLocal ? configs.local : configs.powerdns
    const more = { expiresAt: days === null ? null : inDays(days), groupName, tags, createZone: !isLocal }
    const id = await add(name, config, isLocal ? { ...more, createZone: false } : more)
    named.set(name, id)
    if (groupName !== '') await change(mara, id, small(name, 100 + at).map(create))
    if (at % 8 === 7) await daysPass(2)
  }
  // Domains with names before p are synced manually.
  for (const [name, id] of named)
    if (name < 'p' && name !== 'blue-kite.example')
      await mara.post(`/api/domains/${id}/sync`).catch(() => null)
  const domainOf = (name: string) => named.get(name) as string
  await watchNames(mara, {
    working: domainOf('lighthouse-coffee.example'),
    failing: domainOf('salt-and-thyme.example'),
    receiver,
  })
  const large = await add('machines.example', configs.local, { expiresAt: inDays(290), groupName: 'Brands' })
  for (let at = 0; at < 10_000; at += 1000) await change(mara, large, machines(at))
  await daysPass(5)

  // Mistakes that the health of the domain shows.
  await change(mara, company, MISTAKES.map(create))
  await mara.post(`/api/domains/${company}/health/check`)
  await daysPass(4)
  await share(mara, { ...users, company, customer: domainOf('granite-and-oak.example') })
  await daysPass(3)
  const [jonas, wei] = await Promise.all([person('jonas'), person('wei.chen')])
  await change(jonas, company, [
    create(['web.dev', 'A', '192.0.2.80', 300]),
    create(['db.dev', 'A', '192.0.2.81', 300]),
  ])
  await change(wei, company, [
    { ...create(['_acme-challenge', 'TXT', 'k3vPq0ZtYh8nB1sXfW5cLr7uEj2mAo9i']), ttl: 60 },
  ])
  await daysPass(2)
  await edit(mara, company, 'api', '192.0.2.31')
  await daysPass(1.2)
  await ask(mara, jonas, wei)
  await edit(jonas, company, 'web.dev', '192.0.2.82')
  await addOutside(mara, receiver)
  const templates = await addTemplates(mara)
  await addTokens(mara, users.bot)
  await changeElsewhere(powerdns, 'tidewater.example.')
  for (const zone of ['harvest-fair.example', 'old-harbour.example', 'quay-radio.example'])
    await addZone(powerdns, zone)
  await broken.close()
  await mara.post(`/api/domains/${domainOf('blue-kite.example')}/sync`).catch(() => null)
  await person('mara', PHONE)
  await daysPass(0.1)
  await mara.put(`/api/provider-configs/${configs.powerdns}`, {
    verifyServers: [
      `127.0.0.1:${powerdns.dnsPort}`,
      ...[old, silent].map(({ address, port }) => `${address}:${port}`),
    ],
  })
  await edit(jonas, company, 'db.dev', '192.0.2.91')
  await edit(mara, company, 'api', '192.0.2.32')
  const { changes } = await mara.get(`/api/domains/${company}/changes?limit=1`)
  for (const domain of [company, ...OTHERS.map(([name]) => domainOf(name)).slice(3, 9)])
    await mara.post(`/api/domains/${domain}/health/check`)
  const later = domainOf('northwind-trading.example')
  await changeLater(mara, later)
  const request = await requestChange(mara, jonas, company)
  const channels = (await mara.get('/api/notifications/configs')).configs[0].id as string
  await Promise.all([mara.leave(), jonas.leave(), wei.leave()])
  return {
    domains: company,
    'change-requests': request,
    providers: configs.powerdns,
    templates,
    channels,
    users: users.jonas,
    jonas: users.jonas,
    verified: (changes as { id: string }[])[0]?.id ?? '',
    later,
    large,
    byHand: configs.local,
    local: domainOf('autumn-2025.example'),
    failing: domainOf('blue-kite.example'),
    empty: domainOf('lab.example'),
  }
}

const machines = (from: number) =>
  Array.from({ length: 1000 }, (_, nth) => {
    const at = from + nth
    const rack = `r${String(Math.floor(at / 100)).padStart(2, '0')}`
    return create([`m${String(at % 100).padStart(2, '0')}.${rack}`, 'A', `10.20.${at >> 8}.${at & 255}`])
  })

async function connect(mara: Person, powerdns: PowerDns, broken: PowerDns) {
  const { providers } = await mara.get('/api/providers')
  const kind = (wanted: string) =>
    (providers as { id: string; key: string }[]).find(({ key }) => key === wanted)?.id
  const add = async (name: string, key: string, credentials: object, more: object = {}) =>
    (await mara.post('/api/provider-configs', { providerId: kind(key), name, credentials, ...more }))
      .id as string
  const nameServers = ['ns1.tidewater.example', 'ns2.tidewater.example']
  const at = ({ apiUrl, apiKey }: PowerDns) => ({ apiUrl, apiKey, serverId: 'localhost' })
  const own = { nameServers, hostmaster: 'hostmaster@tidewater.example' }
  return {
    powerdns: await add('Own name servers', 'powerdns', at(powerdns), own),
    broken: await add('Frankfurt', 'powerdns', at(broken), own),
    local: await add('Manual zones', 'manual', {}, { nameServers }),
    customers: await add('Customers', 'powerdns', at(powerdns), own),
  }
}

async function edit(by: Person, domain: string, name: string, value: string) {
  const { records } = await by.get(`/api/domains/${domain}/records?search=${name}&in=name&limit=200`)
  const record = (records as { id: string; name: string; version: number }[]).find((one) => one.name === name)
  await by.post(`/api/domains/${domain}/records/apply`, {
    changes: [{ action: 'update', recordId: record?.id, version: record?.version, value }],
  })
}

const call = ({ apiKey }: PowerDns, method: string, body: object) => ({
  method,
  headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** A zone that exists at the provider only. */
async function addZone(powerdns: PowerDns, name: string) {
  const zone = { name: `${name}.`, kind: 'Native', nameservers: ['ns1.tidewater.example.'] }
  const answer = await fetch(
    `${powerdns.apiUrl}/api/v1/servers/localhost/zones`,
    call(powerdns, 'POST', zone),
  )
  if (!answer.ok) throw new Error(`PowerDNS: ${answer.status} ${await answer.text()}`)
}

/** Changes the DNS server directly, so that a sync finds differences. */
async function changeElsewhere(powerdns: PowerDns, zone: string) {
  const rrset = (name: string, type: string, contents: string[]) => ({
    name: `${name}.${zone}`,
    type,
    ttl: 3600,
    changetype: 'REPLACE',
    records: contents.map((content) => ({ content, disabled: false })),
  })
  const rrsets = [
    rrset('printer', 'A', ['192.0.2.90']),
    rrset('files', 'A', ['192.0.2.44']),
    { name: `status.${zone}`, type: 'CNAME', changetype: 'DELETE' },
    rrset('office', 'LOC', ['53 32 40.000 N 9 59 30.000 E 8.00m 1.00m 10000.00m 10.00m']),
  ]
  const url = `${powerdns.apiUrl}/api/v1/servers/localhost/zones/${zone}`
  const answer = await fetch(url, call(powerdns, 'PATCH', { rrsets }))
  if (!answer.ok) throw new Error(`PowerDNS: ${answer.status} ${await answer.text()}`)
}
