import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
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
import { startGoogleSimulator } from '../conformance/simulators/google.ts'
import { isWrite } from '../conformance/simulators/server.ts'
import { googleSubject } from '../conformance/subjects/google-subject.ts'

const [A, B, C] = ['192.0.2.1', '192.0.2.2', '192.0.2.3']

void t.test('Google Cloud DNS', async (t) => {
  const sim = await startGoogleSimulator()
  t.teardown(() => sim.close())
  const makeSubject = () => googleSubject(google, sim)
  const zoneOf = (name: string) => sim.zones().find(({ dnsName }) => dnsName === `${name}.`)
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
    const reader = await as({ serviceAccount: JSON.stringify(sim.readKey) })
    await t.resolves(reader.verify())
    await expectError(t, subject, reader.apply(zone, [edit('www', 'A', [add(A)])]), 'forbidden')
    const elsewhere = await as({ project: 'another-project' })
    t.match(await expectError(t, subject, elsewhere.verify(), 'not_found'), { message: /this project/ })
    for (const serviceAccount of ['{}', 'text', JSON.stringify({ ...sim.key, token_uri: 'nowhere' })])
      await expectError(t, subject, as({ serviceAccount }), 'auth')
    const broken = await as({ serviceAccount: JSON.stringify({ ...sim.key, private_key: 'none' }) })
    await expectError(t, subject, broken.verify(), 'auth')
    await adapter.verify()
    sim.accounts.tokens.revoke()
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
