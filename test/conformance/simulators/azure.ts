import { randomUUID } from 'node:crypto'
import { Refused, isBody, json, type Body } from './answers.ts'
import { FORMS, meaningOf, propertiesOf, rdataOf, recordsOf } from './azure-records.ts'
import {
  AzureZone,
  GROUP,
  SUBSCRIPTION,
  answer,
  badRequest,
  bare,
  checkConditions,
  empty,
  notFound,
  refusal,
  type AzureSet,
} from './azure-zone.ts'
import { isInteger, isZoneName, textKey } from './checks.ts'
import { defineDialect, type Call, type Simulator } from './dialect.ts'
import { isWrite, type SimulatorAnswer, type SimulatorRequest } from './server.ts'

const RESOURCE = 'https://management.azure.com'
/** How tokens begin. */
const TOKEN = 'eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.'
const VERSIONS = ['2018-05-01', '2023-07-01-preview']
/** What is given where `$top` says nothing, and at most: how many `$top` may ask for is not documented. */
const PAGES = { usual: 100, most: 1000 }
const DIGEST = 'E2D3C916F6DEEAC73294E8268FB5885044A833FC5459588F4A9184CFC41A5766'

const unknownType = (type: string) =>
  refusal(400, 'InvalidResourceType', `The resource type '${type}' could not be found.`)
const unauthenticated = refusal(
  401,
  'InvalidAuthenticationToken',
  'The access token is missing, invalid or expired.',
  {
    'www-authenticate':
      'Bearer authorization_uri="https://login.windows.net/", error="invalid_token", error_description="The access token is invalid."',
  },
)
const unauthorized = (client: string, action: string, scope: string) =>
  refusal(
    403,
    'AuthorizationFailed',
    `The client '${client}' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid.`,
  )
const throttled = (seconds: number) =>
  refusal(429, 'TooManyRequests', 'The request is being throttled as the limit has been reached.', {
    'retry-after': String(seconds),
  })

interface Keys extends Record<string, string> {
  tenantId: string
  subscriptionId: string
  resourceGroup: string
  clientId: string
  clientSecret: string
  /** Of an application that may read. */
  readerId: string
  readerSecret: string
}
type AzureCall = Call<AzureZone, Keys>

const denied = (status: number, error: string, code: number, description: string) =>
  new Refused(
    json(status, { error, error_description: `AADSTS${code}: ${description}`, error_codes: [code] }),
  )

/** Where applications of a tenant get their tokens (RFC 6749 section 4.4), by its first version and by its second. */
function login(request: SimulatorRequest, sim: Simulator<AzureZone, Keys>): SimulatorAnswer {
  const [, tenant, version] = /^\/([^/]+)\/oauth2\/(v2\.0\/)?token$/.exec(request.path) ?? []
  if (tenant === undefined || request.method !== 'POST') throw new Refused({ status: 404 })
  if (tenant !== sim.tenantId) throw denied(400, 'invalid_request', 90_002, `Tenant '${tenant}' not found.`)
  if (!String(request.headers['content-type']).startsWith('application/x-www-form-urlencoded'))
    throw denied(400, 'invalid_request', 900_144, 'The request body must be a form.')
  const form = Object.fromEntries(new URLSearchParams(request.body))
  const { grant_type, client_id = '', client_secret, resource, scope } = form
  if (grant_type !== 'client_credentials')
    throw denied(400, 'unsupported_grant_type', 70_003, `The grant type '${grant_type}' is not supported.`)
  const secret = new Map([
    [sim.clientId, sim.clientSecret],
    [sim.readerId, sim.readerSecret],
  ]).get(client_id)
  if (secret === undefined)
    throw denied(400, 'unauthorized_client', 700_016, 'Application was not found in the directory.')
  if (secret !== client_secret)
    throw denied(401, 'invalid_client', 7_000_215, 'Invalid client secret provided.')
  const isFirst = version === undefined
  if ((isFirst ? resource?.replace(/\/$/, '') : scope) !== (isFirst ? RESOURCE : `${RESOURCE}/.default`))
    throw denied(400, 'invalid_resource', 500_011, 'The resource principal was not found in the tenant.')
  const { seconds } = sim.tokens
  const access_token = sim.tokens.give(client_id, TOKEN)
  // In the first version numbers are texts.
  const expires = isFirst ? String(seconds) : seconds
  const more = isFirst ? { resource: RESOURCE } : {}
  return json(200, {
    token_type: 'Bearer',
    access_token,
    expires_in: expires,
    ext_expires_in: expires,
    ...more,
  })
}

