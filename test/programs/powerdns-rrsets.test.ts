import t from 'tap'
import manual from '../../modules/providers/adapters/manual/index.ts'
import { call } from '../helpers/app.ts'
import { addDomain, startZone } from '../helpers/zone.ts'
import { PowerDnsClient, replaced, SERVER } from './powerdns-client.ts'

/* RRsets by the API of PowerDNS: what a PATCH writes to the DNS provider, and what it is refused. */
/** A DNS provider with a lowest TTL. */
const SLOW = '0192f0a0-0000-7000-8000-00000000aaaa'
const slow = { ...manual, id: SLOW, key: 'slow', capabilities: { ...manual.capabilities, minTtl: 600 } }
const zone = await startZone(t, { name: 'example.org', providers: [slow] })
const { admin, app } = zone
const permissions = ['domains:read', 'domains:write', 'records:read', 'records:write']
const { body: token } = await admin.post('/api/auth/me/tokens', { name: 'lego', permissions })
const pdns = new PowerDnsClient(app, token.token as string)

void t.test('an RRset is replaced, read back, and named in the history', async (t) => {
  const set = replaced('www.example.org.', 'A', ['192.0.2.1', '192.0.2.2'])
  t.match(await pdns.patch('example.org.', set), { status: 204 })
  t.same(zone.there('www', 'A'), ['192.0.2.1', '192.0.2.2'])
  t.same(await pdns.rrsets('example.org.', 'www.example.org.'), [
    {
      comments: [],
      name: 'www.example.org.',
      records: [
        { content: '192.0.2.1', disabled: false },
        { content: '192.0.2.2', disabled: false },
      ],
      ttl: 300,
      type: 'A',
    },
  ])
  const { body } = await admin.get(`/api/domains/${zone.domainId}/changes?limit=1`)
  t.match(body.changes[0], { origin: 'powerdns-api', token: { name: 'lego' } })

  const writes = zone.writes()
  t.match(await pdns.patch('EXAMPLE.org', set), { status: 204 }, 'again')
  t.equal(zone.writes(), writes, 'changes nothing')
})

void t.test('values in presentation form', async (t) => {
  const sets = [
    replaced('t.example.org.', 'TXT', ['"v=spf1 -all"', '"a" "b"']),
    replaced('example.org.', 'MX', ['10 mail.example.org.']),
    replaced('c.example.org.', 'CNAME', ['www.example.org.']),
    replaced('_sip._tcp.example.org.', 'SRV', ['1 2 5060 sip.example.net.']),
    replaced('W6.example.org.', 'aaaa', ['2001:db8::1'], { changetype: 'replace' }),
  ]
  t.match(await pdns.patch('example.org.', ...sets), { status: 204 })
  for (const { name, type, records } of sets) {
    const found = await pdns.rrsets('example.org.', name)
    const rrset = found.find((one) => one.type === type.toUpperCase())
    t.same(rrset?.records, records, `${name} ${type}`)
  }
})

void t.test('disabled records are kept, replaced and enabled', async (t) => {
  const records = [
    { content: '192.0.2.1', disabled: false },
    { content: '192.0.2.2', disabled: true },
  ]
  const set = replaced('off.example.org.', 'A', [], { records })
  t.match(await pdns.patch('example.org.', set), { status: 204 })
  t.match(await pdns.rrsets('example.org.', 'off.example.org.'), [{ records }])
  const shown = '/zones/example.org.?rrset_name=off.example.org.&include_disabled=false'
  const { body } = await pdns.ask('GET', shown)
  t.same(body.rrsets[0].records, [records[0]])
  const swapped = records.map(({ content, disabled }) => ({ content, disabled: !disabled }))
  const other = replaced('off.example.org.', 'A', [], { records: swapped })
  t.match(await pdns.patch('example.org.', other), { status: 204 })
  t.match(await pdns.rrsets('example.org.', 'off.example.org.'), [{ records: swapped }])
  // What the body lacks is gone, also if it was disabled.
  t.match(await pdns.patch('example.org.', replaced('off.example.org.', 'A', ['192.0.2.2'])), { status: 204 })
  t.same((await pdns.rrsets('example.org.', 'off.example.org.'))[0]?.records, [
    { content: '192.0.2.2', disabled: false },
  ])
  t.match(await pdns.patch('example.org.', { name: 'off.example.org.', type: 'A', changetype: 'DELETE' }), {
    status: 204,
  })
  t.same(await pdns.rrsets('example.org.', 'off.example.org.'), [])
})

