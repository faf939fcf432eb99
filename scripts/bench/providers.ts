import type pg from 'pg'
import { rrset } from '../../test/conformance/suite/subject.ts'
import { HOSTS, type Host } from './hosts.ts'
import { startPostgres } from './postgres.ts'
import { signIn, startService } from './processes.ts'
import { ms, verdict, type Result, type Row } from './report.ts'
import { seedUsers } from './seed.ts'
import { callerOf, type Call } from './zones.ts'

const RECORDS = 10_000
const BULK = 100
/** Calls other than pages: the zone itself, a token, and data that is read once. */
const MORE_CALLS = 3

/**
 * Imports a zone of 10,000 records from each DNS provider, syncs it again, and creates 100 records in one
 * call.
 */
export async function providers(): Promise<Result> {
  const postgres = await startPostgres({ durable: true })
  const database = await postgres.createDatabase('bench')
  await seedUsers(database)
  try {
    const service = await startService(database)
    const headers = { ...(await signIn(service.address, 'member')) }
    await service.close()
    const rows = []
    for (const host of HOSTS) rows.push(await measure(database, headers, host))
    return {
      title: `A zone of ${RECORDS} records at each DNS provider: registered and imported, synced without changes, and ${BULK} records created in one call.`,
      target: `a sync takes at most ceil(records / page size) + ${MORE_CALLS} calls, ${BULK} records at most ceil(${BULK} / batch) that write, if the provider has batches`,
      rows,
      notes: [
        'The providers are simulators in the process of the benchmark, which answer immediately; a real provider adds its own time to each call. Service, PostgreSQL and client are separate processes. Rate limits of the providers apply; each of the three steps starts with an unused account. Records not created in time are reported one by one.',
      ],
    }
  } finally {
    await postgres.close()
  }
}

async function measure(database: pg.ClientConfig, headers: Record<string, string>, host: Host): Promise<Row> {
  const { provider, pageSize } = host
  const { sim, subject } = await host.start()
  /** In a process of its own, which has made no calls yet. */
  const counted = async (work: (call: Call) => Promise<unknown>) => {
    const service = await startService(database)
    try {
      const call = callerOf(service.address, headers)
      sim.requests.length = 0
      const begun = performance.now()
      await work(call)
      const took = performance.now() - begun
      const writes = sim.requests.filter((request) => sim.changes(request)).length
      return { took, reads: sim.requests.length - writes, writes }
    } finally {
      await service.close()
    }
  }
  try {
    const { maxTtl, minTtl, ttls, batch, maxBatch } = provider.capabilities
    const ttl = ttls?.at(-1) ?? Math.min(Math.max(3600, minTtl), maxTtl)
    await subject.seed(
      Array.from({ length: RECORDS }, (_, i) => rrset(`host-${i}`, 'A', [`10.0.${i >> 8}.${i & 255}`], ttl)),
    )
    let domainId = ''
    let made = 0
    const first = await counted(async (call) => {
      const config = await call('POST', '/api/provider-configs', {
        providerId: provider.id,
        name: `bench ${provider.key}`,
        credentials: subject.credentials,
      })
      const domain = await call('POST', '/api/domains', {
        name: subject.zoneName,
        providerConfigId: config.id,
      })
      domainId = domain.id
      await call('POST', `/api/domains/${domainId}/sync`)
    })
    const second = await counted((call) => call('POST', `/api/domains/${domainId}/sync`))
    const record = { recordType: 'A', value: '192.0.2.1', ttl }
    const records = Array.from({ length: BULK }, (_, i) => ({ name: `new-${i}`, ...record }))
    const bulk = await counted(async (call) => {
      const answer = await call('POST', `/api/domains/${domainId}/records/bulk`, { records })
      made = answer.succeeded
    })
    const reads = Math.ceil(RECORDS / pageSize) + MORE_CALLS
    // If each record is a call, one more may commit several.
    const writes = Math.ceil(BULK / maxBatch) + (batch === 'none' && maxBatch > 1 ? BULK : 0)
    return {
      host: provider.name,
      'page size': pageSize === Infinity ? 'all' : pageSize,
      'first sync': ms(first.took),
      again: ms(second.took),
      calls: second.reads,
      'at most': reads,
      [`bulk of ${BULK}`]: ms(bulk.took),
      made,
      writes: bulk.writes,
      'at most ': writes,
      holds: verdict(second.reads <= reads && second.writes === 0 && bulk.writes <= writes),
    }
  } finally {
    await sim.close()
  }
}
