import { setTimeout as sleep } from 'node:timers/promises'
import { typeOf } from '../../../dns/types/index.ts'
import { defineDialect, type Call } from './dialect.ts'
import {
  accessDenied,
  bodyOf,
  cut,
  internalFailure,
  invalidBatch,
  invalidInput,
  invalidToken,
  refusal,
  throttled,
  xmlAnswer,
} from './route53-answers.ts'
import { newKey, signerOf, type AccessKey } from './route53-keys.ts'
import { escapedName, inDecimal, inOctal, inOrder, nameOf, routingOf, valuesOf } from './route53-sets.ts'
import { Route53Zone, newId } from './route53-zone.ts'
import { withZone, withoutZone } from './rdata.ts'
import { isWrite, type SimulatorAnswer } from './server.ts'
import { delayOf } from '../subjects/subject-jobs.ts'
import { textOf, type XmlElements } from './xml.ts'

interface Keys {
  key: AccessKey
  /** May read, and not change anything. */
  readKey: AccessKey
  /** With a session token. */
  temporaryKey: AccessKey
  /** The next changes are INSYNC when that was asked so often in vain. */
  unfinished: number
  /** Ids of all changes. */
  changeIds: Set<string>
  /** Taken for ever, also those of zones that are gone: stricter than is known. */
  references: Set<string>
}
type Route53Call = Call<Route53Zone, Keys>

const CHANGE_MS = 5

const noSuchZone = (id: string) => refusal(404, 'NoSuchHostedZone', `No hosted zone found with ID: ${id}`)
const notFound = refusal(404, 'UnknownOperationException', 'Unknown operation')

const changeInfo = (id: string, status: 'PENDING' | 'INSYNC'): XmlElements => ({
  ChangeInfo: { Id: `/change/${id}`, Status: status, SubmittedAt: new Date().toISOString() },
})

function begin({ sim }: Route53Call): XmlElements {
  const id = newId('C')
  sim.changeIds.add(id)
  return changeInfo(id, 'PENDING')
}

function readChange({ id, sim }: Route53Call): SimulatorAnswer {
  if (!sim.changeIds.has(id)) throw refusal(404, 'NoSuchChange', `Could not find resource with ID: ${id}`)
  const status = sim.unfinished > 0 ? 'PENDING' : 'INSYNC'
  if (sim.unfinished > 0) sim.unfinished--
  return xmlAnswer(200, 'GetChangeResponse', changeInfo(id, status))
}

const shown = ({ id, apex, callerReference, isPrivate, comment, size }: Route53Zone): XmlElements => ({
  Id: `/hostedzone/${id}`,
  Name: escapedName(apex),
  CallerReference: callerReference,
  Config: { ...(comment !== '' && { Comment: comment }), PrivateZone: String(isPrivate) },
  ResourceRecordSetCount: String(size),
})

const whole = (zone: Route53Zone): XmlElements => ({
  HostedZone: shown(zone),
  ...(!zone.isPrivate && { DelegationSet: { NameServers: { NameServer: zone.nameServers } } }),
})

function listZones({ query, zones }: Route53Call): SimulatorAnswer {
  const marker = query.get('marker')
  const start = marker === null ? 0 : zones.findIndex(({ id }) => id === marker.replace('/hostedzone/', ''))
  if (start === -1) throw noSuchZone(marker ?? '')
  const { items, next, end } = cut(zones.slice(start), query, 100)
  return xmlAnswer(200, 'ListHostedZonesResponse', {
    HostedZones: { HostedZone: items.map(shown) },
    ...(marker !== null && { Marker: marker }),
    ...end(next && { NextMarker: next.id }),
  })
}

/** A place in the list of all, not a filter. */
function listZonesByName({ query, zones }: Route53Call): SimulatorAnswer {
  const [name, id] = [query.get('dnsname'), query.get('hostedzoneid')]
  if (id !== null && name === null) throw invalidInput('The DNS name is needed where an ID is given')
  const labels = (of: string) => of.split('.').toReversed().join('.')
  const start = name === null ? '' : `${labels(nameOf(name))} ${id ?? ''}`
  const all = zones
    .map((zone) => ({ zone, order: `${labels(zone.apex)} ${zone.id}` }))
    .filter(({ order }) => order >= start)
    .sort((a, b) => (a.order < b.order ? -1 : 1))
  const { items, next, end } = cut(all, query, 100)
  return xmlAnswer(200, 'ListHostedZonesByNameResponse', {
    HostedZones: { HostedZone: items.map(({ zone }) => shown(zone)) },
    ...(name !== null && { DNSName: name }),
    ...(id !== null && { HostedZoneId: id }),
    ...end(next && { NextDNSName: escapedName(next.zone.apex), NextHostedZoneId: next.zone.id }),
  })
}

