import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { absoluteName, relativeName } from '../../../dns/names/names.ts'
import { typeOf } from '../../../dns/types/index.ts'
import { delayOf } from '../subjects/subject-jobs.ts'
import { Refused, isBody, json, type Body } from './answers.ts'
import { defineDialect, type Call, type Simulator } from './dialect.ts'
import { sha256 } from './signatures.ts'
import {
  GoogleZone,
  JSON_TYPE,
  alreadyExists,
  invalid,
  missing,
  refusal,
  required,
  type GoogleChange,
  type GoogleRRset,
} from './google-zone.ts'
import { isWrite, type SimulatorAnswer, type SimulatorRequest } from './server.ts'

interface Keys extends Record<string, string> {
  project: string
  /** The private keys of an account that may do everything, and of one that may read. */
  writer: string
  reader: string
}
type GoogleCall = Call<GoogleZone, Keys>
type GoogleSimulator = Simulator<GoogleZone, Keys>

const PROJECT = 'fake-project'
const SCOPE = 'https://www.googleapis.com/auth/'
const WRITE_SCOPES = [`${SCOPE}ndev.clouddns.readwrite`, `${SCOPE}cloud-platform`]
export const READ_SCOPE = `${SCOPE}ndev.clouddns.readonly`
const HOUR = 3600
/** Seconds that a clock may be wrong. */
const SKEW = 300
/** How tokens begin. */
const TOKEN = 'ya29.c.'
/** What is given where `maxResults` says nothing, and at most: how many the real one gives is not documented. */
const PAGES = { usual: 100, most: 1000 }
const TIMES =
  'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.'

const ok = (value: unknown) => json(200, value, JSON_TYPE)
const notFound = refusal(404, 'notFound', 'Not Found')
const forbidden = refusal(403, 'forbidden', 'Forbidden')
const unauthenticated = refusal(
  401,
  'authError',
  'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
  {
    status: 'UNAUTHENTICATED',
    headers: { 'www-authenticate': 'Bearer realm="https://accounts.google.com/"' },
  },
)
const rateLimited = refusal(
  429,
  'rateLimitExceeded',
  "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service 'dns.googleapis.com'.",
)

const newKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })

const emailOf = (name: string) => `${name}@${PROJECT}.iam.gserviceaccount.com`

/** A service account's key, as it is downloaded. */
export function accountOf(sim: Keys & { loginUrl: string }, name: 'writer' | 'reader') {
  return {
    type: 'service_account',
    project_id: PROJECT,
    private_key_id: sha256(sim[name]).slice(0, 40),
    private_key: sim[name],
    client_email: emailOf(name),
    token_uri: `${sim.loginUrl}/token`,
  }
}
export type ServiceAccountKey = ReturnType<typeof accountOf>

const denied = (error: string, error_description: string) =>
  new Refused(json(400, { error, error_description }))

