import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { LATENCY_MS, startLateNameServers, type LateNameServers } from './late-name-servers.ts'
import { startPostgres, withClient } from './postgres.ts'
import { startService } from './processes.ts'
import { verdict, type Result, type Row } from './report.ts'
import { seedDomains, seedUsers } from './seed.ts'

const DOMAINS = 2_000
const RECORDS = 20
const WHOLE = 10_000
const TARGET_MINUTES = 60
/** How much more memory the second half of the domains may take. */
const TARGET_GROWTH_MB = 30
const TARGET_A_SECOND = 20
const POLL_MS = 1_000
const TICKS_A_SECOND = 100

/** The health check of all domains of an instance, whose zones have the same name servers. */
export async function health(): Promise<Result> {
  const [postgres, names] = await Promise.all([startPostgres({ durable: false }), startLateNameServers()])
  try {
    const database = await postgres.createDatabase('bench')
    await seedUsers(database)
    await seedDomains(database, { domains: DOMAINS, recordsEach: RECORDS })
    await withClient(database, makeDue)
    return {
      title: `The health check of ${DOMAINS} domains with ${RECORDS + 3} records each, extrapolated to ${WHOLE}.`,
      target: `${WHOLE} domains in less than ${TARGET_MINUTES} minutes on one instance; at most ${TARGET_A_SECOND} queries a second to a server; the second half of the domains adds less than ${TARGET_GROWTH_MB} MB`,
      rows: [await measure(database, names)],
      notes: [
        `All zones have the same two name servers, which bounds the speed: those answer after ${LATENCY_MS} ms, as do the resolver and the two servers of the parent zone. Each zone has an SPF record with an include, an MX and an alias to a name of its own at a hosting service. The service is a process of its own; its memory is RSS, with a garbage collection every 20 s.`,
      ],
    }
  } finally {
    names.close()
    await postgres.close()
  }
}

/** Targets elsewhere, one of them unlike that of any other domain; and all domains are due. */
async function makeDue(client: pg.Client): Promise<void> {
  for (const [name, type, value] of [
    ['@', 'TXT', `'"v=spf1 include:spf.mailer.test -all"'`],
    ['@', 'MX', `'10 mx.mailer.test'`],
    ['shop', 'CNAME', `'c' || substr(id::text, 25) || '.hosting.test'`],
  ])
    await client.query(
      `insert into records (id, domain_id, name, type, value, ttl, status)
       select uuidv7(), id, '${name}', '${type}', ${value}, 3600, 'active' from domains`,
    )
  await client.query('insert into domain_health (domain_id) select id from domains')
  await client.query('vacuum (analyze) records')
}

async function measure(database: pg.ClientConfig, names: LateNameServers): Promise<Row> {
  const service = await startService(database, {
    jobs: true,
    nodeOptions: ['--expose-gc'],
    environment: { DNS_RESOLVERS: names.resolver, BENCH_NAME_SERVER_PORT: String(names.port) },
  })
  const { pid = 0 } = service.child
  try {
    return await withClient(database, async (client) => {
      const progress = async () => {
        const { rows } = await client.query<{ done: number; seconds: number }>(
          `select count(checked_at)::int as done,
             coalesce(extract(epoch from max(checked_at) - min(checked_at)), 0)::float8 as seconds
           from domain_health`,
        )
        return rows[0] as { done: number; seconds: number }
      }
      const before = rssOf(pid)
      const cpuBefore = cpuOf(pid)
      let peak = before
      let half = 0
      for (;;) {
        await sleep(POLL_MS)
        const { done, seconds } = await progress()
        peak = Math.max(peak, rssOf(pid))
        if (half === 0 && done >= DOMAINS / 2) half = peak
        if (done < DOMAINS) continue
        const minutes = (seconds / DOMAINS) * (WHOLE / 60)
        const most = Math.max(...names.asked.values()) / seconds
        const growth = peak - half
        return {
          checked: DOMAINS,
          seconds: Math.round(seconds),
          [`minutes for ${WHOLE}`]: minutes.toFixed(1),
          'processor ms each': (((cpuOf(pid) - cpuBefore) * 1000) / TICKS_A_SECOND / DOMAINS).toFixed(1),
          'queries a second to the busiest server': most.toFixed(1),
          'MB before': before,
          'peak of the first half': half,
          'of both': peak,
          holds: verdict(
            minutes < TARGET_MINUTES && growth < TARGET_GROWTH_MB && most <= TARGET_A_SECOND + 1,
          ),
        }
      }
    })
  } finally {
    await service.close()
  }
}

/** Resident memory of a process, in MB. */
function rssOf(pid: number): number {
  const [, kb = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kb) / 1024)
}

/** Processor time of a process, in ticks. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return Number(fields[11]) + Number(fields[12])
}
