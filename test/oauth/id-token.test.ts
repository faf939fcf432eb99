import t from 'tap'
import { startIssuer, type Lies } from './simulators/issuer.ts'
import { CLIENT_ID, startService } from './helpers/service.ts'

/* An issuer that breaks one rule at a time. Each ends in `provider_error`, makes nothing, and a good sign-in works right after. */

const service = await startService(t)
const { db } = service.database
const issuer = await startIssuer(t)
const { id } = await service.configure('oidc', { wellKnownUrl: issuer.wellKnownUrl })

/** Trying a configuration reads the discovery document anew. */
const renewDocument = () => service.admin.post(`/api/oauth/providers/${id}/test`)

const made = async () => {
  const { count } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const seconds = () => Math.floor(Date.now() / 1000)

const LIES: Record<string, Lies> = {
  '39. signature of another key': { idToken: (token) => issuer.forge(token) },
  '39. signature cut off': { idToken: (token) => token.slice(0, token.lastIndexOf('.') + 1) },
  '39. claims changed after signing': {
    idToken: (token) => {
      const [header, claims, signature] = token.split('.')
      const changed = { ...JSON.parse(Buffer.from(claims ?? '', 'base64url').toString()), sub: 'root' }
      return [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.')
    },
  },
  '39. algorithm none': { header: (header) => ({ ...header, alg: 'none' }) },
  '39. algorithm HS256 with the client secret': { header: (header) => ({ ...header, alg: 'HS256' }) },
  '39. algorithm HS256, also when announced': {
    header: (header) => ({ ...header, alg: 'HS256' }),
    document: (document) => ({ ...document, id_token_signing_alg_values_supported: ['HS256', 'none'] }),
  },
  '39. algorithm that was not announced': { header: (header) => ({ ...header, alg: 'RS512' }) },
  '13. a key in the header of the token': {
    header: (header) => ({ ...header, jku: `${issuer.issuer}/jwks`, kid: 'elsewhere' }),
  },
  '39. another audience': { claims: (claims) => ({ ...claims, aud: 'somebody-else' }) },
  '39. several audiences without azp': { claims: (claims) => ({ ...claims, aud: [CLIENT_ID, 'other'] }) },
  '39. azp of another client': { claims: (claims) => ({ ...claims, azp: 'other' }) },
  '39. another issuer': { claims: (claims) => ({ ...claims, iss: 'https://evil.example' }) },
  '39. issuer with a slash too many': { claims: (claims) => ({ ...claims, iss: `${issuer.issuer}/` }) },
  '38. another nonce': { claims: (claims) => ({ ...claims, nonce: 'of-another-flow' }) },
  '38. no nonce': { claims: ({ nonce: _nonce, ...claims }) => claims },
  '39. expired': { claims: (claims) => ({ ...claims, exp: seconds() - 120 }) },
  '39. not valid yet': { claims: (claims) => ({ ...claims, nbf: seconds() + 600 }) },
  '39. no expiry': { claims: ({ exp: _exp, ...claims }) => claims },
  '39. no time of issue': { claims: ({ iat: _iat, ...claims }) => claims },
  '42. no subject': { claims: ({ sub: _sub, ...claims }) => claims },
  '42. an empty subject': {
    claims: (claims) => ({ ...claims, sub: '' }),
    userInfo: (info) => ({ ...info, sub: '' }),
  },
  'no ID token': { idToken: () => undefined },
  'an ID token that is no JWT': { idToken: () => 'nonsense' },
  '41. user info of another subject': { userInfo: (info) => ({ ...info, sub: 'root' }) },
  '41. user info without a subject': { userInfo: ({ sub: _sub, ...info }) => info },
  '37. iss of another issuer': { callback: (query) => query.set('iss', 'https://evil.example') },
  '37. iss twice': { callback: (query) => query.append('iss', issuer.issuer) },
  '37. iss missing although announced': { callback: (query) => query.delete('iss') },
  'code twice': { callback: (query) => query.append('code', 'another') },
  'code missing': { callback: (query) => query.delete('code') },
  'code wrong': { callback: (query) => query.set('code', 'made-up') },
  'an ID token in the query': { callback: (query) => query.set('id_token', 'x.y.z') },
  'an error and a code': { callback: (query) => query.set('error', 'server_error') },
}

for (const [name, lies] of Object.entries(LIES)) {
  void t.test(name, async (t) => {
    const before = await made()
    issuer.person = { ...issuer.person, sub: name, email: `p${before}-${name.length}@example.test` }
    issuer.lies = lies
    if (lies.document) await renewDocument()
    t.same(await service.authorize('oidc'), { error: 'provider_error' })
    t.equal(await made(), before, 'nobody was added')
    issuer.lies = {}
    if (lies.document) await renewDocument()
    t.ok((await service.authorize('oidc'))['ticket'], 'a good sign-in works right after')
    t.equal(await made(), before + 1)
  })
}

void t.test('37. iss is not needed where it is not announced', async (t) => {
  issuer.lies = {
    document: ({ authorization_response_iss_parameter_supported: _announced, ...document }) => document,
    callback: (query) => query.delete('iss'),
  }
  await renewDocument()
  t.ok((await service.authorize('oidc'))['ticket'])
  issuer.lies = {}
  await renewDocument()
})

void t.test('keys are kept, and fetched anew for a key id that is not known', async (t) => {
  await service.enter('oidc')
  const before = issuer.keyFetches()
  await service.enter('oidc')
  t.equal(issuer.keyFetches(), before, 'kept')
  issuer.rotateKey()
  t.ok((await service.authorize('oidc'))['ticket'], 'the new key counts at once')
  t.equal(issuer.keyFetches(), before + 1)
})

void t.test('the discovery document is kept too', async (t) => {
  const fetches = () => issuer.requests.filter(({ path }) => path.startsWith('/.well-known')).length
  const before = fetches()
  await service.enter('oidc')
  await service.enter('oidc')
  t.equal(fetches(), before)
})

void t.test('an address changed at the provider is no word for the one before', async (t) => {
  issuer.person = { sub: 'quinn', email: 'quinn@example.test', email_verified: true, name: 'Quinn' }
  issuer.lies = { userInfo: () => ({ sub: 'quinn', email: 'victim@example.test' }) }
  const { user } = await service.enter('oidc')
  t.equal(user.email, null)
  issuer.lies = {}
})

void t.test('names and pictures are cleaned', async (t) => {
  issuer.person = {
    sub: 'riley',
    name: 'Ri\r\nley\u0007',
    picture: 'javascript:alert(1)',
    preferred_username: '../../Ünïcode Name',
  }
  const { user } = await service.enter('oidc')
  t.equal(user.username, 'unicode-name')
  const row = await db
    .selectFrom('oauth_identities')
    .selectAll()
    .where('subject', '=', 'riley')
    .executeTakeFirstOrThrow()
  t.match(row, { display_name: 'Ri ley', avatar: null, email: null })
})