void t.test('comments', async (t) => {
  const name = 'note.example.org.'
  const comments = [{ content: 'the shop', account: '', modified_at: 1 }]
  const set = replaced(name, 'A', ['192.0.2.1', '192.0.2.2'], { comments })
  t.match(await pdns.patch('example.org.', set), { status: 204 })
  const [rrset] = await pdns.rrsets('example.org.', name)
  t.match(rrset?.comments, [{ content: 'the shop', account: '', modified_at: Number }])
  t.equal(rrset?.comments?.length, 1)
  t.match(await pdns.patch('example.org.', replaced(name, 'A', ['192.0.2.1'])), { status: 204 })
  t.match((await pdns.rrsets('example.org.', name))[0]?.comments, [{ content: 'the shop' }], 'stays')
  const alone = { name, type: 'A', changetype: 'REPLACE', comments: [{ content: 'other' }] }
  t.match(await pdns.patch('example.org.', alone), { status: 204 })
  t.match(await pdns.rrsets('example.org.', name), [
    { comments: [{ content: 'other' }], records: [{ content: '192.0.2.1' }] },
  ])
  const several = [{ content: 'a' }, { content: 'b' }]
  t.match(await pdns.patch('example.org.', { ...alone, comments: several }), { status: 422 })
  t.match(await pdns.patch('example.org.', { ...alone, comments: [] }), { status: 204 })
  t.same((await pdns.rrsets('example.org.', name))[0]?.comments, [])
})

void t.test('EXTEND and PRUNE leave the other records', async (t) => {
  const name = '_acme-challenge.example.org.'
  const one = (content: string, changetype: string) =>
    pdns.patch('example.org.', { ...replaced(name, 'TXT', [content]), changetype })
  t.match(await one('"first"', 'EXTEND'), { status: 204 })
  t.match(await one('"second"', 'extend'), { status: 204 })
  t.match(await one('"second"', 'EXTEND'), { status: 204 }, 'again')
  t.same(zone.there('_acme-challenge', 'TXT'), ['"first"', '"second"'])
  // Somebody else adds one at the provider.
  zone.putThere('_acme-challenge', 'TXT', '"third"')
  t.match(await one('"first"', 'PRUNE'), { status: 204 })
  t.same(zone.there('_acme-challenge', 'TXT'), ['"second"', '"third"'])
  t.match(await one('"first"', 'PRUNE'), { status: 204 }, 'again')
  t.match(await one('"third"', 'PRUNE'), { status: 204 })
  zone.putThere('_acme-challenge', 'TXT', '"fourth"')
  t.match(await one('"fourth"', 'PRUNE'), { status: 204 }, 'one that was not known here')
  t.same(zone.there('_acme-challenge', 'TXT'), ['"second"'])
  const values = ['"a"', '"b"', '"c"', '"c"', '"c"']
  const answers = await Promise.all(values.map((value) => one(value, 'EXTEND')))
  t.same(
    answers.map(({ status }) => status),
    [204, 204, 204, 204, 204],
    'at the same time',
  )
  t.same(zone.there('_acme-challenge', 'TXT'), ['"a"', '"b"', '"c"', '"second"'])
  const two = replaced(name, 'TXT', ['"x"', '"y"'], { changetype: 'EXTEND' })
  t.match(await pdns.patch('example.org.', two), { status: 422 })
})

void t.test('a PATCH is done as a whole or not at all', async (t) => {
  const before = await zone.here()
  const good = replaced('good.example.org.', 'A', ['192.0.2.1'])
  const refusals = [
    [replaced('w.example.com.', 'A', ['192.0.2.1']), 'RRset w.example.com. IN A: Name is out of zone'],
    [replaced('w.example.org', 'A', ['192.0.2.1']), "DNS Name 'w.example.org' is not canonical"],
    [{ ...good, changetype: 'FOO' }, 'Changetype not understood'],
    [{ ...replaced('w.example.org.', 'A', ['192.0.2.1']), ttl: undefined }, /ttl/],
    [{ name: 'w.example.org.', type: 'A', changetype: 'REPLACE' }, 'No change for RRset w.example.org. IN A'],
    [replaced('w.example.org.', 'FOO', ['x']), 'RRset w.example.org. IN FOO: unknown type given'],
    [replaced('w.example.org.', 'A', ['192.0.2.300']), /^Record w\.example\.org\.\/A '192\.0\.2\.300': /],
    [
      replaced('w.example.org.', 'CNAME', ['www.example.org']),
      "Record w.example.org./CNAME 'www.example.org': Not in expected format (parsed as 'www.example.org.')",
    ],
    [
      replaced('w.example.org.', 'TXT', ['hello']),
      `Record w.example.org./TXT 'hello': Not in expected format (parsed as '"hello"')`,
    ],
    [
      replaced('w.example.org.', 'A', ['192.0.2.1', '192.0.2.1']),
      'Duplicate record in RRset w.example.org. IN A with content "192.0.2.1"',
    ],
    [replaced('w.example.org.', 'A', ['192.0.2.1'], { ttl: 0 }), /TTL/],
    [replaced('w.example.org.', 'A', ['192.0.2.1'], { comments: [{ content: 'x'.repeat(501) }] }), /500/],
    [good, 'Duplicate RRset good.example.org. IN A with changetype: REPLACE'],
    [replaced('www.example.org.', 'CNAME', ['x.example.org.']), /^RRset www\.example\.org\. IN CNAME: /],
    [
      replaced('w.example.org.', 'CNAME', ['a.example.org.', 'b.example.org.']),
      /^RRset w\.example\.org\. IN CNAME: /,
    ],
    [replaced('example.org.', 'SOA', ['ns1.example.org. me.example.org. 1 2 3 4 5']), /SOA/],
  ] as const
  for (const [rrset, error] of refusals) {
    const answer = await pdns.patch('example.org.', good, rrset)
    t.match(answer, { status: 422, body: { error } }, JSON.stringify(rrset))
    t.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  }
  t.match(await pdns.ask('PATCH', '/zones/example.org.', {}), { status: 422 })
  t.same(await zone.here(), before)
  // A deletion makes room for a CNAME.
  const room = [
    { name: 'www.example.org.', type: 'A', changetype: 'DELETE' },
    replaced('www.example.org.', 'CNAME', ['x.example.net.']),
  ]
  t.match(await pdns.patch('example.org.', ...room), { status: 204 })
  t.match(await pdns.patch('example.org.', { ...room[0], name: 'none.example.org.' } as never), {
    status: 204,
  })
})

