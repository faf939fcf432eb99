import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import type { Provider, RRset } from '../../../modules/providers/contract.ts'
import { sorted, type Peer } from '../suite/peer.ts'
import { unprocessable, type DigitalOceanRecord } from '../simulators/digitalocean-domain.ts'
import {
  forbidden,
  serverError,
  tooMany,
  unauthorized,
  type FakeDigitalOcean,
} from '../simulators/digitalocean.ts'
import { joinData, splitData } from '../simulators/rdata.ts'
import { isWrite } from '../simulators/server.ts'
import { httpFaults } from './http-faults.ts'
import { newMembers, rrsetsOf } from './peer-records.ts'

let domains = 0

/** A domain of its own at the fake, as a peer of the conformance suite. */
export async function digitalOceanPeer(provider: Provider, fake: FakeDigitalOcean): Promise<Peer> {
  const zoneName = `z${++domains}.conformance.test`
  const domain = fake.createDomain(zoneName)
  const own = new Set(domain.records.map(({ id }) => id))
  const credentials = { apiUrl: fake.apiUrl, apiToken: fake.token }
  const held = () => toRRsets(domain.records, zoneName)
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, apiToken: `dop_v1_${'7f3a'.repeat(16)}` },
    zoneName,
    missingZone: { id: 'missing.test', name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, ttl, member } of newMembers(held(), rrsets))
        domain.post({ ...bodyOf(type, member.value), type, name, ttl: member.ttl ?? ttl })
    },
    dump: async () =>
      sorted(
        toRRsets(
          domain.records.filter(({ id }) => !own.has(id)),
          zoneName,
        ),
      ),
    writes: () => fake.requests.filter(isWrite).length,
    faults: await httpFaults(fake, credentials, fake.token, {
      unauthorized: unauthorized().answer,
      forbidden: forbidden().answer,
      rateLimited: tooMany().answer,
      failure: serverError().answer,
      refused: (reason) => unprocessable(reason).answer,
    }),
    close: async () => fake.deleteDomain(zoneName),
  }
}

function bodyOf(type: RecordType, value: string): object {
  const { flags, tag, value: text } = typeOf(type).toData(value)
  if (type === 'CAA' && typeof text === 'string')
    return { flags, tag, data: tag === 'iodef' ? text : `${text}.` }
  const split = splitData(type, value)
  // What is shown without the final dot is sent with it.
  const isName = ['CNAME', 'MX', 'NS', 'SRV'].includes(type) && split.data !== '.'
  return isName ? { ...split, data: `${split.data}.` } : split
}

const rdataOf = (record: DigitalOceanRecord, zone: string): string =>
  record.type === 'CAA'
    ? `${record.flags} ${record.tag} "${record.data}"`
    : joinData(record.type, record, zone)

const toRRsets = (records: DigitalOceanRecord[], zone: string): RRset[] =>
  rrsetsOf(records.map((record) => ({ ...record, rdata: rdataOf(record, zone) })))
