import t from 'tap'
import type { AccessKey } from '../../conformance/simulators/route53-keys.ts'
import dialect from '../../conformance/simulators/route53.ts'
import { sigV4, sigV4Header } from '../../conformance/simulators/sigv4.ts'
import { startSimulator } from '../../conformance/simulators/simulator.ts'
import { parseXml, xml, type Xml, type XmlElements } from '../../conformance/simulators/xml.ts'

const sim = await startSimulator(dialect)
t.teardown(() => sim.close())
const zone = sim.createZone('example.test')
const at = `/hostedzone/${zone.id}`

interface Options {
  key?: AccessKey
  date?: Date
  region?: string
  signed?: string[]
}
const send = async (method: string, path: string, body = '', options: Options = {}) => {
  const { key = sim.key, date = new Date(), region = 'us-east-1' } = options
  const url = new URL(`${sim.apiUrl}${path}`)
  const amzDate = date.toISOString().replace(/[-:]|\.\d+/g, '')
  const { accessKeyId, secretAccessKey, sessionToken } = key
  const headers: Record<string, string> = {
    host: url.host,
    'x-amz-date': amzDate,
    ...(sessionToken !== '' && { 'x-amz-security-token': sessionToken }),
  }
  const { signed = Object.keys(headers).sort() } = options
  const scope = { accessKeyId, secretAccessKey, region, service: 'route53' }
  const signable = { method, target: url.pathname + url.search, headers, bytes: Buffer.from(body) }
  const authorization = sigV4Header(signable, scope, amzDate, signed)
  const init = body === '' ? {} : { body }
  const answer = await fetch(url, { method, headers: { ...headers, authorization }, ...init })
  return { status: answer.status, body: parseXml(await answer.text()) ?? {} }
}
const NS = ' xmlns="https://route53.amazonaws.com/doc/2013-04-01/"'
const changing = (...changes: [action: string, set: XmlElements][]) =>
  send(
    'POST',
    `${at}/rrset`,
    xml(
      'ChangeResourceRecordSetsRequest',
      {
        ChangeBatch: {
          Changes: { Change: changes.map(([Action, ResourceRecordSet]) => ({ Action, ResourceRecordSet })) },
        },
      },
      NS,
    ),
  )
const set = (Name: string, Type: string, values: string[], rest: XmlElements = {}): XmlElements => ({
  Name,
  Type,
  ...rest,
  TTL: '60',
  ResourceRecords: { ResourceRecord: values.map((Value) => ({ Value })) },
})
const A = set('www.example.test', 'A', ['192.0.2.1'])
const error = (status: number, code: string, message = /./) => ({
  status,
  body: { ErrorResponse: { Error: { Code: code, Message: message } } },
})
const refused = (message: RegExp) => error(400, 'InvalidChangeBatch', message)
const accepted = { status: 200, body: { ChangeResourceRecordSetsResponse: {} } }

void t.test('signatures equal the published example', async (t) => {
  const scope = {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 'route53',
  }
  const request = {
    method: 'GET',
    target: '/2013-04-01/hostedzone/Z123/rrset?name=www.example.com.&type=A&maxitems=300',
    headers: { 'x-amz-date': '20231114T221320Z', host: 'route53.amazonaws.com' },
    bytes: Buffer.alloc(0),
  }
  t.equal(
    sigV4(request, scope, '20231114T221320Z', ['host', 'x-amz-date']),
    '319f25e4e54ea1c07067cc6eb4a850c328a0c7fc7f2ae732000ad3c13bd0990b',
  )
})

