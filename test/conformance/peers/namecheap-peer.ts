import { bytesOfText } from '../../../dns/text/text.ts'
import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import type { Provider, RRset } from '../../../modules/providers/contract.ts'
import { sorted, type Peer } from '../suite/peer.ts'
import { failure, rdataOf, type NamecheapHost } from '../simulators/namecheap-domain.ts'
import { badKey, forbidden, tooMany, type FakeNamecheap } from '../simulators/namecheap.ts'
import { httpFaults } from './http-faults.ts'
import { newMembers, rrsetsOf } from './peer-records.ts'

let domains = 0

/** A domain of its own at the fake, as a peer of the conformance suite; below a suffix of two labels. */
export async function namecheapPeer(provider: Provider, fake: FakeNamecheap): Promise<Peer> {
  const zoneName = `z${++domains}-conformance.co.uk`
  const domain = fake.createDomain(zoneName)
  const { apiUrl, apiUser, apiKey, clientIp } = fake
  const credentials = { apiUrl, apiUser, apiKey, userName: '', clientIp }
  const put = (more: Record<string, string>[]) => {
    const hosts = [...domain.hosts.map(toParams), ...more]
    const hasMail = hosts.some(({ recordtype }) => recordtype === 'MX')
    domain.setHosts(hosts, hasMail ? 'MX' : domain.emailType)
  }
  // As of every new domain, by which it is never without a host.
  put([{ hostname: 'parked', recordtype: 'URL', address: `http://www.${zoneName}/` }])
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, apiKey: '7f3a'.repeat(8) },
    zoneName,
    missingZone: { id: 'missing.test', name: 'missing.test' },
    seed: async (rrsets) => {
      const more = newMembers(toRRsets(domain.hosts), rrsets).map(({ name, type, ttl, member }) => ({
        ...dataOf(type, member.value),
        hostname: name,
        recordtype: type,
        ttl: String(ttl),
      }))
      if (more.length > 0) put(more)
    },
    dump: async () => sorted(toRRsets(domain.hosts)),
    foreign: async () => {
      const at = { hostname: 'foreign', ttl: '3600' }
      put([
        { ...at, recordtype: 'A', address: '192.0.2.1' },
        { ...at, hostname: 'jump', recordtype: 'URL301', address: 'http://www.example.net/?a=1&b="2"' },
        { ...at, hostname: 'frame', recordtype: 'FRAME', address: 'http://www.example.net/<x>' },
      ])
      return async () => ({ emailType: domain.emailType, hosts: domain.hosts.map(lasting).sort() })
    },
    writes: () => fake.requests.filter(fake.changes).length,
    faults: await httpFaults(fake, credentials, apiKey, {
      unauthorized: badKey().answer,
      forbidden: forbidden().answer,
      rateLimited: tooMany().answer,
      failure: failure(5_050_900, 'Unknown exceptions').answer,
      refused: (reason) => failure(2_050_900, reason).answer,
    }),
    close: async () => fake.deleteDomain(zoneName),
  }
}

function dataOf(type: RecordType, value: string): Record<string, string> {
  if (type === 'TXT') return { address: bytesOfText(value).toString() }
  const rdata = typeOf(type).write(value)
  const [mxpref = '', address = ''] = rdata.split(/ (.*)/)
  return type === 'MX' ? { mxpref, address } : { address: rdata }
}

const toParams = ({ Name, Type, Address, MXPref, TTL }: NamecheapHost): Record<string, string> => ({
  hostname: Name,
  recordtype: Type,
  address: Address,
  mxpref: String(MXPref),
  ttl: String(TTL),
})

const toRRsets = (hosts: NamecheapHost[]): RRset[] =>
  rrsetsOf(hosts.map((host) => ({ name: host.Name, type: host.Type, rdata: rdataOf(host), ttl: host.TTL })))

/** What of a host is the same when it was made anew. */
const lasting = ({ Name, Type, Address, MXPref, TTL }: NamecheapHost): string =>
  JSON.stringify({ Name, Type, Address, MXPref, TTL })
