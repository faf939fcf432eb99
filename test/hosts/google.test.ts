import { createPublicKey, createSign, generateKeyPairSync, verify } from 'node:crypto'
import t from 'tap'
import google from '../../modules/providers/adapters/google/index.ts'
import { assertionOf } from '../../modules/providers/adapters/google/service-account.ts'
import { conformance } from '../conformance/suite/index.ts'
import {
  add,
  applyEdits,
  edit,
  expectError,
  open,
  remove,
  replace,
  rrset,
  start,
} from '../conformance/suite/subject.ts'
import type { Body } from '../conformance/simulators/answers.ts'
import dialect, { READ_SCOPE, accountOf, type ServiceAccountKey } from '../conformance/simulators/google.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'
import { send, startSimulator } from '../conformance/simulators/simulator.ts'
import { isWrite } from '../conformance/simulators/server.ts'

const [A, B, C] = ['192.0.2.1', '192.0.2.2', '192.0.2.3']

void t.test('Google Cloud DNS', async (t) => {
  const { sim, makeSubject } = await simulate(t, google, dialect)
  const zoneOf = (name: string) => sim.zones.get(name)
  await conformance(t, 'conformance', makeSubject)

  await t.test('a set with a routing policy is shown, and nothing is written over it', async (t) => {
    const { subject, adapter, zone, list, apply } = await start(t, makeSubject)
    const items = [{ weight: 1, rrdatas: [A] }]
    const set = { name: `www.${subject.zoneName}.`, type: 'A', ttl: 300, routingPolicy: { wrr: { items } } }
    zoneOf(subject.zoneName)?.change({ additions: [set] })
    t.match((await list()).unmanaged, [
      { name: 'www', type: 'A', ttl: 300, value: /^routing policy .*192\.0\.2\.1/ },
    ])
    await apply([edit('www', 'A', [remove(A)])])
    const call = adapter.apply(zone, [edit('www', 'A', [add(B)])])
    t.match(await expectError(t, subject, call, 'rejected'), { message: /routing policy/ })
    await apply([edit('www', 'TXT', [add('beside it')])])
    t.match(
      zoneOf(subject.zoneName)?.rrsets.find(({ type }) => type === 'A'),
      set,
    )
  })

  await t.test('of many that change the same set at once nothing is lost', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    await subject.seed([rrset('www', 'A', [A])])
    const other = await open(t, subject)
    await Promise.all([
      applyEdits(adapter, zone, [edit('www', 'A', [add(B)])]),
      applyEdits(other, zone, [edit('www', 'A', [add(C)])]),
      applyEdits(adapter, zone, [edit('new', 'A', [add(B)])]),
      applyEdits(other, zone, [edit('new', 'A', [add(C)])]),
    ])
    t.same(await subject.dump(), [rrset('new', 'A', [B, C]), rrset('www', 'A', [A, B, C])])
  })

  await t.test('an ALIAS is of the apex', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    await apply([edit('@', 'ALIAS', [add('target.example.net')])])
    await apply([edit('@', 'ALIAS', [replace('target.example.net', 'other.example.net')])])
    t.same(await subject.dump(), [rrset('@', 'ALIAS', ['other.example.net'])])
    t.match(google.audit?.(subject.zoneName, [edit('www', 'ALIAS', [add('target.example.net')])]), [
      { edit: 0, change: 0, field: 'name', code: 'alias_apex' },
    ])
  })

  await t.test('a zone is emptied before it is deleted', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    await subject.seed(Array.from({ length: 1_201 }, (_, i) => rrset(`h${i}`, 'A', [A])))
    sim.requests.length = 0
    await adapter.deleteZone(zone)
    t.equal(zoneOf(subject.zoneName), undefined)
    t.equal(sim.requests.filter((request) => !isWrite(request)).length, 2, 'reads')
  })

  await t.test('what is wrong with the credentials is told apart', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    const as = (credentials: object) => open(t, subject, { ...subject.credentials, ...credentials })
    const reader = await as({ serviceAccount: JSON.stringify(accountOf(sim, 'reader')) })
    await t.resolves(reader.verify())
    await expectError(t, subject, reader.apply(zone, [edit('www', 'A', [add(A)])]), 'forbidden')
    const elsewhere = await as({ project: 'another-project' })
    t.match(await expectError(t, subject, elsewhere.verify(), 'not_found'), { message: /this project/ })
    const key = accountOf(sim, 'writer')
    for (const serviceAccount of ['{}', 'text', JSON.stringify({ ...key, token_uri: 'nowhere' })])
      await expectError(t, subject, as({ serviceAccount }), 'auth')
    const broken = await as({ serviceAccount: JSON.stringify({ ...key, private_key: 'none' }) })
    await expectError(t, subject, broken.verify(), 'auth')
    await adapter.verify()
    sim.tokens.revoke()
    await t.resolves(adapter.verify(), 'a token that ended early is asked for anew')
  })
})

