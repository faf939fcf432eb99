import t from 'tap'
import { addDomain, startZone, type Zone } from '../../helpers/zone.ts'

const zone = await startZone(t)
const { admin, url } = zone
const exported = async (zone: Zone) => (await zone.admin.get(`${zone.url}/export`)).body as string
const load = (zone: Zone, zonefile: string, more: object = {}) =>
  zone.admin.post(`${zone.url}/import`, { zonefile, ...more })
/** Without the comments, which have the time in them. */
const lines = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith(';'))

void t.test('an export is imported into another zone of the same name', async (t) => {
  const source = await startZone(t, { app: zone })
  await source.add('A', '@', '192.0.2.1')
  await source.add('A', '@', '192.0.2.2')
  await source.add('CNAME', '*.dev', 'www.example.com')
  await source.add('MX', '@', '10 mail.example.net')
  await source.add('TXT', '_dmarc', 'v=DMARC1; p=none')
  await source.add('TXT', 'long', `say "hi"; \\ ü ${'x'.repeat(600)}`)
  await source.add('SRV', '_sip._tcp', '1 2 5060 sip.example.net', { ttl: 60 })
  await source.add('CAA', '@', '0 issue "letsencrypt.org"')
  await source.add('AAAA', 'bücher', '2001:db8::1')
  const answer = await source.admin.get(`${source.url}/export`)
  t.match(answer.headers, { 'content-type': /^text\/dns/, 'content-disposition': /example\.com\.zone/ })
  const text = await exported(source)
  t.match(text, /\$ORIGIN example\.com\.\n\$TTL 3600/)

  const target = await startZone(t, { app: zone })
  const plan = await load(target, text, { dryRun: true })
  t.match(plan, {
    status: 200,
    body: {
      plan: { applied: false, updates: { length: 0 }, deletes: { length: 0 }, conflicts: { length: 0 } },
    },
  })
  t.equal(plan.body.plan.creates.length, 9)
  t.same(await target.here(), [])
  const writes = target.writes()
  t.match(await load(target, text), {
    status: 200,
    body: { plan: { applied: true }, skipped: [{ type: 'SOA' }] },
  })
  t.equal(target.writes(), writes + 1)
  t.same(await target.here(), await source.here())
  t.same(lines(await exported(target)), lines(text))
  t.match(
    await load(target, text, { mode: 'replace' }),
    { body: { plan: { applied: false, creates: { length: 0 } } } },
    'the same again',
  )
  // As one that was cut off, or never written.
  for (const empty of ['', '; nothing\n$TTL 300\n']) {
    t.match(await load(target, empty, { mode: 'replace' }), {
      status: 400,
      body: { errors: [{ path: '/zonefile', code: 'empty' }] },
    })
    const { plan: seen } = (await load(target, empty, { mode: 'replace', dryRun: true })).body
    t.equal(seen.deletes.length, 9)
  }
  t.same(
    target.fake
      .dump('example.com')
      .map(({ name, type, ttl, records }) => ({ name, type, ttl, records: records.length })),
    source.fake
      .dump('example.com')
      .map(({ name, type, ttl, records }) => ({ name, type, ttl, records: records.length })),
  )
})

void t.test('merge adds and updates, replace also deletes', async (t) => {
  await zone.add('A', 'keep', '192.0.2.1')
  await zone.add('A', 'ttl', '192.0.2.1')
  await zone.add('CNAME', 'becomes', 'x.example.net')
  const file = [
    'keep 300 IN A 192.0.2.1',
    'ttl 900 IN A 192.0.2.1',
    'new IN A 192.0.2.1',
    '@ IN NS ns1.example.net.',
  ]
  const merged = await load(zone, file.join('\n'))
  t.match(merged, {
    status: 200,
    body: { plan: { creates: [{}, {}], updates: [{ after: { ttl: 900 } }], deletes: { length: 0 } } },
  })
  t.same(await zone.here(), [
    '@ NS ns1.example.net',
    'becomes CNAME x.example.net',
    'keep A 192.0.2.1',
    'new A 192.0.2.1',
    'ttl A 192.0.2.1',
  ])
  const conflicting = 'becomes 300 IN A 192.0.2.1\nother 300 IN A 192.0.2.1\n'
  const refused = await load(zone, conflicting)
  t.match(refused, { status: 409, body: { conflicts: [{ detail: /becomes CNAME/ }] } })
  const dry = await load(zone, conflicting, { dryRun: true })
  t.match(dry, { status: 200, body: { plan: { conflicts: [{ kind: 'conflict' }], applied: false } } })
  const replaced = await load(zone, conflicting, { mode: 'replace' })
  t.match(replaced, { status: 200, body: { plan: { applied: true } } })
  const left = ['@ NS ns1.example.net', 'becomes A 192.0.2.1', 'other A 192.0.2.1']
  t.same(await zone.here(), left, 'a file without NS at the apex leaves those that are there')
  t.same(
    [zone.there('becomes', 'A'), zone.there('becomes', 'CNAME'), zone.there('ttl', 'A')],
    [['192.0.2.1'], [], []],
  )
})

