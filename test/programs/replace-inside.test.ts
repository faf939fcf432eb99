import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { addDomain, addManual } from '../helpers/zone.ts'

/* Replacing addresses inside of values, and records by type and name. */
const { admin } = await startApp(t, {})
const config = await addManual(admin)
let count = 0
const domain = async (...records: [recordType: string, name: string, value: string][]) => {
  const { id, name } = await addDomain(admin, config, `d${++count}.example`)
  for (const [recordType, host, value] of records) {
    const { status, body } = await admin.post(`/api/domains/${id}/records`, {
      recordType,
      name: host,
      value,
      ttl: 3600,
    })
    if (status !== 201) throw new Error(JSON.stringify(body))
  }
  return { id, name, scope: { domainIds: [id] } }
}
const records = async (id: string) => {
  const { body } = await admin.get(`/api/domains/${id}/records?limit=200`)
  return (body.records as { name: string; recordType: string; value: string; ttl: number }[])
    .map(({ name, recordType, value, ttl }) => `${name} ${ttl} ${recordType} ${value}`)
    .sort()
}
const plan = async (body: object) => {
  const answer = await admin.post('/api/records/replace', body)
  t.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}
async function replace(body: object) {
  const planned = await plan(body)
  const begun = await admin.post('/api/records/replace/apply', { planId: planned.planId })
  return until('the operation has ended', async () => {
    const { body: now } = await admin.get(`/api/operations/${begun.body.operation.id}`)
    return now.outcome !== null && now
  })
}

void t.test('a network moves in hints and SPF as well, each address at its place', async (t) => {
  const { id, scope } = await domain(
    ['A', 'www', '192.0.2.10'],
    ['HTTPS', 'www', '1 . alpn=h2 ipv4hint=192.0.2.10,203.0.113.1 ipv6hint=2001:db8::1'],
    ['SVCB', '_dns', '1 ns.example.net. ipv4hint=192.0.2.53'],
    ['TXT', '@', 'v=spf1 ip4:192.0.2.0/28 +ip4:192.0.2.200 ip4:203.0.113.7 include:other.example -all'],
    ['TXT', 'note', 'the server is 192.0.2.10'],
  )
  const find = { cidr: '192.0.2.0/24' }
  t.match(await replace({ find, replaceWith: { value: '198.51.100.0/24', ttl: 60 }, scope }), {
    outcome: 'succeeded',
    done: 4,
  })
  t.same(await records(id), [
    '@ 3600 TXT v=spf1 ip4:198.51.100.0/28 +ip4:198.51.100.200 ip4:203.0.113.7 include:other.example -all',
    '_dns 3600 SVCB 1 ns.example.net ipv4hint=198.51.100.53',
    'note 3600 TXT the server is 192.0.2.10',
    'www 3600 HTTPS 1 . alpn=h2 ipv4hint=198.51.100.10,203.0.113.1 ipv6hint=2001:db8::1',
    'www 60 A 198.51.100.10',
  ])
})

void t.test('an address, in IPv6 too, and many that become one', async (t) => {
  const { id, scope } = await domain(
    ['AAAA', 'www', '2001:db8::1'],
    ['HTTPS', '@', '1 . ipv6hint=2001:db8::1,2001:db8::2'],
    ['TXT', '@', 'v=spf1 ip6:2001:DB8:0::1 ip6:2001:db8::/126 ~all'],
  )
  const one = await plan({ find: { value: '2001:db8::1' }, replaceWith: { value: '2001:db8:f::9' }, scope })
  t.match(one.totals, { updates: 3, blocked: 0 })
  t.match(one.domains[0].warnings, [
    { code: 'address_left', params: { name: '@', recordType: 'TXT', values: 'ip6:2001:db8::/126' } },
  ])
  const all = { find: { cidr: '2001:db8::/64' }, replaceWith: { value: '2001:db8:f::9' }, scope }
  t.match(await replace(all), { outcome: 'succeeded' })
  t.same(await records(id), [
    '@ 3600 HTTPS 1 . ipv6hint=2001:db8:f::9',
    '@ 3600 TXT v=spf1 ip6:2001:db8:f::9 ~all',
    'www 3600 AAAA 2001:db8:f::9',
  ])
})

void t.test('what can not be rewritten is named', async (t) => {
  const { scope } = await domain(
    ['TXT', '@', 'v=spf1 ip4:192.0.0.0/16 -all'],
    ['TXT', 'note', 'at 192.0.2.10.'],
    ['TXT', 'other', 'at 192.0.2.100'],
  )
  const { totals, domains } = await plan({
    find: { value: '192.0.2.10' },
    replaceWith: { value: '198.51.100.1' },
    scope,
  })
  t.match(totals, { updates: 0, blocked: 0 })
  t.same(
    domains[0].warnings
      .map(({ code, params }: { code: string; params: { name: string } }) => [code, params.name])
      .sort(),
    [
      ['address_left', '@'],
      ['address_left', 'note'],
    ],
  )
})

void t.test('a type says where to look', async (t) => {
  const { scope } = await domain(
    ['A', 'www', '192.0.2.10'],
    ['HTTPS', 'www', '1 . ipv4hint=192.0.2.10'],
    ['TXT', '@', 'v=spf1 ip4:192.0.2.10 -all'],
  )
  const replaceWith = { value: '198.51.100.10' }
  for (const type of ['A', 'HTTPS', 'TXT']) {
    const { domains } = await plan({ find: { cidr: '192.0.2.0/24', type }, replaceWith, scope })
    t.match(domains[0].changes, [{ before: { recordType: type } }])
    t.equal(domains[0].changes.length, 1)
  }
  const ttl = await plan({ find: { cidr: '192.0.2.0/24' }, replaceWith: { ttl: 60 }, scope })
  t.match(ttl.totals, { updates: 1 }, 'a TTL alone is that of the addresses')
})

void t.test('by type and name: a TTL for records of any value', async (t) => {
  const { id, scope } = await domain(
    ['MX', '@', '10 mail.example.net'],
    ['TXT', '@', 'hello'],
    ['CNAME', 'www', 'example.net'],
    ['TXT', 'www2', 'there'],
  )
  t.match(await replace({ find: { type: 'TXT' }, replaceWith: { ttl: 120 }, scope }), {
    outcome: 'succeeded',
    done: 2,
  })
  t.match(await replace({ find: { name: '@', type: 'MX' }, replaceWith: { ttl: 180 }, scope }), { done: 1 })
  t.match(await replace({ find: { name: 'www' }, replaceWith: { ttl: 240 }, scope }), { done: 1 })
  t.match(
    await replace({ find: { type: 'CNAME', name: 'www' }, replaceWith: { value: 'example.org' }, scope }),
    { done: 1 },
  )
  t.same(await records(id), [
    '@ 120 TXT hello',
    '@ 180 MX 10 mail.example.net',
    'www 240 CNAME example.org',
    'www2 120 TXT there',
  ])
})