void t.test('the serial of the zone after a change, as the DNS provider has it', async (t) => {
  const [{ records = [] } = {}] = (await pdns.ask('GET', '/zones/example.org.')).body.rrsets
  const soa = String(records[0].content).split(' ')
  const before = Number(soa[2])
  const content = soa.with(2, String(before + 1)).join(' ')
  zone.fake.patch('example.org', [
    {
      name: 'example.org.',
      type: 'SOA',
      ttl: 3600,
      changetype: 'REPLACE',
      records: [{ content, disabled: false }],
    },
  ])
  const set = replaced('serial.example.org.', 'A', ['192.0.2.1'])
  const { headers } = await pdns.patch('example.org.', set)
  t.match(headers, { 'x-pdns-old-serial': before, 'x-pdns-new-serial': before + 1 })
  const { body } = await pdns.ask('GET', '/zones/example.org.')
  t.match(body, { serial: before + 1, edited_serial: before + 1, rrsets: [{ records: [{ content }] }] })
})

void t.test('a TTL that the DNS provider does not support', async (t) => {
  const { body } = await admin.post('/api/provider-configs', { providerId: SLOW, name: 'slow' })
  await addDomain(admin, body.id as string, 'slow.example')
  const set = replaced('www.slow.example.', 'A', ['192.0.2.1'], { ttl: 60 })
  t.match(await pdns.patch('slow.example.', set), { status: 422, body: { error: /ttl|TTL/ } })
  // Clients of certificate authorities choose it, and it means nothing to them.
  const name = '_acme-challenge.www.slow.example.'
  t.match(await pdns.patch('slow.example.', replaced(name, 'TXT', ['"x"'], { ttl: 60 })), { status: 204 })
  t.match(await pdns.rrsets('slow.example.', name), [{ ttl: 600 }])
})

void t.test('a DNS provider that refuses or fails', async (t) => {
  const answered = (status: number) =>
    zone.fake.fail({
      on: ({ method }) => method === 'PATCH',
      kind: 'answer',
      answer: { status, body: '{"error":"no such thing"}' },
    })
  const set = replaced('failing.example.org.', 'A', ['192.0.2.1'])
  answered(422)
  const refused = await pdns.patch('example.org.', set)
  t.ok(refused.status >= 400, String(refused.status))
  t.match(refused.body, { error: /no such thing/ })
  t.same(await pdns.rrsets('example.org.', 'failing.example.org.'), [])
  t.match(await pdns.patch('example.org.', set), { status: 204 }, 'the next attempt')
})

void t.test('a change for one version of the zone only', async (t) => {
  const url = `${SERVER}/zones/example.org.`
  const headers = { 'x-api-key': pdns.key }
  const seen = await call(app, { url, headers })
  const etag = String(seen.headers['etag'])
  t.match(await call(app, { url, headers: { ...headers, 'if-none-match': etag } }), { status: 304 })
  const write = (content: string) =>
    call(app, {
      method: 'PATCH',
      url,
      headers: { ...headers, 'if-match': etag },
      payload: { rrsets: [replaced('version.example.org.', 'A', [content])] },
    })
  t.match(await write('192.0.2.1'), { status: 204 })
  t.match(await write('192.0.2.2'), { status: 412, body: { error: String } })
  t.match(await write('192.0.2.1'), { status: 412 }, 'also if there is nothing to do')
  t.same(zone.there('version', 'A'), ['192.0.2.1'])
})