void t.test('a file of another provider replaces NS at the apex', async (t) => {
  const moving = await startZone(t, { app: zone })
  await moving.add('NS', '@', 'ns1.example.net')
  const file = [
    '@ IN SOA ns1.old.example. hostmaster.old.example. 1 2 3 4 5',
    '@ 86400 IN NS ns1.old.example.',
    '@ 86400 IN NS ns2.old.example.',
    'www 300 IN A 192.0.2.1',
  ].join('\n')
  const merged = await load(moving, file)
  t.match(merged, {
    status: 200,
    body: { plan: { applied: true, conflicts: { length: 0 } }, skipped: [{ type: 'SOA' }] },
  })
  const old = ['ns1.old.example.', 'ns2.old.example.']
  t.same(moving.there('@', 'NS'), ['ns1.example.net.', ...old])
  t.match(await load(moving, file, { mode: 'replace' }), { status: 200, body: { plan: { applied: true } } })
  t.same(moving.there('@', 'NS'), old)
})

void t.test('a file with an error changes nothing, and the line is named', async (t) => {
  const before = await zone.here()
  const wrong = await load(zone, 'good IN A 192.0.2.1\nbad IN A 192.0.2.999\nalso IN WHAT x\n', {
    mode: 'replace',
  })
  t.match(wrong, {
    status: 400,
    body: {
      errors: [
        { path: '/zonefile', message: /line 2/, code: 'line', params: { line: 2, rule: 'ipv4_address' } },
        { message: /line 3/, params: { line: 3, rule: 'line_type', given: 'WHAT' } },
      ],
    },
  })
  const skipped = await load(zone, '@ IN SOA a. b. 1 2 3 4 5\nx IN HIP 1 y.\n', { dryRun: true })
  t.match(skipped, {
    status: 200,
    body: {
      skipped: [
        { line: 1, type: 'SOA', code: 'soa_of_provider' },
        { line: 2, type: 'HIP', code: 'type_not_managed', params: { recordType: 'HIP' } },
      ],
    },
  })
  for (const body of [{}, { zonefile: 5 }, { zonefile: '', mode: 'drop' }, { zonefile: '', dryRun: 'yes' }]) {
    t.match(await admin.post(`${url}/import`, body), { status: 400 }, JSON.stringify(body))
  }
  t.same(await zone.here(), before)
})

void t.test('a large file takes several calls', async (t) => {
  const large = await startZone(t, { app: zone })
  const text = Array.from({ length: 1_000 }, (_, i) => `h${i} 300 IN A 192.0.2.${i % 250}`).join('\n')
  const answer = await load(large, text)
  t.match(answer, { status: 200, body: { plan: { applied: true } } })
  t.equal(answer.body.plan.creates.length, 1_000)
  t.equal(large.writes(), 2)
  t.match(await large.admin.get(`/api/domains/${large.domainId}`), { body: { recordCount: 1_000 } })
})

