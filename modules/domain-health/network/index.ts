import { isBelow } from '../../../dns/names/names.ts'
import { findDelegation } from '../../../plugins/outbound/dns/delegation.ts'
import type { Dns } from '../../../plugins/outbound/dns/index.ts'
import type { Http } from '../../../plugins/outbound/http.ts'
import { OutboundError } from '../../../plugins/outbound/http-exchange.ts'
import type { HealthCode } from '../catalogue.ts'
import { finding, type Found } from '../checking/finding.ts'
import type { Target } from '../stored/targets.ts'
import type { StoredRecord } from '../stored/zone.ts'
import { askServers, delegationFindings } from './delegation.ts'
import { DNSSEC_CODES, dnssecFindings } from './dnssec.ts'
import { serialFindings, type Behind } from './serials.ts'
import { mtaStsFindings } from './mta-sts.ts'
import { spfFindings } from './spf.ts'
import { targetsOutside } from './targets.ts'
import type { Resolve } from './tools.ts'

export interface Asking {
  dns: Dns
  http: Http
  resolve: Resolve
  signal: AbortSignal
}

/** What the stored zone says about itself. */
export interface StoredFacts {
  targets: readonly Target[]
  /** SPF records. */
  policies: readonly StoredRecord[]
  /** It announces an MTA-STS policy. */
  hasMtaSts: boolean
  /** It must be delegated: it is registered, or below a public suffix. Other zones may be internal. */
  isPublic: boolean
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
  { targets, policies, hasMtaSts, isPublic }: StoredFacts,
  { behind, now }: { behind: Behind; now: Date },
): Promise<Found & { behind: Behind }> {
  const outside = targets.filter(({ host }) => host !== zone && !isBelow(host, zone))
  const mxHosts = targets.flatMap(({ record, host }) =>
    record.type === 'MX' && record.name === '@' ? [host] : [],
  )
  const [delegated, ...others] = await Promise.all([
    delegatedFindings(asking, { zone, isPublic }, behind, now),
    targetsOutside(asking.resolve, outside, asking.signal),
    spfFindings(asking.resolve, policies, asking.signal),
    ...(hasMtaSts ? [mtaStsFindings(asking.http, zone, mxHosts, asking.signal)] : []),
  ])
  return {
    findings: [delegated, ...others].flatMap(({ findings }) => findings),
    unknown: [delegated, ...others].flatMap(({ unknown }) => unknown),
    behind: delegated.behind,
  }
}

async function delegatedFindings(
  { dns, resolve, signal }: Asking,
  { zone, isPublic }: { zone: string; isPublic: boolean },
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
      if (!isPublic) {
        const codes: HealthCode[] = ['delegation.mismatch']
        return {
          findings: [],
          unknown: [
            { codes, subject: null, reason: 'internal', detail: `${detail} It seems to be internal.` },
          ],
          behind: {},
        }
      }
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
