import t from 'tap'
import { PROVIDERS } from '../../../modules/providers/registry.ts'
import { RECORD_TYPES, typeOf } from '../../../dns/types/index.ts'
import { startZone } from '../../helpers/zone.ts'

const zone = await startZone(t)
const { admin, url, there } = zone

const nameFor = (type: (typeof RECORD_TYPES)[number]) =>
  typeOf(type).place === 'apex' ? '@' : `of-${type.toLowerCase()}`

// ANAME is none of PowerDNS, and ZONEMD is made by others.
const TYPES = RECORD_TYPES.filter((type) => type !== 'ANAME' && type !== 'ZONEMD')

void t.test('the list of types describes forms and the providers of each type', async (t) => {
  const { status, body } = await admin.get('/api/record-types')
  t.equal(status, 200)
  t.same(
    body.recordTypes.map(({ type }: { type: string }) => type),
    RECORD_TYPES,
  )
  const of = (wanted: string) => body.recordTypes.find(({ type }: { type: string }) => type === wanted)
  t.match(of('MX'), {
    rfc: 'RFC 1035 section 3.3.9',
    example: '10 mail.example.com',
    fields: [
      { name: 'priority', kind: 'integer', minimum: 0, maximum: 65535, example: 10 },
      { name: 'host', kind: 'name' },
    ],
    providers: PROVIDERS.map(({ key }) => key),
    providerConfigIds: [zone.configId],
  })
  t.match(of('TLSA').fields[0].choices[3], { value: 3, title: /DANE-EE/ })
  t.match(of('ANAME'), { providers: ['manual'], providerConfigIds: { length: 0 } })
  t.match(of('ZONEMD'), { readOnly: true, place: 'apex' })
  await zone.addUser('types-member')
  const member = await zone.signIn('types-member')
  const seen = await member.get('/api/record-types')
  t.same(seen.body.recordTypes[0].providerConfigIds, [], "others' configurations are not named")
})

for (const recordType of TYPES) {
  void t.test(`${recordType}: by value and by its fields`, async (t) => {
    const { example, write } = typeOf(recordType)
    const name = nameFor(recordType)
    const made = await admin.post(url, { recordType, name, value: example, ttl: 120 })
    t.match(made, { status: 201, body: { recordType, value: example } })
    t.ok(there(name, recordType).includes(write.call(typeOf(recordType), example)))
    const { data, id } = made.body
    t.match(await admin.put(`${url}/${id}`, { data, comment: 'the same' }), {
      status: 200,
      body: { value: example },
    })
    t.match(await admin.delete(`${url}/${id}`), { status: 204 })

    const again = await admin.post(url, { recordType, name, data, ttl: 120 })
    t.match(again, { status: 201, body: { value: example, data } })
    t.match(await admin.delete(`${url}/${again.body.id}`), { status: 204 })
  })
}

void t.test('one field is changed, the others stay', async (t) => {
  const record = await zone.add('SRV', '_x._tcp', '10 60 5060 sip.example.net')
  const { data } = (await admin.get(`${url}/${record.id}`)).body
  const put = await admin.put(`${url}/${record.id}`, { data: { ...data, port: 5061 } })
  t.match(put, { status: 200, body: { value: '10 60 5061 sip.example.net', priority: 10 } })
  const both = await admin.put(`${url}/${record.id}`, { value: '10 60 5062 sip.example.net', data })
  t.match(both, { status: 400, body: { errors: [{ path: '/data', code: 'data_differs' }] } })
})