/** Gives access tokens to service accounts (RFC 7523). */
function login({ method, path, headers, body }: SimulatorRequest, sim: GoogleSimulator): SimulatorAnswer {
  if (path !== '/token' || method !== 'POST') throw new Refused({ status: 404 })
  if (!String(headers['content-type']).startsWith('application/x-www-form-urlencoded'))
    throw denied('invalid_request', 'The body must be a form')
  const form = new URLSearchParams(body)
  const grantType = form.get('grant_type')
  if (grantType !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
    throw denied('unsupported_grant_type', `Invalid grant_type: ${grantType}`)
  const access_token = sim.tokens.give(holderOf(form.get('assertion') ?? '', sim), TOKEN)
  return json(200, { access_token, expires_in: sim.tokens.seconds, token_type: 'Bearer' })
}

/** The account that signed the assertion, with the scopes that it wants. */
function holderOf(assertion: string, sim: GoogleSimulator): string {
  const [head = '', payload = '', signature = ''] = assertion.split('.')
  const [header, claims] = [readPart(head), readPart(payload)]
  if (header === null || claims === null) throw denied('invalid_request', 'Bad Request')
  const accounts = [accountOf(sim, 'writer'), accountOf(sim, 'reader')]
  const key = accounts.find(({ client_email }) => client_email === claims['iss'])
  if (key === undefined) throw denied('invalid_grant', 'Invalid grant: account not found')
  const isOfKey = (header['kid'] ?? key.private_key_id) === key.private_key_id
  const signed = Buffer.from(`${head}.${payload}`)
  const isSigned =
    header['alg'] === 'RS256' &&
    verify('RSA-SHA256', signed, createPublicKey(key.private_key), Buffer.from(signature, 'base64url'))
  if (!isOfKey || !isSigned) throw denied('invalid_grant', 'Invalid JWT Signature.')
  if (claims['aud'] !== key.token_uri)
    throw denied(
      'invalid_grant',
      `Invalid JWT: Failed audience check. The right audience is ${key.token_uri}`,
    )
  const [from, to, now] = [Number(claims['iat']), Number(claims['exp']), Date.now() / 1000]
  if (!(from <= now + SKEW && to > now - SKEW && to > from && to - from <= HOUR))
    throw denied('invalid_grant', TIMES)
  const scopes = String(claims['scope'])
  if (!scopes.split(' ').every((scope) => scope === READ_SCOPE || WRITE_SCOPES.includes(scope)))
    throw denied('invalid_scope', 'Invalid OAuth scope or ID token audience provided.')
  return `${key.client_email} ${scopes}`
}

/** A part of a JWT; null: not JSON. */
function readPart(part: string): Body | null {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Body
  } catch {
    return null
  }
}