/** Several zones may have the same name; what a reference made is not made again. */
function createZone(call: Route53Call): SimulatorAnswer {
  const { sim, request } = call
  const root = 'CreateHostedZoneRequest'
  const order = ['Name', 'VPC', 'CallerReference', 'HostedZoneConfig', 'DelegationSetId']
  const body = inOrder(bodyOf(request, root), root, order)
  const [name, callerReference] = [textOf(body['Name']), textOf(body['CallerReference'])]
  if (name === undefined || callerReference === undefined || callerReference === '')
    throw invalidInput(`Invalid XML ; The content of element '${root}' is not complete.`)
  if (!/^([a-z0-9_-]{1,63}\.)+$/.test(nameOf(name)))
    throw refusal(400, 'InvalidDomainName', `${name} is not a valid domain name`)
  if (sim.references.has(callerReference)) {
    const reason = 'A hosted zone has already been created with the specified caller reference.'
    throw refusal(409, 'HostedZoneAlreadyExists', reason)
  }
  sim.references.add(callerReference)
  const config = inOrder(body['HostedZoneConfig'], 'HostedZoneConfig', ['Comment', 'PrivateZone'])
  const comment = textOf(config['Comment']) ?? ''
  const zone = new Route53Zone(nameOf(name).slice(0, -1), { callerReference, comment })
  sim.zones.set(zone.id, zone)
  const { HostedZone, DelegationSet } = whole(zone)
  const content = { HostedZone, ...begin(call), DelegationSet }
  return xmlAnswer(201, 'CreateHostedZoneResponse', content, { location: `${request.path}/${zone.id}` })
}

function deleteZone(call: Route53Call): SimulatorAnswer {
  const { zone, sim } = call
  if (zone.size > 2) {
    const reason =
      'The specified hosted zone contains non-required resource record sets and so cannot be deleted.'
    throw refusal(400, 'HostedZoneNotEmpty', reason)
  }
  for (const [key, each] of sim.zones) if (each === zone) sim.zones.delete(key)
  return xmlAnswer(200, 'DeleteHostedZoneResponse', begin(call))
}

function listSets({ zone, query }: Route53Call): SimulatorAnswer {
  const all = zone.from(query.get('name'), query.get('type'), query.get('identifier'))
  const { items, next, end } = cut(all, query, 300)
  return xmlAnswer(200, 'ListResourceRecordSetsResponse', {
    ResourceRecordSets: { ResourceRecordSet: items.map(({ elements }) => elements) },
    ...end(
      next && {
        NextRecordName: escapedName(next.name),
        NextRecordType: next.type,
        ...(next.identifier !== undefined && { NextRecordIdentifier: next.identifier }),
      },
    ),
  })
}

/** A change takes the milliseconds of the option `changeMs`, in which others of the zone are refused. */
async function changeSets(call: Route53Call): Promise<SimulatorAnswer> {
  const { zone, sim, request } = call
  const root = 'ChangeResourceRecordSetsRequest'
  const body = inOrder(bodyOf(request, root), root, ['ChangeBatch'])
  if (zone.isBusy) {
    const reason = 'The request was rejected because Route 53 was still processing a prior request.'
    throw refusal(400, 'PriorRequestNotComplete', reason)
  }
  zone.isBusy = true
  try {
    await sleep(Number(sim.options['changeMs'] ?? CHANGE_MS))
    zone.change(body['ChangeBatch'])
  } finally {
    zone.isBusy = false
  }
  return xmlAnswer(200, 'ChangeResourceRecordSetsResponse', begin(call))
}

