import { setTimeout as sleep } from 'node:timers/promises'
import { CallRate, Refused } from './answers.ts'
import { NAMESPACE, accessDenied, invalidInput, refusal, throttled, xmlAnswer } from './route53-answers.ts'
import { escapedName, inOrder, nameOf } from './route53-sets.ts'
import { newKey, signerOf, type AccessKey } from './route53-keys.ts'
import { Route53Zone, newId } from './route53-zone.ts'
import {
  isWrite,
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
  type SimulatorServer,
} from './server.ts'
import { isElements, parseXml, textOf, type XmlElements } from './xml.ts'

export interface Route53SimulatorOptions {
  /** Calls that are taken of the account, as [calls, seconds]; the real one has 50, and 10 more each second. */
  rate?: [calls: number, seconds: number]
  /** Milliseconds that a change of a zone takes, in which others of it are refused. */
  changeMs?: number
}

export interface Route53Simulator extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  key: AccessKey
  /** May read, and not change anything. */
  readKey: AccessKey
  /** With a session token. */
  temporaryKey: AccessKey
  createZone(name: string, options?: ConstructorParameters<typeof Route53Zone>[1]): Route53Zone
  deleteZone(id: string): void
  zones(): Route53Zone[]
  /** The next changes are INSYNC when that was asked so often in vain. */
  setPending(times: number): void
  /** How often that can still be asked in vain. */
  pending(): number
}

const PREFIX = '/2013-04-01'

/** Route 53's API over a socket. */
export async function startRoute53Simulator(
  options: Route53SimulatorOptions = {},
): Promise<Route53Simulator> {
  const api = new Api(options)
  const server = await startServer((request) => api.answer(request))
  return {
    ...server,
    apiUrl: `${server.url}${PREFIX}`,
    key: api.key,
    readKey: api.readKey,
    temporaryKey: api.temporaryKey,
    createZone: (name, of) => api.createZone(name, of),
    deleteZone: (id) => void api.zones.delete(id),
    zones: () => [...api.zones.values()],
    setPending: (times) => void (api.pending = times),
    pending: () => api.pending,
  }
}

const noSuchZone = (id: string) => refusal(404, 'NoSuchHostedZone', `No hosted zone found with ID: ${id}`)
const notFound = () => refusal(404, 'UnknownOperationException', 'Unknown operation')
class Api {
  readonly zones = new Map<string, Route53Zone>()
  readonly key = newKey('AKIA')
  readonly readKey = newKey('AKIA')
  readonly temporaryKey = newKey('ASIA')
  pending = 0
  readonly #changes = new Set<string>()
  /** References are taken for ever, also those of zones that are gone: stricter than is known. */
  readonly #references = new Set<string>()
  readonly #rate: CallRate
  readonly #changeMs: number

  constructor({ rate = [Infinity, 1], changeMs = 5 }: Route53SimulatorOptions) {
    this.#rate = new CallRate(...rate)
    this.#changeMs = changeMs
  }

  createZone(name: string, options?: ConstructorParameters<typeof Route53Zone>[1]): Route53Zone {
    const zone = new Route53Zone(name, options)
    this.zones.set(zone.id, zone)
    this.#references.add(zone.callerReference)
    return zone
  }

