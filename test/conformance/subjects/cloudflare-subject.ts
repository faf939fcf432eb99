import { absoluteName, relativeName } from '../../../dns/names/names.ts'
import type { Provider, RRset } from '../../../modules/providers/contract.ts'
import { sorted, type Subject } from '../suite/subject.ts'
import { bodyOf, presentationOf, type CloudflareRecord } from '../simulators/cloudflare-records.ts'
import { failure, newId } from '../simulators/cloudflare-zone.ts'
import { tooMany, type CloudflareSimulator } from '../simulators/cloudflare.ts'
import { isWrite } from '../simulators/server.ts'
import { httpFaults } from './http-faults.ts'
import { newMembers, rrsetsOf } from './subject-records.ts'

let zones = 0

/** A zone of its own in the simulator, as a subject of the conformance suite. */
export async function cloudflareSubject(provider: Provider, sim: CloudflareSimulator): Promise<Subject> {
  const zoneName = `z${++zones}.conformance.test`
  const zone = sim.createZone(zoneName)
  const credentials = { apiUrl: sim.apiUrl, apiToken: sim.token, accountId: sim.accountId }
  const held = () => toRRsets(zone.records, zoneName)
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, apiToken: 'a-wrong-token-7f3a'.padEnd(40, 'w') },
    zoneName,
    missingZone: { id: newId(), name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, ttl, member } of newMembers(held(), rrsets))
        zone.post({
          ...bodyOf(type, member.value),
          name: absoluteName(name, zoneName),
          ttl: member.ttl ?? ttl ?? 1,
          ...(member.proxied && { proxied: true }),
          ...(member.comment && { comment: member.comment }),
        })
    },
    dump: async () => sorted(held()),
    foreign: async () => {
      const name = `foreign.${zoneName}`
      const kept = { comment: 'do not touch', tags: ['owner:somebody'], ttl: 3600 }
      zone.post({ ...kept, type: 'A', name, content: '192.0.2.1' })
      // Not made any more, and still there where it was.
      zone.post({ ...kept, type: 'SPF', name, content: 'v=spf1 -all' })
      return async () => zone.records.map(lasting).sort()
    },
    extra: async () => {
      const name = `extra.${zoneName}`
      for (const content of ['192.0.2.1', '192.0.2.2'])
        zone.post({
          type: 'A',
          name,
          content,
          ttl: 3600,
          tags: [`of:${content}`],
          settings: { ipv4_only: true },
        })
      return async () => zone.records.map(lasting).sort()
    },
    writes: () => sim.requests.filter(isWrite).length,
    faults: await httpFaults(sim, credentials, sim.token, {
      unauthorized: failure(403, { code: 9109, message: 'Invalid access token' }).answer,
      forbidden: failure(403, { code: 10_000, message: 'Authentication error' }).answer,
      rateLimited: tooMany().answer,
      failure: failure(500, { code: 10_013, message: 'An unknown error has occurred.' }).answer,
      refused: (message) => failure(400, { code: 1004, message }).answer,
    }),
    close: async () => sim.deleteZone(zoneName),
  }
}

const toRRsets = (records: CloudflareRecord[], zone: string): RRset[] =>
  rrsetsOf(
    records.map((record) => ({
      ...record,
      name: relativeName(record.name, zone) ?? record.name,
      rdata: presentationOf(record),
      ttl: record.ttl === 1 ? null : record.ttl,
    })),
  )

/** What of a record is the same when it was made anew. */
const lasting = ({ name, type, content, ttl, proxied, comment, tags, settings }: CloudflareRecord): string =>
  JSON.stringify({ name, type, content, ttl, proxied, comment, tags, settings })
