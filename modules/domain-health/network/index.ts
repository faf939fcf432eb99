import { isBelow } from '../../../dns/names/names.ts'
import { findDelegation } from '../../../plugins/outbound/dns/delegation.ts'
import type { Dns } from '../../../plugins/outbound/dns/index.ts'
import { OutboundError } from '../../../plugins/outbound/http-exchange.ts'
import type { HealthCode } from '../catalogue.ts'
import { finding, type Found } from '../checking/finding.ts'
import type { Target } from '../stored/targets.ts'
import { askServers, delegationFindings } from './delegation.ts'
import { DNSSEC_CODES, dnssecFindings } from './dnssec.ts'
import { serialFindings, type Behind } from './serials.ts'
import { targetsOutside } from './targets.ts'
import type { Resolve } from './tools.ts'

export interface Asking {
  dns: Dns
  resolve: Resolve
  signal: AbortSignal
}

const OF_DELEGATION: HealthCode[] = [
  'delegation.mismatch',
  'delegation.lame',
  'delegation.unreachable',
  'delegation.glue_missing',
  'soa.differs',
  ...DNSSEC_CODES,
]

/** What servers of others say about a zone; `behind` as of the last check and now. */
export async function askedFindings(
  asking: Asking,
  zone: string,
  { targets, behind, now }: { targets: readonly Target[]; behind: Behind; now: Date },
): Promise<Found & { behind: Behind }> {
  const outside = targets.filter(({ host }) => host !== zone && !isBelow(host, zone))
  const [delegated, pointing] = await Promise.all([
    delegatedFindings(asking, zone, behind, now),
    targetsOutside(asking.resolve, outside, asking.signal),
  ])
  return {
    findings: [...delegated.findings, ...pointing.findings],
    unknown: [...delegated.unknown, ...pointing.unknown],
    behind: delegated.behind,
  }
}

async function delegatedFindings(
  { dns, resolve, signal }: Asking,
  zone: string,
  behind: Behind,
  now: Date,
): Promise<Found & { behind: Behind }> {
  const tools = { resolve, query: dns.query, port: dns.nameServerPort }
  const nothing = (detail: string) => ({
    findings: [],
    unknown: [{ codes: OF_DELEGATION, subject: null, reason: 'no_answer', detail }],
    behind,
  })
  try {
    const delegation = await findDelegation(tools, zone, signal)
    if (delegation === null) {
      const detail = `The parent zone does not delegate ${zone}.`
      const about = { code: 'delegation.mismatch', name: '@', type: 'NS', subject: 'none' } as const
      return { findings: [finding({ ...about, detail, params: { zone } })], unknown: [], behind: {} }
    }
    const asked = await askServers(dns, zone, delegation, signal)
    const serials = serialFindings(asked, behind, now)
    const found = await delegationFindings({ dns, resolve }, zone, delegation, asked, signal)
    const signed = await dnssecFindings(dns, zone, delegation, asked, now, signal)
    return {
      findings: [...found.findings, ...serials.findings, ...signed.findings],
      unknown: [...found.unknown, ...signed.unknown],
      behind: serials.behind,
    }
  } catch (error) {
    if (error instanceof OutboundError && error.kind !== 'aborted')
      return nothing('Neither the resolvers nor the servers of the parent zone answer.')
    throw error
  }
}