  async answer(request: SimulatorRequest): Promise<SimulatorAnswer> {
    try {
      if (!this.#rate.take().taken) throw throttled()
      const key = signerOf(request, [this.key, this.readKey, this.temporaryKey])
      if (key === this.readKey && isWrite(request)) throw accessDenied('ChangeResourceRecordSets')
      return await this.#route(request)
    } catch (error) {
      if (error instanceof Refused) return error.answer
      throw error
    }
  }

  async #route(request: SimulatorRequest): Promise<SimulatorAnswer> {
    const path = request.path.startsWith(`${PREFIX}/`) ? request.path.slice(PREFIX.length) : ''
    const [area, id, part, ...rest] = path.slice(1).replace(/\/$/, '').split('/')
    const { method } = request
    if (rest.length > 0) throw notFound()
    if (area === 'hostedzonecount' && id === undefined)
      return xmlAnswer(200, 'GetHostedZoneCountResponse', { HostedZoneCount: String(this.zones.size) })
    if (area === 'hostedzonesbyname' && id === undefined && method === 'GET') return this.#byName(request)
    if (area === 'change' && id !== undefined && method === 'GET') return this.#change(id)
    if (area !== 'hostedzone') throw notFound()
    if (id === undefined) return method === 'POST' ? this.#create(request) : this.#list(request)
    const zone = this.zones.get(id)
    if (zone === undefined) throw noSuchZone(id)
    if (part === 'rrset') return method === 'POST' ? this.#write(request, zone) : listed(request, zone)
    if (part === 'dnssec' && method === 'GET') return xmlAnswer(200, 'GetDNSSECResponse', dnssecOf(zone))
    if (part !== undefined) throw notFound()
    if (method === 'GET') return xmlAnswer(200, 'GetHostedZoneResponse', whole(zone))
    if (method !== 'DELETE') throw notFound()
    if (zone.size > 2) {
      const reason =
        'The specified hosted zone contains non-required resource record sets and so cannot be deleted.'
      throw refusal(400, 'HostedZoneNotEmpty', reason)
    }
    this.zones.delete(id)
    return xmlAnswer(200, 'DeleteHostedZoneResponse', this.#begun())
  }

  #list({ query }: SimulatorRequest): SimulatorAnswer {
    const marker = query.get('marker')
    const all = [...this.zones.values()]
    const start = marker === null ? 0 : all.findIndex(({ id }) => id === marker.replace('/hostedzone/', ''))
    if (start === -1) throw noSuchZone(marker ?? '')
    const { items, next, size } = cut(all.slice(start), query, { usual: 100, most: 100 })
    return xmlAnswer(200, 'ListHostedZonesResponse', {
      HostedZones: { HostedZone: items.map(shown) },
      ...(marker !== null && { Marker: marker }),
      IsTruncated: String(next !== undefined),
      ...(next !== undefined && { NextMarker: next.id }),
      MaxItems: size,
    })
  }

  /** A place in the list of all, not a filter. */
  #byName({ query }: SimulatorRequest): SimulatorAnswer {
    const [name, id] = [query.get('dnsname'), query.get('hostedzoneid')]
    if (id !== null && name === null) throw invalidInput('The DNS name is needed where an ID is given')
    const labels = (of: string) => of.split('.').toReversed().join('.')
    const start = name === null ? '' : `${labels(nameOf(name))} ${id ?? ''}`
    const all = [...this.zones.values()]
      .map((zone) => ({ zone, order: `${labels(zone.name)} ${zone.id}` }))
      .filter(({ order }) => order >= start)
      .sort((a, b) => (a.order < b.order ? -1 : 1))
    const { items, next, size } = cut(all, query, { usual: 100, most: 100 })
    return xmlAnswer(200, 'ListHostedZonesByNameResponse', {
      HostedZones: { HostedZone: items.map(({ zone }) => shown(zone)) },
      ...(name !== null && { DNSName: name }),
      ...(id !== null && { HostedZoneId: id }),
      IsTruncated: String(next !== undefined),
      ...(next !== undefined && { NextDNSName: escapedName(next.zone.name), NextHostedZoneId: next.zone.id }),
      MaxItems: size,
    })
  }

  /** Several zones may have the same name; what a reference made is not made again. */
  #create(request: SimulatorRequest): SimulatorAnswer {
    const order = ['Name', 'VPC', 'CallerReference', 'HostedZoneConfig', 'DelegationSetId']
    const body = inOrder(bodyOf(request, 'CreateHostedZoneRequest'), 'CreateHostedZoneRequest', order)
    const [name, callerReference] = [textOf(body['Name']), textOf(body['CallerReference'])]
    if (name === undefined || callerReference === undefined || callerReference === '')
      throw invalidInput("Invalid XML ; The content of element 'CreateHostedZoneRequest' is not complete.")
    if (!/^([a-z0-9_-]{1,63}\.)+$/.test(nameOf(name)))
      throw refusal(400, 'InvalidDomainName', `${name} is not a valid domain name`)
    if (this.#references.has(callerReference)) {
      const reason = `A hosted zone has already been created with the specified caller reference.`
      throw refusal(409, 'HostedZoneAlreadyExists', reason)
    }
    const config = inOrder(body['HostedZoneConfig'], 'HostedZoneConfig', ['Comment', 'PrivateZone'])
    const zone = this.createZone(name, { callerReference, comment: textOf(config['Comment']) ?? '' })
    const location = `${request.path.replace(/\/$/, '')}/${zone.id}`
    const { HostedZone, DelegationSet } = whole(zone)
    const content = { HostedZone, ...this.#begun(), DelegationSet }
    return xmlAnswer(201, 'CreateHostedZoneResponse', content, { location })
  }

  async #write(request: SimulatorRequest, zone: Route53Zone): Promise<SimulatorAnswer> {
    const root = 'ChangeResourceRecordSetsRequest'
    const body = inOrder(bodyOf(request, root), root, ['ChangeBatch'])
    if (zone.isBusy) {
      const reason = 'The request was rejected because Route 53 was still processing a prior request.'
      throw refusal(400, 'PriorRequestNotComplete', reason)
    }
    zone.isBusy = true
    try {
      await sleep(this.#changeMs)
      zone.change(body['ChangeBatch'])
    } finally {
      zone.isBusy = false
    }
    return xmlAnswer(200, 'ChangeResourceRecordSetsResponse', this.#begun())
  }

  #begun(): XmlElements {
    const id = newId('C')
    this.#changes.add(id)
    return { ChangeInfo: changeInfo(id, 'PENDING') }
  }

  #change(id: string): SimulatorAnswer {
    if (!this.#changes.has(id)) throw refusal(404, 'NoSuchChange', `Could not find resource with ID: ${id}`)
    const status = this.pending > 0 ? 'PENDING' : 'INSYNC'
    if (this.pending > 0) this.pending--
    return xmlAnswer(200, 'GetChangeResponse', { ChangeInfo: changeInfo(id, status) })
  }
}

