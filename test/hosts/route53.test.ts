import t from 'tap'
import route53 from '../../modules/providers/adapters/route53/index.ts'
import { sign } from '../../modules/providers/adapters/route53/client.ts'
import type { RRset } from '../../modules/providers/contract.ts'
import { conformance } from '../conformance/suite/index.ts'
import {
  add,
  applyEdits,
  edit,
  expectError,
  open,
  remove,
  replace,
  rrset,
  start,
} from '../conformance/suite/subject.ts'
import { accessDenied, invalidBatch, refusal } from '../conformance/simulators/route53-answers.ts'
import dialect from '../conformance/simulators/route53.ts'
import { Route53Zone } from '../conformance/simulators/route53-zone.ts'
import { isWrite } from '../conformance/simulators/server.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

const [A, B, C] = ['192.0.2.1', '192.0.2.2', '192.0.2.3']

const ALIAS = {
  HostedZoneId: 'Z2FDTNDATAQYW2',
  DNSName: 'd111111abcdef8.cloudfront.net.',
  EvaluateTargetHealth: 'false',
}

void t.test('Route 53', async (t) => {
  const { sim, makeSubject } = await simulate(t, route53, dialect)
  const zoneOf = (name: string) => sim.zones.get(name)
  await conformance(t, 'conformance', makeSubject)

  await t.test('an alias is shown, and nothing is written over it', async (t) => {
    const { subject, adapter, zone, list, apply } = await start(t, makeSubject)
    const there = zoneOf(subject.zoneName)
    there?.upsert({ Name: `${subject.zoneName}.`, Type: 'A', AliasTarget: ALIAS })
    t.match((await list()).unmanaged, [
      { name: '@', type: 'A', value: 'ALIAS d111111abcdef8.cloudfront.net. (hosted zone Z2FDTNDATAQYW2)' },
    ])
    t.equal(await adapter.readRRset(zone, '@', 'A'), null)
    await apply([edit('@', 'A', [remove(A)])])
    const error = await expectError(t, subject, adapter.apply(zone, [edit('@', 'A', [add(A)])]), 'rejected')
    t.match(error?.message, /ALIAS d111111abcdef8/)
    await apply([edit('@', 'TXT', [add('beside it')])])
    t.equal(there?.sets.filter(({ elements }) => 'AliasTarget' in elements).length, 1)
  })

  await t.test(
    'sets by place, failover and health are shown, kept, and made again as they were',
    async (t) => {
      const { subject, adapter, zone, apply } = await start(t, makeSubject)
      const there = zoneOf(subject.zoneName)
      const records = { TTL: '60', ResourceRecords: { ResourceRecord: { Value: A } } }
      const upsert = (Name: string, SetIdentifier: string, before: object, after: object = {}) =>
        there?.upsert({
          Name: `${Name}.${subject.zoneName}.`,
          Type: 'A',
          SetIdentifier,
          ...before,
          ...records,
          ...after,
        })
      upsert(
        'geo',
        'usa',
        { GeoLocation: { CountryCode: 'US', SubdivisionCode: 'CA' } },
        { HealthCheckId: 'h-1' },
      )
      upsert('fail', 'first', { Failover: 'PRIMARY' }, { HealthCheckId: 'h-2' })
      upsert('multi', 'one', { MultiValueAnswer: 'true' })
      upsert('region', 'near', { Region: 'eu-west-1' })
      const look = () => JSON.stringify(there?.sets)
      const before = look()
      const sets: RRset[] = []
      for await (const { rrsets } of adapter.listRRsets(zone))
        sets.push(...rrsets.filter(({ routing }) => routing))
      t.match(
        sets.map(({ routing, extra }) => ({ routing, extra })),
        [
          {
            routing: { key: 'first', line: 'PRIMARY' },
            extra: { Failover: 'PRIMARY', HealthCheckId: 'h-2' },
          },
          { routing: { key: 'usa', region: 'US CA' }, extra: { HealthCheckId: 'h-1' } },
          { routing: { key: 'one' }, extra: { MultiValueAnswer: 'true' } },
          { routing: { key: 'near', setIdentifier: 'near', region: 'eu-west-1' }, extra: undefined },
        ],
      )
      const each = (changes: Parameters<typeof edit>[2]) =>
        sets.map(({ name, routing, extra }) => ({
          ...edit(name, 'A', changes, 60),
          ...(routing && { routing }),
          ...(extra !== undefined && { extra }),
        }))
      await apply(each([replace(A, B)]))
      await apply(each([replace(B, A)]))
      t.equal(look(), before, 'after a change of values')
      await apply(each([remove(A)]))
      t.same(await subject.dump(), [])
      await apply(each([add(A)]))
      t.equal(look(), before, 'and after an undo')
    },
  )

  await t.test('of two that change the same set at once nothing is lost', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    await subject.seed([rrset('www', 'A', [A])])
    const other = await open(t, subject)
    await Promise.all([
      applyEdits(adapter, zone, [edit('www', 'A', [add(B)])]),
      applyEdits(other, zone, [edit('www', 'A', [add(C)])]),
    ])
    t.same(await subject.dump(), [rrset('www', 'A', [A, B, C])])
  })

  await t.test(
    'sets that are too large for one call go in several, and what fails is told of each',
    async (t) => {
      const { subject, adapter, zone, apply } = await start(t, makeSubject)
      const values = (host: number) => Array.from({ length: 90 }, (_, i) => `10.${host}.0.${i}`)
      const seeded = Array.from({ length: 12 }, (_, i) => rrset(`h${i}`, 'A', values(i)))
      await subject.seed(seeded)
      const edits = (value: string) => seeded.map(({ name }) => edit(name, 'A', [add(value)]))
      sim.requests.length = 0
      await apply(edits(A))
      t.equal(sim.requests.filter(isWrite).length, 3, '12 sets of 90 and 91 records')
      t.same(
        (await subject.dump()).map(({ members }) => members.length),
        seeded.map(() => 91),
      )
      let calls = 0
      const { answer } = invalidBatch(['A reason that is none'])
      sim.fail({
        on: (request) => isWrite(request) && ++calls === 2,
        times: Infinity,
        kind: 'answer',
        answer,
      })
      const outcomes = await applyEdits(adapter, zone, edits(B))
      const failed = outcomes.flat().filter(({ ok }) => !ok)
      t.equal(failed.length, 5)
      t.match(failed[0], { error: { kind: 'rejected', outcome: 'not_applied' } })
      t.equal((await subject.dump()).filter(({ members }) => members.length === 92).length, 7)
      sim.heal()
    },
  )

  await t.test('a zone is emptied before it is deleted, in as few calls as can be', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    const there = zoneOf(subject.zoneName)
    await subject.seed(Array.from({ length: 1_201 }, (_, i) => rrset(`h${i}`, 'A', [A])))
    there?.upsert({ Name: `alias.${subject.zoneName}.`, Type: 'A', AliasTarget: ALIAS })
    sim.requests.length = 0
    await adapter.deleteZone(zone)
    t.equal(zoneOf(subject.zoneName), undefined)
    t.equal(sim.requests.filter((request) => !isWrite(request)).length, Math.ceil(1_204 / 300), 'reads')
    t.equal(sim.requests.filter(isWrite).length, 3)
  })

  await t.test('a private zone beside a public one of the same name', async (t) => {
    const { subject, adapter } = await start(t, makeSubject)
    sim.zones.set('private', new Route53Zone(subject.zoneName, { isPrivate: true }))
    const zones = await adapter.findZones(subject.zoneName)
    t.equal(new Set(zones.map(({ id }) => id)).size, 2)
    t.same(
      zones.map(({ nameServers }) => nameServers?.length ?? 0).sort((a, b) => a - b),
      [0, 4],
    )
    const { answer } = accessDenied('GetHostedZone')
    sim.fail({ on: ({ path }) => /hostedzone\/Z\w+$/.test(path), times: 2, kind: 'answer', answer })
    const ids = (found: typeof zones) => new Set(found.map(({ id }) => id))
    t.same(ids(await adapter.findZones(subject.zoneName)), ids(zones), 'also for who may not ask for servers')
  })

  await t.test('keys: temporary, only for reading, and a clock that is wrong', async (t) => {
    const { subject, zone } = await start(t, makeSubject)
    const as = (key: object) => open(t, subject, { ...subject.credentials, ...key })
    await t.resolves((await as(sim.temporaryKey)).verify())
    const reader = await as(sim.readKey)
    await t.resolves(reader.verify())
    await expectError(t, subject, reader.apply(zone, [edit('www', 'A', [add(A)])]), 'forbidden')
    const { answer } = refusal(
      403,
      'SignatureDoesNotMatch',
      'Signature expired: 20200101T000000Z is now earlier',
    )
    sim.fail({ kind: 'answer', answer })
    t.match(await expectError(t, subject, reader.verify(), 'auth'), { message: /clock/ })
  })
})

