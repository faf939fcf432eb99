import type { PowerDns } from '../../test/peers/powerdns.ts'
import { timed } from './create.ts'
import { otherOfSize, RECORDS, startLargePowerDns, zoneOfSize, ZONES } from './large-powerdns.ts'
import { startPostgres } from './postgres.ts'
import { startService } from './processes.ts'
import { median, ms, quantile, ratio, verdict, type Result, type Row } from './report.ts'
import { seedUsers } from './seed.ts'
import { clientOf } from './zones.ts'

const ROUNDS = 20
const WARM_UP = 5
const SIZE = 10_000
const RRSETS = 100

/** One side of a comparison: a server of the PowerDNS API and a zone of it. */
interface Side {
  url: string
  key: string
  zone: string
}

/** A zone read, and RRsets changed, by the PowerDNS API of the service and by that of PowerDNS itself, alternating. */
export async function powerDnsApi(): Promise<Result> {
  const postgres = await startPostgres({ durable: true })
  const database = await postgres.createDatabase('bench')
  await seedUsers(database)
  const powerDns = await startLargePowerDns(postgres.server)
  const service = await startService(database)
  try {
    const ours = await ownSide(service.address, powerDns)
    const theirs = { url: powerDns.apiUrl, key: powerDns.apiKey, zone: otherOfSize(SIZE) }
    const rows = [
      await measure(`GET of a zone of ${SIZE} records`, 2, [ours, theirs], (side) => send(side, 'GET')),
      await measure(
        `PATCH with ${RRSETS} new RRsets`,
        3,
        [ours, theirs],
        (side) => change(side, 'REPLACE', '192.0.2.1'),
        (side) => change(side, 'DELETE'),
      ),
      await measure(`PATCH of ${RRSETS} RRsets with another value`, 3, [ours, theirs], (side, round) =>
        change(side, 'REPLACE', `192.0.2.${round + 1}`),
      ),
    ]
    return {
      title: 'The PowerDNS API, compared with that of the PowerDNS behind it.',
      target: 'a zone in at most 2 times the time of PowerDNS itself, changes in at most 3 times',
      rows,
      notes: [
        `PowerDNS 4.7 on PostgreSQL, with ${ZONES} zones and ${RECORDS} records. Service, PowerDNS, PostgreSQL and client are separate processes; both databases are durable. Medians of ${ROUNDS}, alternating; p95 in parentheses. PowerDNS's own changes go to another zone of the same size. Ours are planned, sent to PowerDNS, and stored with history and audit trail.`,
      ],
    }
  } finally {
    await service.close()
    await powerDns.close()
    await postgres.close()
  }
}

/** Registers the zone at the service and makes a token for it. */
async function ownSide(address: string, powerDns: PowerDns): Promise<Side> {
  const client = await clientOf(address, powerDns)
  const zone = zoneOfSize(SIZE)
  const id = await client.register(zone)
  const { token } = await client.call('POST', '/api/auth/me/tokens', {
    name: 'bench',
    permissions: ['domains:read', 'records:read', 'records:write'],
    restrictions: { domainIds: [id] },
  })
  return { url: address, key: token, zone }
}

type Sides = [ours: Side, theirs: Side]

async function measure(
  request: string,
  target: number,
  [ours, theirs]: Sides,
  work: (side: Side, round: number) => Promise<void>,
  undo?: (side: Side) => Promise<void>,
): Promise<Row> {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const [i, side] of [ours, theirs].entries()) {
      times[i]?.push(await timed(() => work(side, round)))
      await undo?.(side)
    }
  }
  const [through, bare] = times.map((each) => each.slice(WARM_UP)) as [number[], number[]]
  const factor = median(through) / median(bare)
  return {
    request,
    Zonekeeper: shown(through),
    PowerDNS: shown(bare),
    ratio: ratio(factor),
    target: ratio(target),
    holds: verdict(factor <= target),
  }
}

const shown = (times: number[]) => `${ms(median(times))} (${ms(quantile(times, 0.95))})`

const change = (side: Side, changetype: 'DELETE' | 'REPLACE', content?: string) =>
  send(side, 'PATCH', {
    rrsets: Array.from({ length: RRSETS }, (_, i) => ({
      name: `new-${i}.${side.zone}.`,
      type: 'A',
      changetype,
      ...(content !== undefined && { ttl: 300, records: [{ content, disabled: false }] }),
    })),
  })

async function send({ url, key, zone }: Side, method: string, body?: object): Promise<void> {
  const answer = await fetch(`${url}/api/v1/servers/localhost/zones/${zone}.`, {
    method,
    headers: { 'x-api-key': key },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} answers ${answer.status}: ${text}`)
}