const changeInfo = (id: string, status: 'PENDING' | 'INSYNC'): XmlElements => ({
  Id: `/change/${id}`,
  Status: status,
  SubmittedAt: new Date().toISOString(),
})

const shown = ({ id, name, callerReference, isPrivate, comment, size }: Route53Zone): XmlElements => ({
  Id: `/hostedzone/${id}`,
  Name: escapedName(name),
  CallerReference: callerReference,
  Config: { ...(comment !== '' && { Comment: comment }), PrivateZone: String(isPrivate) },
  ResourceRecordSetCount: String(size),
})

const whole = (zone: Route53Zone): XmlElements => ({
  HostedZone: shown(zone),
  ...(!zone.isPrivate && { DelegationSet: { NameServers: { NameServer: zone.nameServers } } }),
})

/** The body, which must be a document with this outermost element, of Route 53's namespace. */
function bodyOf({ body }: SimulatorRequest, root: string): XmlElements {
  const document = parseXml(body)
  if (document === null) throw refusal(400, 'MalformedInput', 'The request is not well-formed XML')
  const element = document[root]
  if (!isElements(element) || element['@_xmlns'] !== NAMESPACE)
    throw invalidInput(`Invalid XML ; cvc-elt.1: Cannot find the declaration of element '${root}'.`)
  return element
}

/** At most 300, 100 when nothing is said. */
function listed({ query }: SimulatorRequest, zone: Route53Zone): SimulatorAnswer {
  const all = zone.from(query.get('name'), query.get('type'), query.get('identifier'))
  const { items, next, size } = cut(all, query, { usual: 100, most: 300 })
  return xmlAnswer(200, 'ListResourceRecordSetsResponse', {
    ResourceRecordSets: { ResourceRecordSet: items.map(({ elements }) => elements) },
    IsTruncated: String(next !== undefined),
    ...(next !== undefined && {
      NextRecordName: escapedName(next.name),
      NextRecordType: next.type,
      ...(next.identifier !== undefined && { NextRecordIdentifier: next.identifier }),
    }),
    MaxItems: size,
  })
}

/** What `maxitems` takes of the list, and what comes after. */
function cut<T>(all: T[], query: URLSearchParams, { usual, most }: { usual: number; most: number }) {
  const asked = Number(query.get('maxitems') ?? usual)
  if (!Number.isInteger(asked) || asked < 1) throw invalidInput('maxitems must be a positive number')
  const size = Math.min(asked, most)
  return { items: all.slice(0, size), next: all[size], size: String(size) }
}

function dnssecOf({ isSigned }: Route53Zone): XmlElements {
  if (!isSigned) return { Status: { ServeSignature: 'NOT_SIGNING' }, KeySigningKeys: '' }
  const digest = 'E2D3C916F6DEEAC73294E8268FB5885044A833FC5459588F4A9184CFC41A5766'
  return {
    Status: { ServeSignature: 'SIGNING' },
    KeySigningKeys: {
      member: {
        Name: 'zonekey',
        KmsArn: 'arn:aws:kms:us-east-1:111122223333:key/6a6cf2f0-8bf3-4d0b-8d4c-1f2d3c4b5a69',
        Flag: '257',
        SigningAlgorithmMnemonic: 'ECDSAP256SHA256',
        SigningAlgorithmType: '13',
        DigestAlgorithmMnemonic: 'SHA-256',
        DigestAlgorithmType: '2',
        KeyTag: '60485',
        DigestValue: digest,
        DSRecord: `60485 13 2 ${digest}`,
        Status: 'ACTIVE',
      },
    },
  }
}
