import { absoluteName, relativeName } from '../../../dns/names/names.ts'
import { readType, typeOf } from '../../../dns/types/index.ts'
import type { Provider, RRset } from '../../../modules/providers/contract.ts'
import { sorted, type Subject } from '../suite/subject.ts'
import {
  backendError,
  forbidden,
  invalid,
  rateLimited,
  unauthenticated,
} from '../simulators/google-answers.ts'
import { meaningOf, type GoogleRRset } from '../simulators/google-zone.ts'
import type { GoogleSimulator } from '../simulators/google.ts'
import { isWrite } from '../simulators/server.ts'
import { httpFaults } from './http-faults.ts'

let zones = 0

/** A managed zone of its own in the simulator, as a subject of the conformance suite. */
export async function googleSubject(provider: Provider, sim: GoogleSimulator): Promise<Subject> {
  const zoneName = `z${++zones}.conformance.test`
  const zone = sim.createZone(zoneName)
  const serviceAccount = JSON.stringify(sim.key, null, 2)
  // Of the same account, and by a key that is not its own.
  const wrong = JSON.stringify({ ...sim.key, private_key: sim.readKey.private_key }, null, 2)
  const credentials = { apiUrl: sim.apiUrl, serviceAccount, project: '' }
  const seen = () =>
    zone.rrsets.filter(({ name, type }) => name !== zone.dnsName || !['NS', 'SOA'].includes(type))
  /** In place of what is there of the same names and types. */
  const put = (additions: GoogleRRset[]) => {
    const keyOf = ({ name, type }: GoogleRRset) => `${name} ${type}`
    const keys = new Set(additions.map(keyOf))
    const deletions = zone.rrsets.filter((rrset) => keys.has(keyOf(rrset)))
    for (const part of parts(deletions)) zone.change({ deletions: part })
    for (const part of parts(additions)) zone.change({ additions: part })
  }
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, serviceAccount: wrong },
    zoneName,
    missingZone: { id: 'missing-test', name: 'missing.test' },
    seed: async (rrsets) => put(rrsets.map((rrset) => fromRRset(rrset, zoneName))),
    dump: async () => sorted(seen().flatMap((rrset) => toRRset(rrset, zoneName))),
    foreign: async () => {
      const own = (name: string, type: string) => ({ name: `${name}.${zone.dnsName}`, type, ttl: 3600 })
      const items = [
        { weight: 1, rrdatas: ['192.0.2.41'] },
        { weight: 9, rrdatas: ['192.0.2.42', '192.0.2.43'] },
      ]
      put([
        { ...own('foreign', 'A'), rrdatas: ['192.0.2.1'] },
        { ...own('foreign', 'SPF'), rrdatas: ['"v=spf1 -all"'] },
        {
          ...own('foreign', 'AAAA'),
          routingPolicy: { geo: { items: [{ location: 'europe-west1', rrdatas: ['2001:db8::1'] }] } },
        },
        { ...own('weighted', 'A'), routingPolicy: { wrr: { items } } },
        { ...own('tunnel', 'IPSECKEY'), rrdatas: ['10 0 2 . AQNRU3mG7TVTO2BkR47usntb102uFJtu'] },
      ])
      return async () => seen().map(lasting).sort()
    },
    writes: () => sim.requests.filter(isWrite).length,
    faults: await httpFaults(sim, credentials, serviceAccount, {
      unauthorized: unauthenticated().answer,
      forbidden: forbidden().answer,
      rateLimited: rateLimited().answer,
      failure: backendError().answer,
      refused: (reason) => invalid(reason).answer,
    }),
    delay: { set: sim.setPending, left: sim.pending },
    close: async () => sim.deleteZone(zone.name),
  }
}

/** As many as a change takes. */
const parts = (all: GoogleRRset[]) =>
  Array.from({ length: Math.ceil(all.length / 1000) }, (_, i) => all.slice(i * 1000, (i + 1) * 1000))

const fromRRset = ({ name, type, ttl, members }: RRset, zone: string): GoogleRRset => ({
  name: `${absoluteName(name, zone)}.`,
  type,
  ttl: ttl ?? 300,
  rrdatas: members.map(({ value }) => typeOf(type).write(value)),
})

/** Sets with a policy, and types that we don't manage, are none. */
function toRRset({ name, type, ttl, rrdatas }: GoogleRRset, zone: string): RRset[] {
  const known = readType(type)
  if (known === null || rrdatas === undefined) return []
  const members = rrdatas.flatMap((text) => {
    const value = meaningOf(type, text)
    return value === null ? [] : [{ value }]
  })
  return [{ name: relativeName(name.slice(0, -1), zone) ?? name, type: known, ttl, members }]
}

/** The order of values means nothing. */
const lasting = ({ rrdatas, ...rest }: GoogleRRset): string =>
  JSON.stringify({ ...rest, rrdatas: rrdatas?.toSorted() })