void t.test('errors name the field', async (t) => {
  const cases: [recordType: string, data: object, ...paths: string[]][] = [
    ['A', { address: '192.0.2.256' }, '/data/address'],
    ['A', {}, '/data/address'],
    ['MX', { priority: 70_000, host: 'mail' }, '/data/priority', '/data/host'],
    ['MX', { priority: 10, host: '.' }, '/data/priority'],
    ['TXT', { text: '' }, '/data/text'],
    ['CAA', { flags: 0, tag: 'isue', value: 'x.example' }, '/data/tag'],
    ['CAA', { flags: 0, tag: 'iodef', value: 'nobody' }, '/data/value'],
    ['DS', { keyTag: '1', algorithm: 13, digestType: 2, digest: 'abc' }, '/data/keyTag', '/data/digest'],
    ['DS', { keyTag: 1, algorithm: 13, digestType: 2, digest: 'abcd' }, '/data/digest'],
    ['TLSA', { usage: 4, selector: 0, matchingType: 1, data: '00' }, '/data/usage', '/data/data'],
    ['SSHFP', { algorithm: 4, fingerprintType: 2, fingerprint: '00' }, '/data/fingerprint'],
    ['HTTPS', { priority: 0, target: 'a.example.net', parameters: { port: 1 } }, '/data/parameters'],
    ['HTTPS', { priority: 1, target: '.', parameters: { nope: 1 } }, '/data/parameters'],
    [
      'NAPTR',
      { order: 1, preference: 1, flags: '-', service: '', regexp: '!x', replacement: '.' },
      '/data/flags',
      '/data/regexp',
    ],
    ['URI', { priority: 1, weight: 1, target: 'no scheme' }, '/data/target'],
    ['LOC', { latitude: '91 0 0 N', longitude: '4 E', altitude: 'high' }, '/data/latitude', '/data/altitude'],
    ['CSYNC', { serial: 1, flags: 1, types: ['NOPE'] }, '/data/types'],
    ['TYPE65280', { data: 'abc' }, '/data/data'],
  ]
  for (const [recordType, data, ...paths] of cases) {
    const name = recordType === 'CSYNC' ? '@' : 'wrong'
    const answer = await admin.post(url, { recordType, name, data })
    t.match(answer, { status: 400, body: { code: 'validation_failed' } }, recordType)
    t.same(
      answer.body.errors.map(({ path }: { path: string }) => path),
      paths,
      `${recordType} ${JSON.stringify(answer.body.errors)}`,
    )
  }
})

void t.test('types without a name are bytes', async (t) => {
  const made = await admin.post(url, { recordType: 'TYPE65534', name: 'bytes', value: '\\# 4 0A 000001' })
  t.match(made, { status: 201, body: { value: '\\# 4 0a000001', data: { data: '0a000001' } } })
  const generic = await admin.post(url, { recordType: 'SSHFP', name: 'bytes', value: '\\# 3 040200' })
  t.match(generic, { status: 400 }, 'bytes of a type with a form are judged by it')
  t.match(await admin.post(url, { recordType: 'DNAME', name: 'bytes2', value: '\\# 5 03777777 00' }), {
    status: 400,
  })
  const named = await admin.post(url, { recordType: 'TYPE1', name: 'bytes', value: '\\# 4 0a000001' })
  t.match(named, { status: 400, body: { errors: [{ path: '/recordType', message: /is A; use that name/ }] } })
  const meta = await admin.post(url, { recordType: 'TYPE41', name: 'bytes', value: '\\# 0' })
  t.match(meta, { status: 400, body: { errors: [{ path: '/recordType', code: 'type_unknown' }] } })
  t.match(await admin.get(`${url}?type=TYPE65534`), { body: { total: 1 } })
})

void t.test('names that a type is allowed at', async (t) => {
  const ds = typeOf('DS').example
  t.match(await admin.post(url, { recordType: 'DS', name: '@', value: ds }), {
    status: 400,
    body: { errors: [{ path: '/name', code: 'not_at_apex' }] },
  })
  t.match(await admin.post(url, { recordType: 'DNSKEY', name: 'www', value: typeOf('DNSKEY').example }), {
    status: 400,
    body: { errors: [{ path: '/name', code: 'only_at_apex' }] },
  })
  t.match(await admin.post(url, { recordType: 'ZONEMD', name: '@', value: typeOf('ZONEMD').example }), {
    status: 400,
    body: { errors: [{ path: '/recordType', code: 'type_read_only' }] },
  })
  await zone.add('DNAME', 'tree', 'other.example.net')
  t.match(await admin.post(url, { recordType: 'DNAME', name: 'tree', value: 'b.example.net' }), {
    status: 409,
    body: { detail: /one DNAME/ },
  })
  t.match(await admin.post(url, { recordType: 'CNAME', name: 'tree', value: 'b.example.net' }), {
    status: 409,
  })
  t.match(await admin.post(url, { recordType: 'A', name: 'leaf.tree', value: '192.0.2.1' }), {
    status: 201,
    body: { warnings: [/the DNAME of tree redirects/] },
  })
  await zone.add('A', 'x.later', '192.0.2.1')
  t.match(await admin.post(url, { recordType: 'DNAME', name: 'later', value: 'b.example.net' }), {
    status: 201,
    body: { warnings: [/hides 1 records below it, such as x.later A/] },
  })
})

void t.test('insecure settings give warnings', async (t) => {
  const sha1 = `1 7 1 ${'ab'.repeat(20)}`
  const made = await admin.post(url, { recordType: 'DS', name: 'old', value: sha1 })
  t.match(made, {
    status: 201,
    body: { warnings: [/algorithm 7 is no longer safe/, /SHA-1 is no longer safe/] },
  })
})
