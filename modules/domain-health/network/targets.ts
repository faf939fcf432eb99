import { readFileSync } from 'node:fs'
import { isBelow } from '../../../dns/names/names.ts'
import { typeOf } from '../../../dns/types/index.ts'
import { RCODE } from '../../../dns/wire/message.ts'
import { typeCode } from '../../../dns/wire/type-codes.ts'
import type { DnsAnswer } from '../../../plugins/outbound/dns/index.ts'
import { OutboundError } from '../../../plugins/outbound/http-exchange.ts'
import { inParallel } from '../../../plugins/work/in-parallel.ts'
import { finding, type Finding, type Found } from '../checking/finding.ts'
import type { Target } from '../stored/targets.ts'
import { deleteOf } from '../stored/zone.ts'
import { isDefinite, orFailure, type Resolve } from './tools.ts'

interface Service {
  service: string
  /** Names that customers claim are below these. */
  below: string[]
  /** Only names with so many labels more can be claimed; others are made up by the service. */
  labels?: number
  source: string
}

/** Hosting services whose names others can claim once they are free. */
const SERVICES = JSON.parse(
  readFileSync(new URL('hosting-services.json', import.meta.url), 'utf8'),
) as Service[]

/** Unanswered questions after which asking ends. */
const MAX_SILENCES = 4
/** Questions at the same time for one domain. */
const AT_ONCE = 8

/** Asks the resolvers for targets outside of the zone. */
export async function targetsOutside(
  resolve: Resolve,
  targets: readonly Target[],
  signal: AbortSignal,
): Promise<Found> {
  const byHost = [...Map.groupBy(targets, ({ host }) => host)]
  const found: Found = { findings: [], unknown: [] }
  let silences = 0
  await inParallel(byHost, AT_ONCE, async ([host, pointing]) => {
    const judged = silences < MAX_SILENCES ? await judge(resolve, host, signal) : 'silence'
    if (judged === 'silence') silences += 1
    if (judged === 'silence' || judged === 'unknown') found.unknown.push(notChecked(host))
    else found.findings.push(...pointing.flatMap(({ record }) => toFindings(judged, record, host)))
  })
  return found
}

const notChecked = (host: string): Found['unknown'][number] => ({
  codes: ['target.missing', 'target.dangling', 'mail.mx_without_address'],
  subject: host,
  reason: 'no_answer',
  detail: `The resolvers do not say whether ${host} exists.`,
})

interface Judged {
  state: 'missing' | 'without_address' | 'sound'
  /** The name at the end of the aliases. */
  end: string
}

/** `silence`: no resolver answers at all; `unknown`: none can tell, as for a name whose servers are broken. */
async function judge(
  resolve: Resolve,
  host: string,
  signal: AbortSignal,
): Promise<Judged | 'unknown' | 'silence'> {
  const four = await orFailure(resolve({ name: host, type: 'A' }, signal))
  if (four instanceof OutboundError) return 'silence'
  if (!isDefinite(four)) return 'unknown'
  const end = endOf(four, host)
  if (four.rcode === RCODE.NXDOMAIN) return { state: 'missing', end }
  if (has(four, 'A')) return { state: 'sound', end }
  const six = await orFailure(resolve({ name: host, type: 'AAAA' }, signal))
  if (!isDefinite(six)) return 'unknown'
  return { state: has(six, 'AAAA') ? 'sound' : 'without_address', end }
}

const has = ({ answers }: DnsAnswer, type: 'A' | 'AAAA') =>
  answers.some((record) => record.type === typeCode(type))

/** Follows the aliases of an answer. */
function endOf({ answers }: DnsAnswer, host: string): string {
  const aliases = new Map(
    answers
      .filter(({ type }) => type === typeCode('CNAME'))
      .map(({ name, data }) => [name, typeOf('CNAME').fromWire(data)]),
  )
  let end = host
  for (let steps = aliases.size; steps > 0; steps--) end = aliases.get(end) ?? end
  return end
}

function toFindings({ state, end }: Judged, record: Target['record'], host: string): Finding[] {
  const { name, type } = record
  const about = { name, type, subject: host }
  if (state === 'without_address' && type === 'MX')
    return [
      finding({
        ...about,
        code: 'mail.mx_without_address',
        detail: `${host} has no address.`,
        params: { host },
      }),
    ]
  if (state !== 'missing') return []
  const isAlias = type === 'CNAME' || type === 'ALIAS' || type === 'ANAME'
  const service = isAlias ? SERVICES.find((service) => isClaimable(service, end)) : undefined
  const fix = isAlias ? [deleteOf(record)] : null
  if (!service)
    return [
      finding({ ...about, code: 'target.missing', detail: `${host} does not exist.`, params: { host }, fix }),
    ]
  const detail = `${end} is a free name of ${service.service}; others can claim it.`
  return [
    finding({
      ...about,
      code: 'target.dangling',
      detail,
      params: { host, end, service: service.service },
      fix,
    }),
  ]
}

const isClaimable = ({ below, labels }: Service, name: string): boolean =>
  below.some(
    (zone) =>
      isBelow(name, zone) &&
      (labels === undefined || name.split('.').length - zone.split('.').length === labels),
  )