/** In this order: the token, what its owner may do, the version, and where the zones are. */
function authenticate(request: SimulatorRequest, sim: Simulator<AzureZone, Keys>): void {
  const { path, query } = request
  const client = sim.tokens.holderOf(request)
  if (client === undefined) throw unauthenticated
  if (client === sim.readerId && isWrite(request))
    throw unauthorized(client, 'Microsoft.Network/dnsZones/write', path)
  const version = query.get('api-version')
  if (version === null)
    throw refusal(
      400,
      'MissingApiVersionParameter',
      'The api-version query parameter (?api-version=) is required for all requests.',
    )
  if (!VERSIONS.includes(version)) throw unknownType(`dnszones of api version ${version}`)
  const [, area, subscription, , group] = /^\/(\w+)\/([^/]+)(\/resourceGroups\/([^/]+))?/i.exec(path) ?? []
  if (area?.toLowerCase() === 'subscriptions' && subscription?.toLowerCase() !== sim.subscriptionId)
    throw notFound('SubscriptionNotFound', `The subscription '${subscription}' could not be found.`)
  if (group !== undefined && group.toLowerCase() !== GROUP)
    throw notFound('ResourceGroupNotFound', `Resource group '${group}' could not be found.`)
}

/** `:zone` and `:type` are in small letters, as all of a path is but the names of records. */
const SCOPE = '/subscriptions/:subscription/resourcegroups/:group/providers/microsoft.network'
const ZONE = `${SCOPE}/dnszones/:zone`
const SHOWN_SCOPE = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}/providers/Microsoft.Network`
const idOf = ({ name }: AzureZone) => `${SHOWN_SCOPE}/dnszones/${name}`

/** An answer that shows how many calls are left. */
const ok = (call: AzureCall, value: unknown, { status = 200, headers = {} } = {}): SimulatorAnswer => {
  const remaining = isWrite(call.request) ? '11999' : '499'
  const limit = { 'x-ms-ratelimit-remaining-subscription-resource-requests': remaining }
  return value === undefined
    ? empty(status, { ...headers, ...limit })
    : answer(status, value, { ...headers, ...limit })
}

const shownZone = (zone: AzureZone) => ({
  id: idOf(zone),
  name: zone.name,
  type: 'Microsoft.Network/dnszones',
  etag: zone.etag,
  location: 'global',
  tags: zone.tags,
  properties: {
    maxNumberOfRecordSets: 10_000,
    maxNumberOfRecordsPerRecordSet: null,
    nameServers: zone.nameServers,
    numberOfRecordSets: zone.size,
    zoneType: 'Public',
  },
})

const shownSet = (zone: AzureZone, { name, type, ...rest }: AzureSet) => ({
  id: `${idOf(zone)}/${type}/${name}`,
  name,
  type: `Microsoft.Network/dnszones/${type}`,
  ...rest,
})

const keyOf = (flags: number, keyTag: number, delegationSignerInfo: Body[]): Body => ({
  delegationSignerInfo,
  flags,
  keyTag,
  protocol: 3,
  publicKey: 'mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxIL',
  securityAlgorithmType: 13,
})
const KEYS = [
  keyOf(256, 37_721, []),
  keyOf(257, 60_485, [{ digestAlgorithmType: 2, digestValue: DIGEST, record: `60485 13 2 ${DIGEST}` }]),
]

/** There are no keys until it is done. */
const shownSigning = (zone: AzureZone, isDone: boolean) => ({
  id: `${idOf(zone)}/dnssecConfigs/default`,
  name: 'default',
  type: 'Microsoft.Network/dnszones/dnssecConfigs',
  etag: zone.etag,
  properties: { provisioningState: isDone ? 'Succeeded' : 'Creating', signingKeys: isDone ? KEYS : [] },
})

/** The page that `$skipToken` stands for, with the whole address of the next one. */
function page<T>(call: AzureCall, all: readonly T[], shown: (item: T) => unknown): SimulatorAnswer {
  const { query, request, sim } = call
  const top = Number(query.get('$top') ?? PAGES.usual)
  const token = query.get('$skipToken')
  const at = token === null ? 0 : Number(Buffer.from(token, 'base64url').toString())
  if (!isInteger(top, 1, Infinity) || !Number.isInteger(at)) throw badRequest('The query is invalid.')
  const end = at + Math.min(top, PAGES.most)
  const next = new URLSearchParams(query)
  next.set('$skipToken', Buffer.from(String(end)).toString('base64url'))
  const nextLink = `${sim.url}${request.path}?${next.toString()}`
  return ok(call, { value: all.slice(at, end).map(shown), ...(end < all.length && { nextLink }) })
}

const listZones = (call: AzureCall) => page(call, call.zones, shownZone)

/** Without a condition one that is there is only given other tags. */
function putZone(call: AzureCall): SimulatorAnswer {
  const { sim, request, body, params } = call
  const name = params['zone'] ?? ''
  if (!isBody(body) || body['location'] !== 'global')
    throw refusal(400, 'LocationRequired', 'The location property is required for this definition.')
  if (!isZoneName(name)) throw badRequest(`The zone name '${params['zone']}' is invalid.`)
  const held = sim.zones.get(name)
  checkConditions(request.headers, held?.etag)
  const zone = held ?? sim.createZone(name)
  if (isBody(body['tags'])) zone.tags = body['tags']
  zone.etag = randomUUID()
  return ok(call, shownZone(zone), { status: held === undefined ? 201 : 200 })
}

/** What is taken and not done yet: how often that was asked, and what is done then. */
const operations = new Map<string, { asked: number; finish: () => void }>()

/** Taken, and done when it was asked for twice. */
function begin(call: AzureCall, finish: () => void): Record<string, string> {
  const id = randomUUID()
  operations.set(id, { asked: 0, finish })
  const url = `${call.sim.url}${SHOWN_SCOPE}/dnsOperationStatuses/${id}?api-version=${VERSIONS[0]}`
  return { 'azure-asyncoperation': url, location: url }
}

function askOperation(call: AzureCall): SimulatorAnswer {
  const operation = operations.get(call.id)
  if (operation === undefined) throw notFound('NotFound', `There is no operation '${call.id}'.`)
  if (operation.asked++ === 0) return ok(call, { status: 'InProgress' })
  operation.finish()
  return ok(call, { status: 'Succeeded' })
}

function deleteZone(call: AzureCall): SimulatorAnswer {
  const zone = call.sim.zones.get(call.params['zone'] ?? '')
  if (zone === undefined) return ok(call, undefined, { status: 204 })
  checkConditions(call.request.headers, zone.etag)
  const headers = begin(call, () => call.sim.deleteZone(zone.name))
  return ok(call, undefined, { status: 202, headers })
}

const isLater = ({ query }: AzureCall) => query.get('api-version') === VERSIONS[1]

/** Signing begins at once, its end is waited for. */
function signing(call: AzureCall): SimulatorAnswer {
  const { zone, request } = call
  if (!isLater(call)) throw unknownType('dnssecconfigs')
  const isSigned = request.method === 'GET' ? zone.isSigned : request.method === 'PUT'
  const headers = zone.isSigned === isSigned ? {} : begin(call, () => void (zone.isSigned = isSigned))
  const isBegun = 'location' in headers
  if (request.method === 'DELETE') return ok(call, undefined, { status: isBegun ? 202 : 204, headers })
  if (!isSigned) throw bare(404, 'NotFound', `The zone '${zone.name}' has no DNSSEC configuration.`)
  return ok(call, shownSigning(zone, !isBegun), { status: isBegun ? 201 : 200, headers })
}

/** The RRset that the path names, or all of the type. */
function wanted(call: AzureCall): { zone: AzureZone; type: string; name: string } {
  const { zone, params } = call
  const { type: word = '', name = '' } = params
  const type = word.toUpperCase()
  const form = FORMS[type]
  if (form === undefined || (form.later && !isLater(call))) throw unknownType(word)
  return { zone, type, name }
}

function listSets(call: AzureCall): SimulatorAnswer {
  const isAll = ['recordsets', 'all'].includes(call.params['type'] ?? '')
  const type = isAll ? null : wanted(call).type
  const found = call.zone.rrsets.filter(
    (set) => (isLater(call) || !FORMS[set.type]?.later) && (type ?? set.type) === set.type,
  )
  return page(call, found, (set) => shownSet(call.zone, set))
}

/** RRsets whose look is kept; the order of records means nothing. */
const lasting = (zone: AzureZone) => () =>
  zone.added
    .map(({ name, type, properties }) => {
      const { TTL, metadata, targetResource } = properties
      const values = recordsOf(type, properties).map((record) => String(meaningOf(type, record)))
      return JSON.stringify({ name, type, TTL, metadata, targetResource, values: values.sort() })
    })
    .sort()

const put = (zone: AzureZone, type: string, name: string, properties: Body) =>
  zone.write(type, name, { properties: { TTL: 3600, ...properties } })
const addresses = (...all: string[]) => ({ ARecords: all.map((ipv4Address) => ({ ipv4Address })) })

/** The API of Azure DNS. */
export default defineDialect({
  keys: (): Keys => ({
    tenantId: randomUUID(),
    subscriptionId: SUBSCRIPTION,
    resourceGroup: GROUP,
    clientId: randomUUID(),
    clientSecret: `8Q~${textKey(24)}`,
    readerId: randomUUID(),
    readerSecret: `8Q~${textKey(24)}`,
  }),
  newZone: (name) => new AzureZone(name),
  login,
  headers: ({ tokens, clientId }) => ({ authorization: `Bearer ${tokens.give(clientId, TOKEN)}` }),
  authenticate,
  limits: [{ option: 'rate', seconds: 300, refuse: throttled }],
  readPath: (path) => path.replace(/^(\/[^/]*){1,9}/, (start) => start.toLowerCase()),
  routes: {
    'GET /subscriptions/:subscription/providers/microsoft.network/dnszones': listZones,
    [`GET ${SCOPE}/dnszones`]: listZones,
    [`GET ${SCOPE}/dnsoperationstatuses/:id`]: askOperation,
    [`GET ${ZONE}`]: (call) => ok(call, shownZone(call.zone)),
    [`PUT ${ZONE}`]: putZone,
    [`DELETE ${ZONE}`]: deleteZone,
    [`GET ${ZONE}/dnssecconfigs/default`]: signing,
    [`PUT ${ZONE}/dnssecconfigs/default`]: signing,
    [`DELETE ${ZONE}/dnssecconfigs/default`]: signing,
    [`GET ${ZONE}/:type`]: listSets,
    [`GET ${ZONE}/:type/:name`]: (call) => {
      const { zone, type, name } = wanted(call)
      return ok(call, shownSet(zone, zone.get(name, type)))
    },
    [`PUT ${ZONE}/:type/:name`]: (call) => {
      const { zone, type, name } = wanted(call)
      const status = zone.read(name, type) === null ? 201 : 200
      return ok(call, shownSet(zone, zone.write(type, name, call.body, call.request.headers)), { status })
    },
    [`PATCH ${ZONE}/:type/:name`]: (call) => {
      const { zone, type, name } = wanted(call)
      return ok(call, shownSet(zone, zone.patch(type, name, call.body, call.request.headers)))
    },
    [`DELETE ${ZONE}/:type/:name`]: (call) => {
      const { zone, type, name } = wanted(call)
      return ok(call, undefined, { status: zone.remove(type, name, call.request.headers) ? 200 : 204 })
    },
  },
  errors: {
    noRoute: notFound('NotFound', 'There is no such resource.'),
    notAllowed: refusal(405, 'MethodNotAllowed', 'The method is not allowed.'),
    noZone: ({ request, params: { zone, type } }) =>
      type !== undefined && isWrite(request)
        ? notFound(
            'ParentResourceNotFound',
            `Failed to perform 'write' on resource(s) of type 'dnszones', because the parent resource '${zone}' could not be found.`,
          )
        : notFound(
            'ResourceNotFound',
            `The Resource 'Microsoft.Network/dnszones/${zone}' under resource group '${GROUP}' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`,
          ),
    badJson: refusal(400, 'InvalidRequestContent', 'The request content was invalid.'),
  },
  suite: {
    credentials: ({ loginUrl, tenantId, clientId, clientSecret, subscriptionId, resourceGroup }) => ({
      loginUrl,
      tenantId,
      clientId,
      clientSecret,
      subscriptionId,
      resourceGroup,
    }),
    secret: 'clientSecret',
    wrong: 'a-wrong-secret-7f3a',
    seedSets: (zone, rrsets) => {
      for (const { name, type, ttl, members } of rrsets) {
        const values = members.map(({ value }) => value)
        put(zone, type, name, { TTL: ttl, ...propertiesOf(type, values) })
      }
    },
    // Aliases, and RRsets without records, are none.
    held: (zone) =>
      zone.added.flatMap(({ name, type, properties }) =>
        recordsOf(type, properties).map((record) => {
          const ttl = Number(properties['TTL'])
          return { name, type, ttl, rdata: rdataOf(type, record) }
        }),
      ),
    foreign: (zone, { subscriptionId }) => {
      const id = `/subscriptions/${subscriptionId}/resourceGroups/web/providers/Microsoft.Network/publicIPAddresses/ip`
      put(zone, 'A', 'foreign', addresses('192.0.2.1'))
      put(zone, 'AAAA', 'foreign', { targetResource: { id } })
      put(zone, 'CNAME', 'alias', { targetResource: { id } })
      // Made in advance, and served by nothing.
      put(zone, 'TXT', 'empty', { TXTRecords: [], metadata: { owner: 'somebody' } })
      return lasting(zone)
    },
    extra: (zone) => {
      const metadata = { owner: 'somebody', nr: '7' }
      put(zone, 'A', 'extra', { ...addresses('192.0.2.1', '192.0.2.2'), metadata })
      return lasting(zone)
    },
    faults: {
      unauthorized: unauthenticated,
      forbidden: unauthorized('an application', 'Microsoft.Network/dnsZones/read', '/'),
      rateLimited: throttled(1),
      failure: refusal(500, 'InternalServerError', 'An error occurred.'),
      refused: badRequest,
    },
  },
})
