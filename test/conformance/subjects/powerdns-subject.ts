import { absoluteName, relativeName } from '../../../dns/names/names.ts'
import powerdns from '../../../modules/providers/adapters/powerdns/index.ts'
import type { RRset } from '../../../modules/providers/contract.ts'
import { readType, typeOf } from '../../../dns/types/index.ts'
import { TTL, sorted, type Subject } from '../suite/subject.ts'
import { httpFaults, type FaultForms } from './http-faults.ts'
import type { PowerDnsRRset } from '../simulators/powerdns-zone.ts'
import { isWrite, type SimulatorServer } from '../simulators/server.ts'

interface Server {
  apiUrl: string
  apiKey: string
  /** Stands before the server (or is it), counts its calls and misbehaves. */
  front: SimulatorServer
}

/** A call to the API of PowerDNS, real or simulated, without the adapter. */
export async function callApi(
  server: Pick<Server, 'apiUrl' | 'apiKey'>,
  method: string,
  path: string,
  body?: unknown,
) {
  const response = await fetch(`${server.apiUrl}/api/v1/servers/localhost${path}`, {
    method,
    headers: { 'x-api-key': server.apiKey, accept: 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.text() }
}

let zones = 0

/** A zone of its own at the server, as a subject of the conformance suite. `zoneSize`: what the adapter is told. */
export async function powerDnsSubject(server: Server, zoneSize?: number): Promise<Subject> {
  const zoneName = `z${++zones}.conformance.test`
  const ok = async (method: string, path: string, body?: unknown) => {
    const answer = await callApi(server, method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`)
    return answer.body
  }
  await ok('POST', '/zones', {
    name: `${zoneName}.`,
    kind: 'Native',
    nameservers: [],
    soa_edit_api: 'DEFAULT',
  })
  const patch = async (rrsets: object[]): Promise<void> => {
    const body = { rrsets: rrsets.map((rrset) => ({ changetype: 'REPLACE', ...rrset })) }
    const answer = await callApi(server, 'PATCH', `/zones/${zoneName}.`, body)
    if (answer.status < 300) return
    // It takes data only as it writes it itself, and says how that is.
    const { error } = JSON.parse(answer.body) as { error: string }
    const [, ours, theirs] = / '(.*)': Not in expected format \(parsed as '(.*)'\)$/.exec(error) ?? []
    if (ours === undefined || theirs === undefined) throw new Error(`PATCH ${zoneName}: ${error}`)
    const respelled = JSON.stringify(rrsets).replaceAll(JSON.stringify(ours), () => JSON.stringify(theirs))
    return patch(JSON.parse(respelled) as object[])
  }
  const read = async () => {
    const { rrsets } = JSON.parse(await ok('GET', `/zones/${zoneName}.`)) as { rrsets: PowerDnsRRset[] }
    return rrsets.filter(({ type }) => type !== 'SOA')
  }
  const credentials = { apiUrl: server.front.url, apiKey: server.apiKey, serverId: 'localhost' }
  return {
    provider: powerdns,
    credentials,
    badCredentials: { ...credentials, apiKey: 'a-wrong-key-7f3a' },
    zoneName,
    ...(zoneSize !== undefined && { zoneSize }),
    missingZone: { id: 'missing.test.', name: 'missing.test' },
    seed: (rrsets) => patch(rrsets.map((rrset) => toRaw(rrset, zoneName))),
    dump: async () => sorted((await read()).flatMap((rrset) => fromRaw(rrset, zoneName))),
    foreign: async () => {
      await patch(foreignContent(zoneName))
      return async () => (await read()).map((rrset) => ({ ...rrset, records: byContent(rrset.records) }))
    },
    writes: () => server.front.requests.filter(isWrite).length,
    faults: await httpFaults(server.front, credentials, server.apiKey, FORMS),
    close: async () => void (await callApi(server, 'DELETE', `/zones/${zoneName}.`)),
  }
}

const toRaw = ({ name, type, ttl, members }: RRset, zone: string) => ({
  name: `${absoluteName(name, zone)}.`,
  type,
  ttl,
  records: members.map(({ value }) => ({ content: typeOf(type).write(value), disabled: false })),
})

function fromRaw({ name, type, ttl, records }: PowerDnsRRset, zone: string): RRset[] {
  const known = readType(type)
  const members = records.flatMap(({ content, disabled }) => {
    const value = known === null || disabled ? null : typeOf(known).read(content)
    return value === null ? [] : [{ value }]
  })
  if (known === null || members.length === 0) return []
  return [{ name: relativeName(name, zone) ?? name, type: known, ttl, members }]
}

// The order of records means nothing, and PowerDNS doesn't keep it.
const byContent = <T extends { content: string }>(records: T[]): T[] =>
  [...records].sort((a, b) => (a.content < b.content ? -1 : 1))

const foreignContent = (zone: string) => [
  {
    name: `foreign.${zone}.`,
    type: 'A',
    ttl: TTL,
    records: [
      { content: '192.0.2.1', disabled: false },
      { content: '192.0.2.200', disabled: true },
      { content: '192.0.2.201', disabled: true },
    ],
    comments: [{ content: 'do not touch', account: 'somebody', modified_at: 1_700_000_000 }],
  },
  {
    name: `cell.${zone}.`,
    type: 'MINFO',
    ttl: 600,
    records: [{ content: 'owner.example.net. errors.example.net.', disabled: false }],
  },
  {
    name: `foreign.${zone}.`,
    type: 'SSHFP',
    ttl: 600,
    records: [{ content: `4 2 ${'cd'.repeat(32)}`, disabled: false }],
    comments: [{ content: 'another', account: 'somebody', modified_at: 1_700_000_001 }],
  },
  { name: `off.${zone}.`, type: 'MX', ttl: 60, records: [{ content: `10 mx.${zone}.`, disabled: true }] },
]

const asText = { 'content-type': 'text/plain' }
const asJson = { 'content-type': 'application/json' }
const says = (status: number, error: string) => ({ status, headers: asJson, body: JSON.stringify({ error }) })

/** As PowerDNS says it, or a proxy before it. */
const FORMS: FaultForms = {
  unauthorized: says(401, 'Unauthorized'),
  forbidden: { status: 403, headers: asText, body: 'Forbidden' },
  rateLimited: { status: 429, headers: asText, body: 'Too Many Requests' },
  failure: says(500, 'Internal Server Error'),
  refused: (reason) => says(422, reason),
}