void t.test('zones of a provider connection are imported as domains', async (t) => {
  for (const name of ['one.example', 'two.example']) {
    zone.fake.createZone(name)
    zone.fake.patch(name, [
      {
        name: `www.${name}.`,
        type: 'A',
        ttl: 300,
        changetype: 'REPLACE',
        records: [{ content: '192.0.2.1' }],
      },
    ])
  }
  await addDomain(admin, zone.configId, 'two.example')
  const zones = ['One.example.', 'two.example', 'missing.example', 'co.uk']
  const { status, body } = await admin.post('/api/domains/import', { providerConfigId: zone.configId, zones })
  t.equal(status, 200)
  t.match(body, {
    total: 4,
    succeeded: 1,
    results: [
      { zone: 'One.example.', success: true, synced: 1, error: null, domainId: String },
      { zone: 'two.example', success: false, error: /already registered/, problem: { code: 'conflict' } },
      {
        zone: 'missing.example',
        success: false,
        domainId: null,
        problem: { errors: [{ code: 'zone_missing' }] },
      },
      { zone: 'co.uk', success: false, error: /public suffix/ },
    ],
  })
  const { body: list } = await admin.get(`/api/domains/${body.results[0].domainId}/records`)
  t.match(list, { total: 1, records: [{ name: 'www', value: '192.0.2.1' }] })
  t.match(await admin.get(`/api/domains/${body.results[0].domainId}`), { body: { lastSyncedAt: String } })
  for (const zones of [[], ['a.example', 'a.example'], 'x', [5]]) {
    const answer = await admin.post('/api/domains/import', { providerConfigId: zone.configId, zones })
    t.match(answer, { status: 400 }, JSON.stringify(zones))
  }
})

void t.test('the zones that Debian installs with BIND are imported', async (t) => {
  const soa = `$TTL 604800
@ IN SOA localhost. root.localhost. (
        1         ; Serial
   604800         ; Refresh
    86400         ; Retry
  2419200         ; Expire
   604800 )       ; Negative Cache TTL
;
@ IN NS localhost.
`
  const files = {
    'db.0': soa,
    'db.127': `${soa}1.0.0 IN PTR localhost.\n`,
    'db.255': soa,
    'db.empty': soa,
    'db.local': `${soa}@ IN A 127.0.0.1\n@ IN AAAA ::1\n`,
  }
  for (const [name, zonefile] of Object.entries(files)) {
    const target = await startZone(t, { app: zone, name: 'debian.example' })
    const { status, body } = await load(target, zonefile)
    t.equal(status, 200, name)
    t.match(body.skipped[0], { type: 'SOA', name: '@' })
    t.same(target.fake.dump('debian.example').find(({ type }) => type === 'NS')?.records, [
      { content: 'localhost.', disabled: false },
    ])
  }
})

void t.test('a restore leaves the last NS at the apex', async (t) => {
  const target = await startZone(t, { app: zone, name: 'last.example' })
  const at = new Date().toISOString()
  await target.add('NS', '@', 'ns1.example.net')
  await target.add('A', 'www', '192.0.2.1')
  const { status, body } = await target.admin.post(`/api/domains/${target.domainId}/restore`, {
    at,
    apply: true,
  })
  t.equal(status, 200)
  t.match(body.warnings, [{ code: 'last_apex_ns_kept' }])
  t.same(await target.here(), ['@ NS ns1.example.net'])
})

void t.test('the parsed records of a file are returned, and nothing is applied', async (t) => {
  const own = await startZone(t, { app: zone })
  const zonefile =
    '$ORIGIN lab.example.com.\n$TTL 600\nwww A 192.0.2.1\n@ MX ( 10\n mail )\nelsewhere.example. A 192.0.2.2\n'
  const ask = (body: object) =>
    own.admin.post(`${own.url}/import`, { dryRun: true, listRecords: true, ...body })
  t.match(await ask({ zonefile }), { status: 400, body: { errors: [{ params: { line: 6 } }] } })
  const { status, body } = await ask({ zonefile: zonefile.replace(/elsewhere.*\n/, '') })
  t.equal(status, 200)
  t.match(body.records, [
    { line: 3, name: 'www.lab', recordType: 'A', value: '192.0.2.1', ttl: 600 },
    { line: 4, name: 'lab', recordType: 'MX', value: '10 mail.lab.example.com', ttl: 600 },
  ])
  t.same(await own.here(), [])
})