void t.test('a claim to be the account is signed by its key', async (t) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = {
    client_email: 'dns@project.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    private_key_id: 'key-1',
    token_uri: 'https://oauth2.googleapis.com/token',
  }
  const [head = '', claims = '', signature = ''] = assertionOf(key, 1_700_000_000_500).split('.')
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
  t.same(read(head), { alg: 'RS256', typ: 'JWT', kid: 'key-1' })
  t.same(read(claims), {
    iss: key.client_email,
    scope: 'https://www.googleapis.com/auth/ndev.clouddns.readwrite',
    aud: key.token_uri,
    iat: 1_700_000_000,
    exp: 1_700_003_600,
  })
  const signed = Buffer.from(`${head}.${claims}`)
  t.ok(verify('sha256', signed, createPublicKey(privateKey), Buffer.from(signature, 'base64url')))
})

void t.test('the simulator of Google Cloud DNS', async (t) => {
  const sim = await startSimulator(dialect)
  t.teardown(() => sim.close())
  const zone = sim.createZone('example.test')
  const writer = accountOf(sim, 'writer')

  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const login = async (key: ServiceAccountKey, claims: Body = {}) => {
    const iat = Math.floor(Date.now() / 1000)
    const scope = 'https://www.googleapis.com/auth/ndev.clouddns.readwrite'
    const own = { iss: key.client_email, scope, aud: key.token_uri, iat, exp: iat + 3600, ...claims }
    const text = `${part({ alg: 'RS256', typ: 'JWT', kid: key.private_key_id })}.${part(own)}`
    const assertion = `${text}.${createSign('RSA-SHA256').update(text).sign(key.private_key, 'base64url')}`
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    const body = new URLSearchParams({ grant_type, assertion })
    const answer = await fetch(key.token_uri, { method: 'POST', body })
    return { status: answer.status, body: (await answer.json()) as { access_token: string } }
  }
  const call = (method: string, path: string, body?: unknown, by?: string, at = sim) =>
    send(at, method, `/projects/${at.project}/managedZones${path}`, body, {
      ...(by !== undefined && { authorization: `Bearer ${by}` }),
    })
  const at = '/zone-example-test'
  const change = (additions: Body[], deletions: Body[] = []) =>
    call('POST', `${at}/changes`, { additions, deletions })
  const set = (name: string, type: string, ...rrdatas: string[]) => ({
    name: `${name}.example.test.`,
    type,
    ttl: 60,
    rrdatas,
  })
  const error = (code: number, reason: string, message = /./) => ({
    status: code,
    body: { error: { code, message, errors: [{ reason, domain: 'global' }] } },
  })
  const www = set('www', 'A', A)

  await t.test('tokens are for assertions that the account signed', async (t) => {
    const refused = (reason: RegExp, code = 'invalid_grant') => ({
      status: 400,
      body: { error: code, error_description: reason },
    })
    t.match(await login(writer), { status: 200, body: { token_type: 'Bearer', expires_in: 3599 } })
    t.match(await login({ ...writer, private_key: sim.reader }), refused(/Signature/))
    t.match(await login(writer, { iss: 'nobody@x' }), refused(/account not found/))
    t.match(await login(writer, { aud: 'https://elsewhere.test' }), refused(/audience/))
    t.match(await login(writer, { iat: 0, exp: 3600 }), refused(/short-lived/))
    t.match(await login(writer, { exp: Date.now() / 1000 + 7200 }), refused(/short-lived/))
    t.match(await login(writer, { scope: 'all' }), refused(/scope/, 'invalid_scope'))
    t.match(await call('GET', '', undefined, 'none'), error(401, 'authError'))
    const reader = (await login(accountOf(sim, 'reader'))).body.access_token
    t.equal((await call('GET', '', undefined, reader)).status, 200)
    t.match(await call('DELETE', at, undefined, reader), error(403, 'forbidden'))
    const readOnly = (await login(writer, { scope: READ_SCOPE })).body.access_token
    t.match(await call('DELETE', at, undefined, readOnly), error(403, 'insufficientPermissions'))
    const brief = await startSimulator(dialect, { tokenSeconds: 0 })
    t.teardown(() => brief.close())
    const gone = (await login(accountOf(brief, 'writer'))).body.access_token
    t.match(await call('GET', '', undefined, gone, brief), error(401, 'authError'), 'it ended')
  })

  await t.test('changes: exact, whole or not at all', async (t) => {
    const pending = { kind: 'dns#change', status: 'pending', additions: [www] }
    t.match(await change([www]), { status: 200, body: pending })
    t.match(await change([www]), error(409, 'alreadyExists'))
    t.match(await change([], [{ ...www, ttl: 61 }]), error(412, 'conditionNotMet', /deletions\[0\]/))
    t.match(await change([], [set('x', 'A', A)]), error(404, 'notFound', /deletions\[0\]/))
    const alias = set('www', 'CNAME', 'a.example.net.')
    t.match(await change([set('new', 'A', A), alias]), error(400, 'cnameResourceRecordSetConflict'))
    t.match(await call('GET', `${at}/rrsets/new.example.test./A`), error(404, 'notFound'), 'nothing of it')
    t.match(await change([alias], [www]), { status: 200 })
    for (const [wrong, field] of [
      [set('t', 'CNAME', 'relative'), /rrdatas/],
      [set('t', 'TXT', 'x'), /rrdatas/],
      [set('t', 'TXT', '"ü"'), /rrdatas/],
      [set('t', 'A', A, A), /rrdatas/],
      [set('t', 'LOC', 'x'), /type/],
      [{ ...www, name: 'a.test.' }, /name/],
      [{ ...www, ttl: undefined }, /ttl/],
      [{ ...www, routingPolicy: { wrr: {} } }, /rrdatas/],
    ] as const)
      t.match(await change([wrong]), error(400, 'invalid', field))
    t.match(await change([]), error(400, 'required'))
    const many = Array.from({ length: 1001 }, (_, i) => set(`h${i}`, 'A', A))
    t.match(await change(many), error(400, 'invalid', /maximum size 1000/))
    const apex = zone.get('example.test.', 'NS')
    t.match(await change([], [{ ...apex }]), error(400, 'invalidZoneApex'))
    t.match(await change([{ ...apex, ttl: 60 }], [{ ...apex }]), { status: 200 })
  })

  await t.test('pages, and a policy in place of data', async (t) => {
    const long = sim.createZone('long.test')
    const hosts = Array.from({ length: 250 }, (_, i) => `h${i}.long.test.`)
    long.change({ additions: hosts.map((name) => ({ ...www, name })) })
    const routingPolicy = { wrr: { items: [{ weight: 1, rrdatas: [A] }] } }
    long.change({ additions: [{ name: 'w.long.test.', type: 'A', ttl: 60, routingPolicy }] })
    const path = '/zone-long-test/rrsets'
    const read = async (query: string) =>
      (await call('GET', `${path}${query}`)).body as { rrsets: Body[]; nextPageToken?: string }
    t.equal((await read('')).rrsets.length, 100)
    const lengths: number[] = []
    for (let next: string | undefined = ''; next !== undefined;) {
      const { rrsets, nextPageToken } = await read(`?maxResults=200${next && `&pageToken=${next}`}`)
      lengths.push(rrsets.length)
      next = nextPageToken
    }
    t.same(lengths, [200, 53])
    t.match((await read('?name=w.long.test.&type=A')).rrsets, [{ routingPolicy, rrdatas: undefined }])
    t.match(await call('GET', `${path}?type=A`), error(400, 'required', /name/))
  })
})
