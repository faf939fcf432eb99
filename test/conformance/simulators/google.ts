import { CallRate, isBody, orRefused, parse } from './answers.ts'
import { GoogleAccounts, SCOPES, type ServiceAccountKey } from './google-accounts.ts'
import {
  alreadyExists,
  forbidden,
  invalid,
  missing,
  ok,
  rateLimited,
  refusal,
  required,
} from './google-answers.ts'
import { GoogleZone, type GoogleChange } from './google-zone.ts'
import {
  isWrite,
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
  type SimulatorServer,
} from './server.ts'

export interface GoogleSimulatorOptions {
  /** Calls that are taken, as [calls, seconds]. */
  rate?: [calls: number, seconds: number]
  /** How long a token is good. */
  tokenSeconds?: number
}

export interface GoogleSimulator extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  project: string
  /** Where tokens come from, at an address of its own. */
  accounts: GoogleAccounts
  /** The key of an account that may do everything. */
  key: ServiceAccountKey
  /** Of one that may read. */
  readKey: ServiceAccountKey
  /** `dnsName` without the final dot. */
  createZone(dnsName: string): GoogleZone
  deleteZone(name: string): void
  zones(): GoogleZone[]
  /** The next changes are done when that was asked so often in vain. */
  setPending(times: number): void
  /** How often that can still be asked in vain. */
  pending(): number
}

const PREFIX = '/dns/v1'
const PROJECT = 'fake-project'
/** What is given where `maxResults` says nothing, and at most: how many the real one gives is not documented. */
const PAGES = { usual: 100, most: 1000 }

/** The API of Google Cloud DNS over a socket, and on another one the server of its tokens. */
export async function startGoogleSimulator(options: GoogleSimulatorOptions = {}): Promise<GoogleSimulator> {
  const accounts = await GoogleAccounts.start(options.tokenSeconds ?? 3599)
  const api = new Api(accounts, options)
  const server = await startServer((request) => orRefused(() => api.answer(request)))
  return {
    ...server,
    apiUrl: `${server.url}${PREFIX}`,
    project: PROJECT,
    accounts,
    key: accounts.create('writer', PROJECT),
    readKey: accounts.create('reader', PROJECT),
    createZone: (dnsName) => api.createZone(`zone-${dnsName.replaceAll('.', '-')}`, `${dnsName}.`),
    deleteZone: (name) => void api.zones.delete(name),
    zones: () => [...api.zones.values()],
    setPending: (times) => void (api.pending = times),
    pending: () => api.pending,
    close: async () => {
      await Promise.all([server.close(), accounts.server.close()])
    },
  }
}

const malformed = refusal(400, 'parseError', 'Parse Error').answer
const notFound = () => refusal(404, 'notFound', 'Not Found')

class Api {
  /** By their slugs. */
  readonly zones = new Map<string, GoogleZone>()
  pending = 0
  readonly #accounts: GoogleAccounts
  readonly #rate: CallRate

  constructor(accounts: GoogleAccounts, { rate = [Infinity, 1] }: GoogleSimulatorOptions) {
    this.#accounts = accounts
    this.#rate = new CallRate(...rate)
  }

  createZone(name: string, dnsName: string, description?: string): GoogleZone {
    const zone = new GoogleZone(name, dnsName, description)
    this.zones.set(name, zone)
    return zone
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    if (!this.#rate.take().taken) throw rateLimited()
    const { email, scopes } = this.#accounts.holderOf(request)
    if (isWrite(request) && !scopes.some((scope) => scope === SCOPES[0] || scope === SCOPES[2]))
      throw refusal(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.')
    if (isWrite(request) && email.startsWith('reader@')) throw forbidden()
    const path = request.path.startsWith(`${PREFIX}/`) ? request.path.slice(PREFIX.length + 1) : ''
    const [area, project = '', part, name, list, ...rest] = path.split('/').map(decodeURIComponent)
    if (area !== 'projects') throw notFound()
    if (project !== PROJECT) throw missing('parameters.project', project)
    if (part === undefined) return ok({ kind: 'dns#project', number: '1', id: project, quota: QUOTA })
    if (part !== 'managedZones') throw notFound()
    if (name === undefined) return this.#collection(request)
    const zone = this.zones.get(name) ?? [...this.zones.values()].find(({ id }) => id === name)
    if (zone === undefined) throw missing('parameters.managedZone', name)
    if (list === undefined) return this.#zone(request, zone)
    if (list === 'changes') return this.#changes(request, zone, rest)
    if (request.method !== 'GET') throw notFound()
    if (list === 'dnsKeys' && rest.length === 0) return ok(keysOf(zone))
    if (list !== 'rrsets') throw notFound()
    const [of, type] = rest
    if (of !== undefined) return ok(shownSet(zone.get(of, type ?? '')))
    return rrsets(request, zone)
  }

  #collection(request: SimulatorRequest): SimulatorAnswer {
    const all = [...this.zones.values()]
    if (request.method === 'GET') {
      const dnsName = request.query.get('dnsName')
      const found = all.filter((zone) => dnsName === null || zone.dnsName === dnsName)
      return page(request, 'managedZones', 'dns#managedZonesListResponse', found.map(shownZone))
    }
    if (request.method !== 'POST') throw notFound()
    const body = parse(request, malformed)
    const { name, dnsName, description } = isBody(body) ? body : {}
    for (const [field, value] of Object.entries({ name, dnsName, description }))
      if (typeof value !== 'string') throw required(`entity.managedZone.${field}`)
    if (!/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/.test(String(name)))
      throw invalid('entity.managedZone.name', name)
    if (!/^([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)+$/.test(String(dnsName)))
      throw invalid('entity.managedZone.dnsName', dnsName)
    // Another one of the same DNS name is made; of the same slug is not.
    if (this.zones.has(String(name))) throw alreadyExists('entity.managedZone', String(name))
    return ok(shownZone(this.createZone(String(name), String(dnsName), String(description))))
  }

  #zone(request: SimulatorRequest, zone: GoogleZone): SimulatorAnswer {
    if (request.method === 'GET') return ok(shownZone(zone))
    if (request.method === 'PATCH') return signed(parse(request, malformed), zone)
    if (request.method !== 'DELETE') throw notFound()
    if (!zone.isEmpty) {
      const reason = `The resource named '${zone.name}' cannot be deleted because it contains one or more 'resource records'.`
      throw refusal(400, 'containerNotEmpty', reason)
    }
    this.zones.delete(zone.name)
    return { status: 204 }
  }

  #changes(request: SimulatorRequest, zone: GoogleZone, [id]: string[]): SimulatorAnswer {
    const { method } = request
    if (method === 'POST' && id === undefined)
      return ok(shownChange(zone.change(parse(request, malformed)), 'pending'))
    const found = zone.changes.find((change) => change.id === id)
    if (method !== 'GET' || id === undefined) throw notFound()
    if (found === undefined) throw missing('parameters.changeId', id)
    const status = this.pending > 0 ? 'pending' : 'done'
    if (this.pending > 0) this.pending--
    return ok(shownChange(found, status))
  }
}