void t.test('keys and zones', async (t) => {
  const get = (options: Options) => send('GET', '/hostedzonecount', '', options)
  t.match(await get({}), { status: 200, body: { GetHostedZoneCountResponse: { HostedZoneCount: /1/ } } })
  t.equal((await get({ key: sim.temporaryKey })).status, 200)
  const wrong = { ...sim.key, secretAccessKey: 'wrong' }
  t.match(await get({ key: wrong }), error(403, 'SignatureDoesNotMatch'))
  t.match(await get({ region: 'eu-west-1' }), error(403, 'SignatureDoesNotMatch', /region/))
  t.match(await get({ date: new Date(0) }), error(403, 'SignatureDoesNotMatch', /expired/))
  t.match(await get({ signed: ['host'] }), error(403, 'SignatureDoesNotMatch'))
  t.match(await get({ key: { ...sim.key, accessKeyId: 'AKIA0' } }), error(403, 'InvalidClientTokenId'))
  t.match(await get({ key: { ...sim.temporaryKey, sessionToken: '' } }), error(403, 'InvalidClientTokenId'))
  t.match(await send('DELETE', at, '', { key: sim.readKey }), error(403, 'AccessDenied'))
  const create = (reference: string) =>
    send(
      'POST',
      '/hostedzone',
      xml('CreateHostedZoneRequest', { Name: 'a.test', CallerReference: reference }, NS),
    )
  const made = await create('one')
  t.match(made, { status: 201, body: { CreateHostedZoneResponse: { HostedZone: { Name: 'a.test.' } } } })
  t.match(await create('one'), error(409, 'HostedZoneAlreadyExists'))
  t.equal((await create('two')).status, 201, 'another one of the same name')
  const named = await send('GET', '/hostedzonesbyname?dnsname=a.test&maxitems=2')
  t.match(named.body, {
    ListHostedZonesByNameResponse: {
      HostedZones: { HostedZone: [{ Name: 'a.test.' }, { Name: 'a.test.' }] },
    },
  })
  const first = await send('GET', '/hostedzone?maxitems=1')
  t.match(first.body, { ListHostedZonesResponse: { IsTruncated: 'true', NextMarker: /^Z/ } })
  t.match(await send('GET', at), {
    body: { GetHostedZoneResponse: { DelegationSet: { NameServers: { NameServer: [/^ns-/] } } } },
  })
  t.match(await changing(['CREATE', A]), accepted)
  t.match(await send('DELETE', at), error(400, 'HostedZoneNotEmpty'))
  t.match(await changing(['DELETE', A]), accepted)
  t.match(await send('GET', '/hostedzone/Z0/rrset'), error(404, 'NoSuchHostedZone'))
})

void t.test('changes: exact, whole or not at all', async (t) => {
  t.match(await changing(['CREATE', A]), accepted)
  t.match(await changing(['CREATE', A]), refused(/already exists/))
  t.match(await changing(['DELETE', { ...A, TTL: '61' }]), refused(/do not match/))
  t.match(await changing(['DELETE', set('x.example.test', 'A', ['192.0.2.1'])]), refused(/not found/))
  const alias = set('www.example.test', 'CNAME', ['a.test'])
  t.match(await changing(['UPSERT', alias]), refused(/conflicting RRSet of type {2}A/))
  const several = await changing(['UPSERT', alias], ['CREATE', A])
  t.match(several, {
    status: 400,
    body: { InvalidChangeBatch: { Messages: { Message: [/conf/, /exists/] } } },
  })
  t.match(await changing(['UPSERT', A], ['UPSERT', A]), { status: 400, body: { InvalidChangeBatch: {} } })
  t.match(await changing(['DELETE', A], ['CREATE', alias]), accepted)
  t.match(await changing(['UPSERT', set('example.test', 'CNAME', ['a.test'])]), refused(/apex/))
  t.match(await changing(['UPSERT', set('a.other', 'A', ['192.0.2.1'])]), refused(/not permitted in zone/))
  t.match(
    await changing(['UPSERT', set('t.example.test', 'TXT', ['"x"', '"x"'])]),
    refused(/^\[Duplicate Resource Record: '"x"'\]$/),
  )
  t.match(await changing(['UPSERT', set('t.example.test', 'TXT', ['x'])]), refused(/quotation marks/))
  t.match(await changing(['UPSERT', set('t.example.test', 'TXT', ['"ü"'])]), refused(/unescaped/))
  t.match(await changing(['UPSERT', set('t.example.test', 'TXT', ['"\\195"'])]), refused(/escape/))
  t.match(await changing(['UPSERT', set('l.example.test', 'LOC', ['x'])]), error(400, 'InvalidInput', /enum/))
  const { TTL, ...rest } = A
  t.match(await changing(['UPSERT', { TTL, ...rest }]), error(400, 'InvalidInput', /Invalid XML/), 'order')
  t.match(await changing(['UPSERT', rest]), error(400, 'InvalidInput', /found none/))
  const many = Array.from({ length: 501 }, (_, i) => `10.0.${i >> 8}.${i & 255}`)
  const large = set('many.example.test', 'A', many)
  t.match(await changing(['UPSERT', large]), refused(/records limit of 1000/), 'an UPSERT counts twice')
  t.match(await changing(['CREATE', large]), accepted)
  t.match(await changing(['DELETE', large], ['DELETE', alias]), accepted)
})

