import { median, ms, ratio, verdict, type Result } from './report.ts'
import { openWorkplace, raw, type Workplace } from './zones.ts'

const ROUNDS = 200
const TARGET = 3

/** One record through us, and the same RRset by PowerDNS' own API, in turns. */
export async function create(): Promise<Result> {
  const workplace = await openWorkplace()
  try {
    const rows = []
    for (const size of [50, 10_000]) rows.push(await measure(workplace, size))
    return {
      title: 'Creating one record through PowerDNS, one after another.',
      target: 'at most 3 times a raw PATCH of the same RRset, in a small zone and a large one alike',
      rows,
      notes: [
        'Both over HTTP; our database is durable: a creation is two commits on the disk around the call. PowerDNS is on SQLite, which does not wait for the disk here.',
      ],
    }
  } finally {
    await workplace.close()
  }
}

async function measure(workplace: Workplace, size: number) {
  const zone = `z${size}.example.org`
  const id = await workplace.addZone(zone, size)
  const ours: number[] = []
  const theirs: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    theirs.push(
      await timed(() => raw(workplace.powerDns, 'PATCH', `/zones/${zone}.`, patch(`raw-${i}.${zone}.`))),
    )
    const record = { recordType: 'A', name: `new-${i}`, value: '192.0.2.1', ttl: 300 }
    ours.push(await timed(() => workplace.call('POST', `/api/domains/${id}/records`, record)))
  }
  const [through, bare] = [median(ours), median(theirs)]
  return {
    'records in the zone': size,
    'through us': ms(through),
    'raw PATCH': ms(bare),
    ratio: ratio(through / bare),
    holds: verdict(through / bare <= TARGET),
  }
}

const patch = (name: string) => ({
  rrsets: [
    {
      name,
      type: 'A',
      ttl: 300,
      changetype: 'REPLACE',
      records: [{ content: '192.0.2.1', disabled: false }],
    },
  ],
})

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