void t.test('what has too many characters for Route 53 is refused before it is sent', async (t) => {
  const audit = (value: string) => route53.audit?.('example.test', [edit('www', 'TXT', [add(value)])])
  t.same(audit('x'.repeat(2_048)), [])
  t.match(audit('日'.repeat(500)), [{ edit: 0, change: 0, field: 'value', code: 'value_too_long' }])
})

void t.test('requests are signed as other programs sign them', async (t) => {
  const url = new URL(
    'https://route53.amazonaws.com/2013-04-01/hostedzone/Z123/rrset?name=www.example.com.&type=A&maxitems=300',
  )
  const request = { method: 'GET', url, headers: { host: url.host }, body: new Uint8Array() }
  const key = {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
  }
  const now = Date.UTC(2023, 10, 14, 22, 13, 20)
  t.same(sign(request, key, now), {
    'x-amz-date': '20231114T221320Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20231114/us-east-1/route53/aws4_request, SignedHeaders=host;x-amz-date, Signature=319f25e4e54ea1c07067cc6eb4a850c328a0c7fc7f2ae732000ad3c13bd0990b',
  })
  t.match(sign(request, { ...key, sessionToken: 'a-token' }, now), {
    'x-amz-security-token': 'a-token',
    authorization: /SignedHeaders=host;x-amz-date;x-amz-security-token,/,
  })
})