const QUOTA = {
  kind: 'dns#quota',
  managedZones: 10_000,
  rrsetsPerManagedZone: 10_000,
  rrsetAdditionsPerChange: 1000,
  rrsetDeletionsPerChange: 1000,
}

const shownZone = ({ id, name, dnsName, description, creationTime, nameServers, isSigned }: GoogleZone) => ({
  kind: 'dns#managedZone',
  id,
  name,
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

const shownSet = (rrset: object) => ({ kind: 'dns#resourceRecordSet', ...rrset })

const shownChange = ({ additions, deletions, ...change }: GoogleChange, status: 'pending' | 'done') => ({
  kind: 'dns#change',
  ...(additions.length > 0 && { additions: additions.map(shownSet) }),
  ...(deletions.length > 0 && { deletions: deletions.map(shownSet) }),
  ...change,
  status,
  isServing: status === 'done',
})

function rrsets(request: SimulatorRequest, zone: GoogleZone): SimulatorAnswer {
  const [name, type] = [request.query.get('name'), request.query.get('type')]
  if (name === null && type !== null) throw refusal(400, 'required', 'Required parameter is missing: name')
  const found = zone
    .list()
    .filter(
      (rrset) => (name ?? rrset.name).toLowerCase() === rrset.name && (type ?? rrset.type) === rrset.type,
    )
  return page(request, 'rrsets', 'dns#resourceRecordSetsListResponse', found.map(shownSet))
}

/** The page that `pageToken` asks for, with the token of the next one, which means nothing to others. */
function page(
  { query }: SimulatorRequest,
  collection: string,
  kind: string,
  all: readonly unknown[],
): SimulatorAnswer {
  const size = Number(query.get('maxResults') ?? PAGES.usual)
  const token = query.get('pageToken')
  const at = token === null ? 0 : Number(Buffer.from(token, 'base64url').toString().replace(/^at /, ''))
  if (!Number.isInteger(size) || size < 1) throw invalid('parameters.maxResults', size)
  if (!Number.isInteger(at)) throw invalid('parameters.pageToken', token)
  const end = at + Math.min(size, PAGES.most)
  const next = Buffer.from(`at ${end}`).toString('base64url')
  return ok({ kind, [collection]: all.slice(at, end), ...(end < all.length && { nextPageToken: next }) })
}

/** The zone with what the body says of its signing. */
function signed(body: unknown, zone: GoogleZone): SimulatorAnswer {
  const config = isBody(body) ? body['dnssecConfig'] : undefined
  const state = isBody(config) ? config['state'] : undefined
  if (state !== undefined && state !== 'on' && state !== 'off')
    throw invalid('entity.managedZone.dnssecConfig.state', state)
  const oldValue = shownZone(zone)
  if (state !== undefined) zone.isSigned = state === 'on'
  const zoneContext = { oldValue, newValue: shownZone(zone) }
  return ok({ kind: 'dns#operation', id: `op-${zone.id}`, type: 'update', status: 'done', zoneContext })
}

/** There are none while the zone is not signed. */
function keysOf({ isSigned }: GoogleZone) {
  const key = (id: string, type: string, keyTag: number, keyLength: number) => ({
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
  const all = [key('0', 'keySigning', 60_485, 2048), key('1', 'zoneSigning', 12_345, 1024)]
  return { kind: 'dns#dnsKeysListResponse', dnsKeys: isSigned ? all : [] }
}
