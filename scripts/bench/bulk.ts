import { setTimeout as sleep } from 'node:timers/promises'
import { timed } from './create.ts'
import { median, ms, ratio, verdict, type Result } from './report.ts'
import { statementsOf } from './statements.ts'
import { openWorkplace } from './zones.ts'

const ROUNDS = 20

/** Many records in one call, compared with one. */
export async function bulk(): Promise<Result> {
  const workplace = await openWorkplace()
  try {
    const id = await workplace.addZone('bulk.example.org', 50)
    const create = (name: string) =>
      workplace.call('POST', `/api/domains/${id}/records`, { recordType: 'A', name, value: '192.0.2.1' })
    const createMany = (name: string, count: number) =>
      workplace.call('POST', `/api/domains/${id}/records/bulk`, {
        records: Array.from({ length: count }, (_, i) => ({
          recordType: 'A',
          name: `${name}-${i}`,
          value: '192.0.2.1',
        })),
      })
    const times = { one: [] as number[], ten: [] as number[], hundred: [] as number[] }
    for (let i = 0; i < ROUNDS; i++) {
      times.one.push(await timed(() => create(`one-${i}`)))
      times.ten.push(await timed(() => createMany(`ten-${i}`, 10)))
      times.hundred.push(await timed(() => createMany(`hundred-${i}`, 100)))
    }
    const one = median(times.one)
    const row = async (records: number, values: number[], work: () => Promise<unknown>) => ({
      records,
      median: ms(median(values)),
      'relative to one': ratio(median(values) / one),
      // Including the work after the answer: distributing events.
      'SQL statements': (await statementsOf(() => work().then(() => sleep(50)))).length,
    })
    // Earlier events have been distributed.
    await sleep(200)
    const rows = [
      await row(1, times.one, () => create('counted')),
      await row(10, times.ten, () => createMany('few', 10)),
      await row(100, times.hundred, () => createMany('many', 100)),
    ]
    const [, few, many] = rows
    const holds =
      Number(many?.['relative to one']) < 5 && few?.['SQL statements'] === many?.['SQL statements']
    return {
      title: 'Creating many records in one call through PowerDNS, with a durable database.',
      target: '100 records in less than 5 times the time of one, with a constant number of SQL statements',
      rows,
      notes: [
        `Holds: ${verdict(holds)}. The statements include begin and commit. The records are sent in one PATCH, after one read of the existing ones.`,
      ],
    }
  } finally {
    await workplace.close()
  }
}
