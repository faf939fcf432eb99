import { randomUUID } from 'node:crypto'
import { CallRate, isBody, orRefused, parse } from './answers.ts'
import {
  answer,
  badRequest,
  bare,
  checkConditions,
  empty,
  notFound,
  refusal,
  throttled,
  unauthorized,
} from './azure-answers.ts'
import { AzureLogin, type AzureClient } from './azure-login.ts'
import { FORMS } from './azure-records.ts'
import { shownSet, shownSigning, shownZone } from './azure-shown.ts'
import { AzureZone } from './azure-zone.ts'
import {
  isWrite,
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
  type SimulatorServer,
} from './server.ts'

export interface AzureSimulatorOptions {
  /** Calls that are taken, as [calls, seconds]. */
  rate?: [calls: number, seconds: number]
  /** How long a token is good. */
  tokenSeconds?: number
}

export interface AzureSimulator extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  /** Where tokens come from, at an address of its own. */
  login: AzureLogin
  subscriptionId: string
  resourceGroup: string
  /** An application that may do everything. */
  client: AzureClient
  /** One that may read. */
  reader: AzureClient
  createZone(name: string): AzureZone
  deleteZone(name: string): void
  zones(): AzureZone[]
}

const GROUP = 'dns-group'
const VERSIONS = ['2018-05-01', '2023-07-01-preview']
/** What is given where `$top` says nothing, and at most: how many `$top` may ask for is not documented. */
const PAGES = { usual: 100, most: 1000 }

/** The API of Azure DNS over a socket, and on another one the server of its tokens. */
export async function startAzureSimulator(options: AzureSimulatorOptions = {}): Promise<AzureSimulator> {
  const login = await AzureLogin.start(options.tokenSeconds ?? 3599)
  const [client, reader] = [login.create(), login.create()]
  const api = new Api(login, reader, options)
  const server = await startServer((request) => orRefused(() => api.answer(request)))
  return {
    ...server,
    apiUrl: server.url,
    login,
    subscriptionId: api.subscriptionId,
    resourceGroup: GROUP,
    client,
    reader,
    createZone: (name) => api.createZone(name),
    deleteZone: (name) => void api.zones.delete(name),
    zones: () => [...api.zones.values()],
    close: async () => {
      await Promise.all([server.close(), login.server.close()])
    },
  }
}

const malformed = refusal(400, 'InvalidRequestContent', 'The request content was invalid.').answer
const notAllowed = () => refusal(405, 'MethodNotAllowed', 'The method is not allowed.')

class Api {
  readonly subscriptionId = randomUUID()
  readonly zones = new Map<string, AzureZone>()
  readonly #login: AzureLogin
  readonly #reader: AzureClient
  readonly #rate: CallRate
  readonly #scope: string
  /** What is taken and not done yet: how often that was asked, and what is done then. */
  readonly #operations = new Map<string, { asked: number; finish: () => void }>()

  constructor(login: AzureLogin, reader: AzureClient, { rate = [Infinity, 1] }: AzureSimulatorOptions) {
    this.#login = login
    this.#reader = reader
    this.#rate = new CallRate(...rate)
    this.#scope = `/subscriptions/${this.subscriptionId}/resourceGroups/${GROUP}/providers/Microsoft.Network`
  }