void t.test('several sets of a name and type; aliases', async (t) => {
  const weighted = (SetIdentifier: string) =>
    set('w.example.test', 'A', ['192.0.2.1'], { SetIdentifier, Weight: '1' })
  t.match(await changing(['CREATE', weighted('a')], ['CREATE', weighted('b')]), accepted)
  t.match(await changing(['CREATE', set('w.example.test', 'A', ['192.0.2.1'])]), refused(/other RRSets/))
  const regional = set('w.example.test', 'A', ['192.0.2.1'], { SetIdentifier: 'c', Region: 'eu-west-1' })
  t.match(await changing(['CREATE', regional]), refused(/other RRSets/))
  const nameless = set('w.example.test', 'A', ['192.0.2.1'], { Weight: '1' })
  t.match(await changing(['CREATE', nameless]), error(400, 'InvalidInput', /Missing field 'SetIdentifier'/))
  t.match(await changing(['DELETE', weighted('a')], ['DELETE', weighted('b')]), accepted)
  const AliasTarget = {
    HostedZoneId: 'Z2FDTNDATAQYW2',
    DNSName: 'd1.cloudfront.net',
    EvaluateTargetHealth: 'false',
  }
  const alias = { Name: 'example.test', Type: 'A', AliasTarget }
  t.match(await changing(['CREATE', { ...A, AliasTarget }]), error(400, 'InvalidInput', /more than one/))
  t.match(await changing(['CREATE', alias]), accepted)
  t.match(await changing(['DELETE', alias]), accepted)
})

interface Page {
  IsTruncated: string
  NextRecordName?: string
  NextRecordType?: string
  ResourceRecordSets: { ResourceRecordSet: XmlElements[] }
}
const page = (body: XmlElements) => body['ListResourceRecordSetsResponse'] as Xml as unknown as Page

void t.test('lists are places in an order', async (t) => {
  const long = sim.createZone('long.test')
  for (let i = 0; i < 601; i++) long.upsert(set(`h${i}.long.test`, 'A', ['192.0.2.1']))
  long.upsert(set('*.long.test', 'TXT', ['"x"']))
  const path = `/hostedzone/${long.id}/rrset`
  t.match(page((await send('GET', path)).body).ResourceRecordSets.ResourceRecordSet.length, 100)
  const sizes: number[] = []
  const names: unknown[] = []
  for (let query: URLSearchParams | null = new URLSearchParams({ maxitems: '1000' }); query !== null;) {
    const found = page((await send('GET', `${path}?${query.toString()}`)).body)
    const { NextRecordName: name, NextRecordType: type } = found
    sizes.push(found.ResourceRecordSets.ResourceRecordSet.length)
    names.push(...found.ResourceRecordSets.ResourceRecordSet.map(({ Name }) => Name))
    query = name && type ? new URLSearchParams({ maxitems: '300', name, type }) : null
  }
  t.same(sizes, [300, 300, 4])
  t.equal(new Set(names).size, 603)
  t.same(names.slice(0, 4), ['long.test.', 'long.test.', '\\052.long.test.', 'h0.long.test.'])
  const sought = page((await send('GET', `${path}?name=h5.long.test&type=MX&maxitems=1`)).body)
  t.match(sought.ResourceRecordSets.ResourceRecordSet, { Name: 'h50.long.test.' }, 'not a filter')
  t.match(await send('GET', `${path}?type=A`), error(400, 'InvalidInput'))
})