/** Route 53's API. The real one takes 50 calls of an account, and 10 more each second. */
export default defineDialect<Route53Zone, Keys>({
  path: '/2013-04-01',
  keys: () => ({
    key: newKey('AKIA'),
    readKey: newKey('AKIA'),
    temporaryKey: newKey('ASIA'),
    unfinished: 0,
    changeIds: new Set(),
    references: new Set(),
  }),
  newZone: (name, { isPrivate }) => new Route53Zone(name, { isPrivate: isPrivate === true }),
  zoneKey: ({ id }) => id,
  authenticate: (request, { key, readKey, temporaryKey }) => {
    const signer = signerOf(request, [key, readKey, temporaryKey])
    if (signer === readKey && isWrite(request)) throw accessDenied('ChangeResourceRecordSets')
  },
  limits: [{ option: 'rate', seconds: 1, refuse: throttled }],
  routes: {
    'GET /hostedzonecount': ({ zones }) =>
      xmlAnswer(200, 'GetHostedZoneCountResponse', { HostedZoneCount: String(zones.length) }),
    'GET /hostedzonesbyname': listZonesByName,
    'GET /change/:id': readChange,
    'GET /hostedzone': listZones,
    'POST /hostedzone': createZone,
    'GET /hostedzone/:zone': ({ zone }) => xmlAnswer(200, 'GetHostedZoneResponse', whole(zone)),
    'DELETE /hostedzone/:zone': deleteZone,
    'GET /hostedzone/:zone/rrset': listSets,
    'POST /hostedzone/:zone/rrset': changeSets,
    'GET /hostedzone/:zone/dnssec': ({ zone: _zone }) =>
      xmlAnswer(200, 'GetDNSSECResponse', {
        Status: { ServeSignature: 'NOT_SIGNING' },
        KeySigningKeys: '',
      }),
  },
  errors: {
    noRoute: notFound,
    notAllowed: notFound,
    noZone: ({ params }) => noSuchZone(params['zone'] ?? ''),
  },
  suite: {
    credentials: ({ key }) => ({ ...key, region: 'us-east-1' }),
    secret: 'secretAccessKey',
    wrong: 'a-wrong-secret-7f3a'.padEnd(40, 'w'),
    missingZone: { id: 'Z00000000000000000000', name: 'missing.test' },
    seedSets: (zone, rrsets) => {
      const elements = rrsets.map(({ name, type, routing, ttl, members }): XmlElements => {
        const { setIdentifier, weight, region } = routing ?? {}
        const values = members.map(({ value }) => ({ Value: inOctal(typeOf(type).write(value)) }))
        return {
          Name: `${withZone(name, zone.name)}.`,
          Type: type,
          ...(setIdentifier !== undefined && { SetIdentifier: setIdentifier }),
          ...(weight !== undefined && { Weight: String(weight) }),
          ...(region !== undefined && { Region: region }),
          TTL: String(ttl),
          ResourceRecords: { ResourceRecord: values },
        }
      })
      zone.upsert(...elements)
    },
    // Aliases have no values.
    held: (zone) =>
      zone.added.flatMap((set) =>
        valuesOf(set).map((value) => ({
          name: withoutZone(set.name.slice(0, -1), zone.name),
          type: set.type,
          rdata: inDecimal(value),
          routing: routingOf(set),
          ttl: Number(textOf(set.elements['TTL'])),
        })),
      ),
    foreign: (zone) => {
      const alias = {
        HostedZoneId: 'Z2FDTNDATAQYW2',
        DNSName: 'd111111abcdef8.cloudfront.net.',
        EvaluateTargetHealth: 'false',
      }
      const Name = `foreign.${zone.apex}`
      const records = (value: string) => ({
        TTL: '3600',
        ResourceRecords: { ResourceRecord: { Value: value } },
      })
      zone.upsert(
        { Name, Type: 'A', ...records('192.0.2.1') },
        { Name, Type: 'AAAA', AliasTarget: alias },
        { Name, Type: 'SPF', ...records('"v=spf1 -all"') },
        // Neither a weight nor a region, and only served while its health check says so.
        {
          Name: `placed.${zone.apex}`,
          Type: 'A',
          SetIdentifier: 'europe',
          GeoLocation: { ContinentCode: 'EU' },
          ...records('192.0.2.3'),
          HealthCheckId: 'abcdef11-2222-3333-4444-555555fedcba',
        },
      )
      // The order of values means nothing.
      const lasting = (set: (typeof zone.added)[number]) =>
        JSON.stringify({ ...set.elements, ResourceRecords: valuesOf(set).sort() })
      return () => zone.added.map(lasting).sort()
    },
    faults: {
      unauthorized: invalidToken(),
      forbidden: accessDenied('ListResourceRecordSets'),
      rateLimited: throttled(),
      failure: internalFailure(),
      refused: (reason) => invalidBatch([reason]),
    },
    more: (_subject, _zone, sim) => ({
      routings: [
        { key: 'blue', setIdentifier: 'blue', weight: 10 },
        { key: 'green', setIdentifier: 'green', weight: 90 },
      ],
      delay: delayOf(sim),
    }),
  },
})
