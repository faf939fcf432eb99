import { createSign } from 'node:crypto'
import t from 'tap'
import type { Body } from '../../conformance/simulators/answers.ts'
import { SCOPES, type ServiceAccountKey } from '../../conformance/simulators/google-accounts.ts'
import type { GoogleRRset } from '../../conformance/simulators/google-zone.ts'
import { startGoogleSimulator } from '../../conformance/simulators/google.ts'

const sim = await startGoogleSimulator()
t.teardown(() => sim.close())
const zone = sim.createZone('example.test')

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const assertionOf = (key: ServiceAccountKey, claims: Body = {}) => {
  const iat = Math.floor(Date.now() / 1000)
  const own = { iss: key.client_email, scope: SCOPES[0], aud: key.token_uri, iat, exp: iat + 3600 }
  const text = `${part({ alg: 'RS256', typ: 'JWT', kid: key.private_key_id })}.${part({ ...own, ...claims })}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key.private_key, 'base64url')}`
}
const login = async (key = sim.key, claims: Body = {}) => {
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: assertionOf(key, claims),
  })
  const answer = await fetch(key.token_uri, { method: 'POST', body })
  return { status: answer.status, body: (await answer.json()) as { access_token: string } }
}
const token = (await login()).body.access_token

interface Answer {
  id?: string
  rrsets?: GoogleRRset[]
  nextPageToken?: string
}
const call = async (method: string, path: string, body?: unknown, by = token, at = sim) => {
  const headers = { authorization: `Bearer ${by}`, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const url = `${at.apiUrl}/projects/${at.project}/managedZones${path}`
  const answer = await fetch(url, { method, headers, ...init })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Answer }
}
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
const A = set('www', 'A', '192.0.2.1')

void t.test('tokens are for assertions that the account signed', async (t) => {
  const refused = (reason: RegExp, code = 'invalid_grant') => ({
    status: 400,
    body: { error: code, error_description: reason },
  })
  t.match(await login(), { status: 200, body: { token_type: 'Bearer', expires_in: 3599 } })
  t.match(await login({ ...sim.key, private_key: sim.readKey.private_key }), refused(/Signature/))
  t.match(await login(sim.key, { iss: 'nobody@x' }), refused(/account not found/))
  t.match(await login(sim.key, { aud: 'https://elsewhere.test' }), refused(/audience/))
  t.match(await login(sim.key, { iat: 0, exp: 3600 }), refused(/short-lived/))
  t.match(await login(sim.key, { exp: Date.now() / 1000 + 7200 }), refused(/short-lived/))
  t.match(await login(sim.key, { scope: 'all' }), refused(/scope/, 'invalid_scope'))
  t.match(await call('GET', '', undefined, 'none'), error(401, 'authError'))
  const reader = (await login(sim.readKey)).body.access_token
  t.equal((await call('GET', '', undefined, reader)).status, 200)
  t.match(await call('DELETE', at, undefined, reader), error(403, 'forbidden'))
  const readOnly = (await login(sim.key, { scope: SCOPES[1] })).body.access_token
  t.match(await call('DELETE', at, undefined, readOnly), error(403, 'insufficientPermissions'))
  const brief = await startGoogleSimulator({ tokenSeconds: 0 })
  t.teardown(() => brief.close())
  const gone = (await login(brief.key)).body.access_token
  t.match(await call('GET', '', undefined, gone, brief), error(401, 'authError'), 'it ended')
})

void t.test('changes: exact, whole or not at all', async (t) => {
  t.match(await change([A]), { status: 200, body: { kind: 'dns#change', status: 'pending', additions: [A] } })
  t.match(await change([A]), error(409, 'alreadyExists'))
  t.match(await change([], [{ ...A, ttl: 61 }]), error(412, 'conditionNotMet', /deletions\[0\]/))
  t.match(await change([], [set('x', 'A', '192.0.2.1')]), error(404, 'notFound', /deletions\[0\]/))
  const alias = set('www', 'CNAME', 'a.example.net.')
  t.match(await change([set('new', 'A', '192.0.2.1'), alias]), error(400, 'cnameResourceRecordSetConflict'))
  t.match(await call('GET', `${at}/rrsets/new.example.test./A`), error(404, 'notFound'), 'nothing of it')
  t.match(await change([alias], [A]), { status: 200 })
  for (const [wrong, field] of [
    [set('t', 'CNAME', 'relative'), /rrdatas/],
    [set('t', 'TXT', 'x'), /rrdatas/],
    [set('t', 'TXT', '"ü"'), /rrdatas/],
    [set('t', 'A', '192.0.2.1', '192.0.2.1'), /rrdatas/],
    [set('t', 'LOC', 'x'), /type/],
    [{ ...A, name: 'a.test.' }, /name/],
    [{ ...A, ttl: undefined }, /ttl/],
    [{ ...A, routingPolicy: { wrr: {} } }, /rrdatas/],
  ] as const)
    t.match(await change([wrong]), error(400, 'invalid', field))
  t.match(await change([]), error(400, 'required'))
  const many = Array.from({ length: 1001 }, (_, i) => set(`h${i}`, 'A', '192.0.2.1'))
  t.match(await change(many), error(400, 'invalid', /maximum size 1000/))
  const apex = zone.get('example.test.', 'NS')
  t.match(await change([], [{ ...apex }]), error(400, 'invalidZoneApex'))
  t.match(await change([{ ...apex, ttl: 60 }], [{ ...apex }]), { status: 200 })
})

void t.test('pages, and a policy in place of data', async (t) => {
  const long = sim.createZone('long.test')
  const hosts = Array.from({ length: 250 }, (_, i) => `h${i}.long.test.`)
  long.change({ additions: hosts.map((name) => ({ ...A, name })) })
  const routingPolicy = { wrr: { items: [{ weight: 1, rrdatas: ['192.0.2.1'] }] } }
  long.change({ additions: [{ name: 'w.long.test.', type: 'A', ttl: 60, routingPolicy }] })
  const path = '/zone-long-test/rrsets'
  t.equal((await call('GET', path)).body.rrsets?.length, 100)
  const lengths: (number | undefined)[] = []
  for (let next: string | undefined = ''; next !== undefined;) {
    const { body } = await call('GET', `${path}?maxResults=200${next && `&pageToken=${next}`}`)
    lengths.push(body.rrsets?.length)
    next = body.nextPageToken
  }
  t.same(lengths, [200, 53])
  const found = await call('GET', `${path}?name=w.long.test.&type=A`)
  t.match(found.body.rrsets, [{ routingPolicy, rrdatas: undefined }])
  t.match(await call('GET', `${path}?type=A`), error(400, 'required', /name/))
})