  createZone(name: string): AzureZone {
    const zone = new AzureZone(name)
    this.zones.set(name, zone)
    return zone
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    const { taken, resetMs } = this.#rate.take()
    if (!taken) throw throttled(Math.ceil((resetMs - Date.now()) / 1000))
    const { clientId } = this.#login.holderOf(request)
    if (clientId === this.#reader.clientId && isWrite(request))
      throw unauthorized(clientId, 'Microsoft.Network/dnsZones/write', request.path)
    const version = request.query.get('api-version')
    if (version === null)
      throw refusal(
        400,
        'MissingApiVersionParameter',
        'The api-version query parameter (?api-version=) is required for all requests.',
      )
    if (!VERSIONS.includes(version))
      throw refusal(
        400,
        'InvalidResourceType',
        `The resource type could not be found for api version '${version}'.`,
      )
    const remaining = isWrite(request) ? '11999' : '499'
    const given = this.#route(request, version !== VERSIONS[0])
    const headers = { ...given.headers, 'x-ms-ratelimit-remaining-subscription-resource-requests': remaining }
    return { ...given, headers }
  }

  /** Paths are read without case, but for the names of records. */
  #route(request: SimulatorRequest, isLater: boolean): SimulatorAnswer {
    const path = request.path.slice(1).split('/').map(decodeURIComponent)
    const lower = path.map((part) => part.toLowerCase())
    if (lower[0] !== 'subscriptions') throw notFound('NotFound', 'There is no such resource.')
    if (lower[1] !== this.subscriptionId)
      throw notFound('SubscriptionNotFound', `The subscription '${path[1]}' could not be found.`)
    const hasGroup = lower[2] === 'resourcegroups'
    if (hasGroup && lower[3] !== GROUP)
      throw notFound('ResourceGroupNotFound', `Resource group '${path[3]}' could not be found.`)
    const at = hasGroup ? 4 : 2
    const [providers, network, area, name, part, record, ...rest] = lower.slice(at)
    if (providers !== 'providers' || network !== 'microsoft.network' || rest.length > 0)
      throw notFound('NotFound', 'There is no such resource.')
    if (area === 'dnsoperationstatuses') return this.#status(name ?? '')
    if (area !== 'dnszones') throw notFound('InvalidResourceType', 'There is no such type of resource.')
    if (name === undefined) return this.#list(request)
    const zone = this.zones.get(name)
    if (part === undefined) return this.#zone(request, name, zone)
    if (zone === undefined) throw isWrite(request) ? noParent(name) : noZone(name)
    if (part === 'dnssecconfigs' && record === 'default' && isLater) return this.#signing(request, zone)
    const type = part.toUpperCase()
    const isAll = part === 'recordsets' || part === 'all'
    const form = FORMS[type]
    if (!isAll && (form === undefined || (form.later && !isLater)))
      throw refusal(400, 'InvalidResourceType', `The resource type '${part}' could not be found.`)
    if (record !== undefined) return this.#record(request, zone, type, path[at + 5] ?? '')
    const all = zone
      .list()
      .filter((set) => (isLater || !FORMS[set.type]?.later) && (isAll || set.type === type))
    return page(request, all, (set) => shownSet(this.#scope, zone, set))
  }

  #list(request: SimulatorRequest): SimulatorAnswer {
    if (request.method !== 'GET') throw notAllowed()
    return page(request, [...this.zones.values()], (zone) => shownZone(this.#scope, zone))
  }

  #zone(request: SimulatorRequest, name: string, zone: AzureZone | undefined): SimulatorAnswer {
    const { method, headers } = request
    if (method === 'PUT') {
      const body = parse(request, malformed)
      if (!isBody(body) || body['location'] !== 'global')
        throw refusal(400, 'LocationRequired', 'The location property is required for this definition.')
      if (!/^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/.test(name))
        throw badRequest(`The zone name '${name}' is invalid.`)
      // Without a condition one that is there is only given other tags.
      checkConditions(headers, zone?.etag)
      const written = zone ?? this.createZone(name)
      if (isBody(body['tags'])) written.tags = body['tags']
      written.etag = randomUUID()
      return answer(zone === undefined ? 201 : 200, shownZone(this.#scope, written))
    }
    if (method === 'DELETE') {
      if (zone === undefined) return empty(204)
      checkConditions(headers, zone.etag)
      return this.#begun(request, () => void this.zones.delete(name))
    }
    if (method !== 'GET') throw notAllowed()
    if (zone === undefined) throw noZone(name)
    return answer(200, shownZone(this.#scope, zone))
  }

  #record(request: SimulatorRequest, zone: AzureZone, type: string, name: string): SimulatorAnswer {
    const { method, headers } = request
    const missing = () =>
      bare(
        404,
        'NotFound',
        `The resource record '${name}' does not exist in resource group '${GROUP}' of subscription '${this.subscriptionId}'.`,
      )
    if (method === 'DELETE') return empty(zone.delete(type, name, headers) ? 200 : 204)
    if (method === 'PUT') {
      const { set, isNew } = zone.put(type, name, parse(request, malformed), headers)
      return answer(isNew ? 201 : 200, shownSet(this.#scope, zone, set))
    }
    if (method !== 'GET' && method !== 'PATCH') throw notAllowed()
    const found =
      method === 'GET' ? zone.get(type, name) : zone.patch(type, name, parse(request, malformed), headers)
    if (found === undefined) throw missing()
    return answer(200, shownSet(this.#scope, zone, found))
  }

  /** Signing begins at once, its end is waited for. */
  #signing(request: SimulatorRequest, zone: AzureZone): SimulatorAnswer {
    const { method } = request
    if (method === 'DELETE')
      return zone.isSigned ? this.#begun(request, () => void (zone.isSigned = false)) : empty(204)
    if (method === 'PUT') {
      if (zone.isSigned) return answer(200, shownSigning(this.#scope, zone, true))
      const begun = this.#begun(request, () => void (zone.isSigned = true))
      return answer(201, shownSigning(this.#scope, zone, false), begun.headers)
    }
    if (!zone.isSigned) throw bare(404, 'NotFound', `The zone '${zone.name}' has no DNSSEC configuration.`)
    return answer(200, shownSigning(this.#scope, zone, true))
  }

  /** Taken, and done when it was asked for twice. */
  #begun({ headers }: SimulatorRequest, finish: () => void): SimulatorAnswer {
    const id = randomUUID()
    this.#operations.set(id, { asked: 0, finish })
    const url = `http://${String(headers.host)}${this.#scope}/dnsOperationStatuses/${id}?api-version=${VERSIONS[0]}`
    return empty(202, { 'azure-asyncoperation': url, location: url })
  }

  #status(id: string): SimulatorAnswer {
    const operation = this.#operations.get(id)
    if (operation === undefined) throw notFound('NotFound', `There is no operation '${id}'.`)
    if (operation.asked++ === 0) return answer(200, { status: 'InProgress' })
    operation.finish()
    return answer(200, { status: 'Succeeded' })
  }
}

const noZone = (name: string) =>
  notFound(
    'ResourceNotFound',
    `The Resource 'Microsoft.Network/dnszones/${name}' under resource group '${GROUP}' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`,
  )
const noParent = (name: string) =>
  notFound(
    'ParentResourceNotFound',
    `Failed to perform 'write' on resource(s) of type 'dnszones', because the parent resource '${name}' could not be found.`,
  )

/** The page that `$skipToken` stands for, with the whole address of the next one. */
function page<T>(request: SimulatorRequest, all: readonly T[], shown: (item: T) => unknown): SimulatorAnswer {
  if (request.method !== 'GET') throw notAllowed()
  const { query, headers, path } = request
  const top = Number(query.get('$top') ?? PAGES.usual)
  const token = query.get('$skipToken')
  const at = token === null ? 0 : Number(Buffer.from(token, 'base64url').toString())
  if (!Number.isInteger(top) || top < 1 || !Number.isInteger(at)) throw badRequest('The query is invalid.')
  const end = at + Math.min(top, PAGES.most)
  const next = new URLSearchParams(query)
  next.set('$skipToken', Buffer.from(String(end)).toString('base64url'))
  const nextLink = `http://${String(headers.host)}${path}?${next.toString()}`
  return answer(200, { value: all.slice(at, end).map(shown), ...(end < all.length && { nextLink }) })
}