function authenticate(request: SimulatorRequest, sim: GoogleSimulator): void {
  const holder = sim.tokens.holderOf(request)
  if (holder === undefined) throw unauthenticated
  const [email, ...scopes] = holder.split(' ')
  if (isWrite(request) && !scopes.some((scope) => WRITE_SCOPES.includes(scope)))
    throw refusal(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.')
  if (isWrite(request) && email === emailOf('reader')) throw forbidden
  const [, project] = /\/projects\/([^/]+)/.exec(request.path) ?? []
  if (project !== undefined && project !== PROJECT) throw missing('parameters.project', project)
}

const QUOTA = {
  kind: 'dns#quota',
  managedZones: 10_000,
  rrsetsPerManagedZone: 10_000,
  rrsetAdditionsPerChange: 1000,
  rrsetDeletionsPerChange: 1000,
}

const shownZone = ({ id, slug, dnsName, description, creationTime, nameServers, isSigned }: GoogleZone) => ({
  kind: 'dns#managedZone',
  id,
  name: slug,
  dnsName,
  description,
  nameServers,
  creationTime,
  visibility: 'public',
  dnssecConfig: {
    kind: 'dns#managedZoneDnsSecConfig',
    state: isSigned ? 'on' : 'off',
    nonExistence: 'nsec3',
  },
  cloudLoggingConfig: { kind: 'dns#managedZoneCloudLoggingConfig' },
})

const shownSet = (rrset: GoogleRRset) => ({ kind: 'dns#resourceRecordSet', ...rrset })

const shownChange = ({ additions, deletions, ...change }: GoogleChange, status: 'pending' | 'done') => ({
  kind: 'dns#change',
  ...(additions.length > 0 && { additions: additions.map(shownSet) }),
  ...(deletions.length > 0 && { deletions: deletions.map(shownSet) }),
  ...change,
  status,
  isServing: status === 'done',
})

/** The page that `pageToken` asks for, with the token of the next one, which means nothing to others. */
function page({ query }: GoogleCall, collection: string, kind: string, all: unknown[]): SimulatorAnswer {
  const size = Number(query.get('maxResults') ?? PAGES.usual)
  const token = query.get('pageToken')
  const at = token === null ? 0 : Number(Buffer.from(token, 'base64url').toString().replace(/^at /, ''))
  if (!Number.isInteger(size) || size < 1) throw invalid('parameters.maxResults', size)
  if (!Number.isInteger(at)) throw invalid('parameters.pageToken', token)
  const end = at + Math.min(size, PAGES.most)
  const next = Buffer.from(`at ${end}`).toString('base64url')
  return ok({ kind, [collection]: all.slice(at, end), ...(end < all.length && { nextPageToken: next }) })
}

/** Another zone of the same DNS name is made; of the same slug is not. */
function createZone({ body, sim, zones }: GoogleCall): SimulatorAnswer {
  const { name, dnsName, description } = isBody(body) ? body : {}
  for (const [field, value] of Object.entries({ name, dnsName, description }))
    if (typeof value !== 'string') throw required(`entity.managedZone.${field}`)
  const slug = String(name)
  if (!/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/.test(slug)) throw invalid('entity.managedZone.name', name)
  if (!/^([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)+$/.test(String(dnsName)))
    throw invalid('entity.managedZone.dnsName', dnsName)
  if (zones.some((zone) => zone.slug === slug)) throw alreadyExists('entity.managedZone', slug)
  return ok(shownZone(sim.createZone(slug, { slug, dnsName, description })))
}

/** Turns signing on or off. */
function patchZone({ body, zone }: GoogleCall): SimulatorAnswer {
  const config = isBody(body) ? body['dnssecConfig'] : undefined
  const state = isBody(config) ? config['state'] : undefined
  if (state !== undefined && state !== 'on' && state !== 'off')
    throw invalid('entity.managedZone.dnssecConfig.state', state)
  const oldValue = shownZone(zone)
  if (state !== undefined) zone.isSigned = state === 'on'
  const zoneContext = { oldValue, newValue: shownZone(zone) }
  return ok({ kind: 'dns#operation', id: `op-${zone.id}`, type: 'update', status: 'done', zoneContext })
}

function deleteZone({ zone, sim }: GoogleCall): SimulatorAnswer {
  if (!zone.isEmpty) {
    const reason = `The resource named '${zone.slug}' cannot be deleted because it contains one or more 'resource records'.`
    throw refusal(400, 'containerNotEmpty', reason)
  }
  sim.deleteZone(zone.name)
  return { status: 204 }
}

function listSets(call: GoogleCall): SimulatorAnswer {
  const [name, type] = [call.query.get('name'), call.query.get('type')]
  if (name === null && type !== null) throw refusal(400, 'required', 'Required parameter is missing: name')
  const found = call.zone.rrsets.filter(
    (rrset) => (name ?? rrset.name).toLowerCase() === rrset.name && (type ?? rrset.type) === rrset.type,
  )
  return page(call, 'rrsets', 'dns#resourceRecordSetsListResponse', found.map(shownSet))
}

function askChange({ zone, id }: GoogleCall): SimulatorAnswer {
  const found = zone.changes.find((change) => change.id === id)
  if (found === undefined) throw missing('parameters.changeId', id)
  return ok(shownChange(found, zone.unfinished-- > 0 ? 'pending' : 'done'))
}

/** There are none while the zone is not signed. */
function listKeys({ zone }: GoogleCall): SimulatorAnswer {
  const keyOf = (id: string, type: string, keyTag: number, keyLength: number) => ({
    kind: 'dns#dnsKey',
    id,
    type,
    keyTag,
    algorithm: 'rsasha256',
    keyLength,
    isActive: true,
    publicKey: 'AwEAAagAIKlVZrpC6Ia7gEzahOR+9W29euxhJhVVLOyQbSEW0O8gcCjF',
    ...(type === 'keySigning' && {
      digests: [
        { type: 'sha256', digest: 'E2D3C916F6DEEAC73294E8268FB5885044A833FC5459588F4A9184CFC41A5766' },
      ],
    }),
  })
  const all = [keyOf('0', 'keySigning', 60_485, 2048), keyOf('1', 'zoneSigning', 12_345, 1024)]
  return ok({ kind: 'dns#dnsKeysListResponse', dnsKeys: zone.isSigned ? all : [] })
}

const ZONES = '/projects/:project/managedZones'

/** The API of Google Cloud DNS. */
export default defineDialect({
  path: '/dns/v1',
  keys: (): Keys => ({ project: PROJECT, writer: String(newKey()), reader: String(newKey()) }),
  newZone: (name, given) => new GoogleZone(name, given),
  zoneKey: ({ id, slug }) => [id, slug],
  login,
  headers: ({ tokens }) => ({
    authorization: `Bearer ${tokens.give(`${emailOf('writer')} ${WRITE_SCOPES[0]}`, TOKEN)}`,
  }),
  authenticate,
  limits: [{ option: 'rate', seconds: 60, refuse: () => rateLimited }],
  routes: {
    'GET /projects/:project': () => ok({ kind: 'dns#project', number: '1', id: PROJECT, quota: QUOTA }),
    [`GET ${ZONES}`]: (call) => {
      const dnsName = call.query.get('dnsName')
      const found = call.zones.filter((zone) => (dnsName ?? zone.dnsName) === zone.dnsName)
      return page(call, 'managedZones', 'dns#managedZonesListResponse', found.map(shownZone))
    },
    [`POST ${ZONES}`]: createZone,
    [`GET ${ZONES}/:zone`]: ({ zone }) => ok(shownZone(zone)),
    [`PATCH ${ZONES}/:zone`]: patchZone,
    [`DELETE ${ZONES}/:zone`]: deleteZone,
    [`POST ${ZONES}/:zone/changes`]: ({ zone, body }) => ok(shownChange(zone.change(body), 'pending')),
    [`GET ${ZONES}/:zone/changes/:id`]: askChange,
    [`GET ${ZONES}/:zone/dnsKeys`]: listKeys,
    [`GET ${ZONES}/:zone/rrsets`]: listSets,
    [`GET ${ZONES}/:zone/rrsets/:name/:type`]: ({ zone, params: { name = '', type = '' } }) =>
      ok(shownSet(zone.get(name, type))),
  },
  errors: {
    noRoute: notFound,
    notAllowed: notFound,
    noZone: ({ params: { zone = '' } }) => missing('parameters.managedZone', zone),
    badJson: refusal(400, 'parseError', 'Parse Error'),
  },
  suite: {
    credentials: (sim) => ({
      serviceAccount: JSON.stringify(accountOf(sim, 'writer'), null, 2),
      project: '',
    }),
    secret: 'serviceAccount',
    // Of the same account, and by a key that is not its own.
    wrong: (sim) => JSON.stringify({ ...accountOf(sim, 'writer'), private_key: sim.reader }, null, 2),
    missingZone: { id: 'missing-test', name: 'missing.test' },
    seedSets: (zone, rrsets) => {
      for (const { name, type, ttl, members } of rrsets) {
        const rrdatas = members.map(({ value }) => typeOf(type).write(value))
        zone.hold({ name: absoluteName(name, zone.dnsName), type, ttl: ttl ?? 300, rrdatas })
      }
    },
    // RRsets with a policy are none.
    held: (zone) =>
      zone.added.flatMap(({ name, type, ttl, rrdatas = [] }) =>
        rrdatas.map((rdata) => {
          const relative = relativeName(name, zone.dnsName.slice(0, -1)) ?? name
          return { name: relative, type, ttl, rdata }
        }),
      ),
    foreign: (zone) => {
      const own = (name: string, type: string) => ({ name: `${name}.${zone.dnsName}`, type, ttl: 3600 })
      const items = [
        { weight: 1, rrdatas: ['192.0.2.41'] },
        { weight: 9, rrdatas: ['192.0.2.42', '192.0.2.43'] },
      ]
      const geo = { items: [{ location: 'europe-west1', rrdatas: ['2001:db8::1'] }] }
      zone.change({
        additions: [
          { ...own('foreign', 'A'), rrdatas: ['192.0.2.1'] },
          { ...own('foreign', 'SPF'), rrdatas: ['"v=spf1 -all"'] },
          { ...own('foreign', 'AAAA'), routingPolicy: { geo } },
          { ...own('weighted', 'A'), routingPolicy: { wrr: { items } } },
          { ...own('tunnel', 'IPSECKEY'), rrdatas: ['10 0 2 . AQNRU3mG7TVTO2BkR47usntb102uFJtu'] },
        ],
      })
      // The order of values means nothing.
      return () =>
        zone.added
          .map(({ rrdatas, ...rest }) => JSON.stringify({ ...rest, rrdatas: rrdatas?.toSorted() }))
          .sort()
    },
    faults: {
      unauthorized: unauthenticated,
      forbidden,
      rateLimited,
      failure: refusal(503, 'backendError', 'Backend Error', { status: 'UNAVAILABLE' }),
      refused: (reason) => invalid(reason),
    },
    more: (_, zone) => ({ delay: delayOf(zone) }),
  },
})
