import { relativeName } from '../../../dns/names/names.ts'
import { typeOf } from '../../../dns/types/index.ts'
import type { Provider } from '../../../modules/providers/contract.ts'
import { sorted, type Subject } from '../suite/subject.ts'
import { parametersOf, presentationOf } from '../simulators/technitium-data.ts'
import { NAME_SERVER, type TechnitiumRecord, type TechnitiumZone } from '../simulators/technitium-zone.ts'
import { accessDenied, failed, invalidToken, type TechnitiumSimulator } from '../simulators/technitium.ts'
import { httpFaults } from './http-faults.ts'
import { newMembers, rrsetsOf } from './subject-records.ts'

let zones = 0

/** A zone of its own in the simulator, as a subject of the conformance suite. */
export async function technitiumSubject(provider: Provider, sim: TechnitiumSimulator): Promise<Subject> {
  const zoneName = `z${++zones}.conformance.test`
  const zone = sim.createZone(zoneName)
  const credentials = { apiUrl: sim.apiUrl, apiToken: sim.token }
  const at = (name: string) => (name === '@' ? zoneName : `${name}.${zoneName}`)
  const change = (name: string, type: string, more: Record<string, string>) =>
    zone.add(new URLSearchParams({ domain: at(name), type, ...more }))
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, apiToken: '7f3a'.repeat(16) },
    zoneName,
    missingZone: { id: 'missing.test', name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, ttl, member } of newMembers(heldIn(zone), rrsets)) {
        const data = parametersOf(type, typeOf(type).write(member.value))
        const rest = { ttl: String(member.ttl ?? ttl), comments: member.comment ?? '' }
        change(name, type, { ...data, ...rest })
        const disabled = { domain: at(name), type, ...data, ...rest, disable: 'true' }
        if (member.disabled === true) zone.update(new URLSearchParams(disabled))
      }
    },
    dump: async () => sorted(heldIn(zone, ({ rData }) => rData['nameServer'] !== NAME_SERVER)),
    foreign: async () => {
      change('foreign', 'A', { ipAddress: '192.0.2.1', comments: 'do not touch' })
      const forwarder = { protocol: 'Udp', forwarder: '192.0.2.53', dnssecValidation: false }
      zone.hold({ name: at('foreign'), type: 'FWD', ttl: 0, rData: forwarder })
      zone.hold({ name: at('app'), type: 'APP', ttl: 60, rData: { appName: 'Failover', data: '{}' } })
      return async () =>
        zone.records
          .filter(({ type }) => type !== 'SOA')
          .map(lasting)
          .sort()
    },
    writes: () => sim.requests.filter(sim.changes).length,
    faults: await httpFaults(sim, credentials, sim.token, {
      unauthorized: invalidToken(),
      forbidden: accessDenied(),
      // Not of its own: of who stands before it.
      rateLimited: { status: 429, headers: { 'content-type': 'text/plain' }, body: 'Too Many Requests' },
      failure: { status: 500, headers: { 'content-type': 'text/plain' }, body: 'Internal Server Error' },
      refused: (reason) => failed(reason),
    }),
    close: async () => sim.deleteZone(zoneName),
  }
}

const heldIn = (zone: TechnitiumZone, isWanted: (record: TechnitiumRecord) => boolean = () => true) =>
  rrsetsOf(
    zone.records.filter(isWanted).map(({ name, type, ttl, rData, disabled, comments }) => ({
      name: relativeName(name, zone.name) ?? name,
      type,
      ttl,
      rdata: presentationOf(type, rData),
      disabled,
      comment: comments ?? '',
    })),
  )

const lasting = ({ name, type, ttl, rData, disabled, comments }: TechnitiumRecord): string =>
  JSON.stringify({ name, type, ttl, rData, disabled, comments })
