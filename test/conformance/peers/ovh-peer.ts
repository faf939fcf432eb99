import { bytesOfText } from '../../../dns/text/text.ts'
import { typeOf } from '../../../dns/types/index.ts'
import type { Provider, RRset } from '../../../modules/providers/contract.ts'
import { sorted, type Peer } from '../suite/peer.ts'
import { answer, dnsTypeOf, failure, rdataOf, type OvhRecord } from '../simulators/ovh-zone.ts'
import { badSignature, notGranted, tooMany, type FakeOvh } from '../simulators/ovh.ts'
import { httpFaults } from './http-faults.ts'
import { newMembers, rrsetsOf } from './peer-records.ts'

let zones = 0

/** A zone of its own at the fake, as a peer of the conformance suite. */
export async function ovhPeer(provider: Provider, fake: FakeOvh): Promise<Peer> {
  const zoneName = `z${++zones}.conformance.test`
  const zone = fake.createZone(zoneName)
  const own = new Set(zone.records.map(({ id }) => id))
  const { apiUrl, applicationKey, applicationSecret, consumerKey } = fake
  const credentials = { apiUrl, applicationKey, applicationSecret, consumerKey }
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, applicationSecret: '7f3a'.repeat(8) },
    zoneName,
    missingZone: { id: 'missing.test', name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, ttl, member } of newMembers(toRRsets(zone.records), rrsets)) {
        // Of plain texts the text alone, as some clients send it.
        const isPlain = type === 'TXT' && /^[ -!#-[\]-~]+$/.test(member.value)
        const target = isPlain ? bytesOfText(member.value).toString() : typeOf(type).write(member.value)
        zone.create({
          subDomain: name === '@' ? '' : name,
          fieldType: type,
          target,
          ttl: member.ttl ?? ttl ?? 0,
        })
      }
      zone.refresh()
    },
    dump: async () => sorted(toRRsets(zone.records.filter(({ id }) => !own.has(id)))),
    // Refreshes are of the commit, and change no record.
    writes: () =>
      fake.requests.filter((request) => fake.changes(request) && !request.path.endsWith('/refresh')).length,
    faults: await httpFaults(fake, credentials, applicationSecret, {
      unauthorized: badSignature().answer,
      forbidden: notGranted().answer,
      rateLimited: tooMany().answer,
      failure: answer(500, { class: 'Server::InternalServerError', message: 'Internal server error' }),
      refused: (reason) => failure(400, 'BadRequest', reason).answer,
    }),
    commits: {
      fail: (times) => void (zone.failingRefreshes = times),
      isInForce: () => zone.isDeployed,
    },
    close: async () => fake.deleteZone(zoneName),
  }
}

const toRRsets = (records: OvhRecord[]): RRset[] =>
  rrsetsOf(
    records.map((record) => ({
      name: record.subDomain === '' ? '@' : record.subDomain,
      type: dnsTypeOf(record),
      rdata: rdataOf(record),
      ttl: record.ttl === 0 ? null : record.ttl,
    })),
  )
