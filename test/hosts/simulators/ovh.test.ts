import t from 'tap'
import dialect, { ovhSignature } from '../../conformance/simulators/ovh.ts'
import { startSimulator } from '../../conformance/simulators/simulator.ts'

const sim = await startSimulator(dialect)
t.teardown(() => sim.close())
sim.createZone('example.test')

interface Signed {
  key?: string
  secret?: string
  consumer?: string
  ahead?: number
  headers?: Record<string, string>
  at?: typeof sim
}
async function call(
  method: string,
  path: string,
  content?: unknown,
  { key, secret, consumer, ahead = 3600, headers = {}, at = sim }: Signed = {},
) {
  const url = `${at.apiUrl}${path}`
  const body = content === undefined ? '' : JSON.stringify(content)
  const timestamp = String(Math.floor(Date.now() / 1000) + ahead)
  const consumerKey = consumer ?? at.consumerKey
  const answer = await fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-ovh-application': key ?? at.applicationKey,
      'x-ovh-consumer': consumerKey,
      'x-ovh-timestamp': timestamp,
      'x-ovh-signature': ovhSignature(secret ?? at.applicationSecret, consumerKey, {
        method,
        url,
        body,
        timestamp,
      }),
      ...headers,
    },
    ...(body === '' ? {} : { body }),
  })
  t.ok(answer.headers.get('x-ovh-queryid'))
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}
const refused = (status: number, name: string, message = /./) => ({
  status,
  body: { class: `Client::${name}`, message },
})
const path = '/domain/zone/example.test/record'
const idOf = ({ body }: { body: unknown }) => (body as { id: number }).id

void t.test('the signature is that of the vectors', async (t) => {
  const signature = ovhSignature('APPSECRET', 'CONSUMERKEY', {
    method: 'POST',
    url: 'https://eu.api.ovh.com/1.0/domain/zone/example.com/record',
    body: '{"fieldType":"A","subDomain":"www","target":"192.0.2.1","ttl":3600}',
    timestamp: '1700000000',
  })
  t.equal(signature, '$1$8e9a1a3e3195cfaee7805d9a6c3591cb44952e51')
})

void t.test('keys, and a clock of its own', async (t) => {
  const told = (signed: Signed) => call('GET', '/me', undefined, signed)
  t.equal((await told({})).status, 200)
  const time = await fetch(`${sim.apiUrl}/auth/time`)
  t.ok(Number(await time.text()) > Date.now() / 1000 + 3500, 'told without a key')
  t.match(await told({ ahead: 0 }), { status: 400, body: { errorCode: 'QUERY_TIME_OUT' } })
  t.match(await told({ key: 'no' }), refused(403, 'Forbidden', /application key is invalid/))
  t.match(await told({ consumer: 'no' }), { status: 403, body: { errorCode: 'INVALID_CREDENTIAL' } })
  t.match(await told({ secret: 'no' }), refused(400, 'BadRequest', /Invalid signature/))
  t.match(await told({ headers: { 'x-ovh-consumer': '' } }), {
    status: 401,
    body: { errorCode: 'NOT_CREDENTIAL' },
  })
  const reader = { consumer: sim.readerKey }
  t.equal((await call('GET', path, undefined, reader)).status, 200)
  t.match(await call('POST', path, {}, reader), { status: 403, body: { errorCode: 'NOT_GRANTED_CALL' } })
})

void t.test('what is refused', async (t) => {
  const told = (body: object) =>
    call('POST', path, { fieldType: 'A', subDomain: 'x', target: '192.0.2.1', ...body })
  t.match(await told({ ttl: 59 }), refused(400, 'BadRequest', /ttl/))
  t.match(await told({ target: 'no' }), refused(400, 'BadRequest', /target/))
  t.match(await told({ fieldType: 'ALIAS' }), refused(400, 'BadRequest', /fieldType/))
  t.match(await told({ subDomain: '@' }), refused(400, 'BadRequest', /subDomain/))
  t.match(await told({ name: 'x' }), refused(400, 'BadRequest', /not described parameters: \(name\)/))
  const relative = await told({ fieldType: 'CNAME', target: 'docs' })
  t.match(relative, { status: 200, body: { target: 'docs' } })
  t.match(await told({}), refused(409, 'Conflict'))
  t.match(await call('PUT', `${path}/${idOf(relative)}`, { fieldType: 'A' }), refused(400, 'BadRequest'))
})
