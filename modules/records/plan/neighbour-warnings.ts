import type { ReasonCode } from '../../../schemas/reason-codes.ts'
import { absoluteName } from '../../../dns/names/names.ts'
import { rrsetKey } from '../../../dns/names/rrset.ts'
import { txtToText } from '../../../dns/types/txt.ts'
import { splitLabels } from '../../../dns/wire/wire-name.ts'
import { describe, type RecordContent } from './change.ts'

/** A record of the zone as it is after the change. */
export type Neighbour = Pick<RecordContent, 'name' | 'type' | 'value'>

/** What may matter to records that are written, made once for all of them. */
interface Neighbourhood {
  sets: Map<string, Neighbour[]>
  /** The NS by the names, other than the apex, at which they cut the zone (RFC 1034 section 4.2.1). */
  cuts: Map<string, Neighbour[]>
  /** What a delegation hides, by its name. */
  hidden: Map<string, Neighbour[]>
  /** Names below each of these are elsewhere (RFC 6672), and what stands there nevertheless, by that name. */
  dnames: Set<string>
  covered: Map<string, Neighbour[]>
  /** What points to a full name and must point to an address. */
  pointers: Map<string, Neighbour[]>
}

const POINTERS = new Set(['MX', 'NS', 'SRV'])

export function neighbourhoodOf(there: Neighbour[]): Neighbourhood {
  const delegating = there.filter(({ name, type }) => type === 'NS' && name !== '@')
  const cuts = Map.groupBy(delegating, ({ name }) => name)
  const dnames = new Set(there.filter(({ type }) => type === 'DNAME').map(({ name }) => name))
  const covered = there.filter((record) => coveringDname(record, dnames) !== null)
  const behind = there.filter((record) => hidingCut(record, cuts) !== null)
  return {
    sets: Map.groupBy(there, rrsetKey),
    cuts,
    hidden: Map.groupBy(behind, (record) => hidingCut(record, cuts) ?? ''),
    dnames,
    covered: Map.groupBy(covered, (record) => coveringDname(record, dnames) ?? ''),
    pointers: Map.groupBy(
      there.filter(({ type }) => POINTERS.has(type)),
      ({ value }) => value.slice(value.lastIndexOf(' ') + 1),
    ),
  }
}

const SPF = /^v=spf1(?: |$)/i
const DMARC = /^v=DMARC1\b/

/** A warning, by its code for programs and in words. */
export interface Said {
  code: ReasonCode
  message: string
  /** What the words name beside the record. */
  params?: Record<string, string | number>
}

/** What is wrong with a record together with others of its name. */
export function aboutName(content: RecordContent, { sets }: Neighbourhood): Said[] {
  const { name, type, value } = content
  const set = sets.get(rrsetKey(content)) ?? []
  if (type === 'NS' && name.startsWith('*')) {
    const message = `${describe(content)}: BIND and others load no zone with NS at a wildcard (RFC 4592, 4.2)`
    return [{ code: 'wildcard_ns', message }]
  }
  if (type === 'MX' && set.length > 1 && set.some((mx) => mx.value === '0 .')) {
    const message = `${name} says with "0 ." that there is no mail, and has other MX beside it (RFC 7505, 3)`
    return [{ code: 'null_mx_beside_mx', message }]
  }
  if (type !== 'TXT' || set.length === 1) return []
  const isSecond = (policy: RegExp) =>
    policy.test(txtToText(value)) && set.filter((txt) => policy.test(txtToText(txt.value))).length > 1
  if (isSecond(SPF)) {
    const message = `${name} has more than one SPF record, and mail servers then take none (RFC 7208, 4.5)`
    return [{ code: 'second_spf', message }]
  }
  if (splitLabels(name)[0] === '_dmarc' && isSecond(DMARC)) {
    const message = `${name} has more than one DMARC record, and mail servers then take none (RFC 7489, 6.6.3)`
    return [{ code: 'second_dmarc', message }]
  }
  return []
}

/** What is wrong with a record and others elsewhere in the zone: delegations, and what points to it. */
export function aboutZone(content: RecordContent, near: Neighbourhood, zone: string): Said[] {
  const { name, type } = content
  const pointers = type === 'CNAME' ? (near.pointers.get(absoluteName(name, zone)) ?? []) : []
  const warnings = pointers.map((other): Said => ({
    code: 'target_cname',
    message: `${describe(other)} points to ${name}, a CNAME, which ${other.type} must not (RFC 2181, 10.3)`,
  }))
  const cut = hidingCut(content, near.cuts)
  if (cut !== null) {
    warnings.push({
      code: 'hidden_by_delegation',
      params: { above: cut },
      message: `${describe(content)} is hidden by the delegation of ${cut}: nobody is answered with it here`,
    })
  }
  const dname = coveringDname(content, near.dnames)
  if (dname !== null) {
    const message = `${describe(content)} is hidden by the DNAME of ${dname}: all names below are elsewhere`
    warnings.push({ code: 'hidden_by_dname', message, params: { above: dname } })
  }
  const covered = type === 'DNAME' ? (near.covered.get(name) ?? []) : []
  if (covered[0]) {
    const message = `The DNAME of ${name} hides ${covered.length} records below it, such as ${describe(covered[0])}`
    warnings.push({ code: 'dname_hides', message, params: { count: covered.length } })
  }
  const hidden = type === 'NS' ? (near.hidden.get(name) ?? []) : []
  if (hidden[0]) {
    warnings.push({
      code: 'delegation_hides',
      params: { count: hidden.length },
      message: `The delegation of ${name} hides ${hidden.length} records of this zone, such as ${describe(hidden[0])}`,
    })
  }
  return warnings
}

/** What hides a record from everybody who asks: the name of a delegation or a DNAME above it. */
export interface HiddenBy {
  code: 'hidden_by_delegation' | 'hidden_by_dname'
  above: string
}

/** What hides the record, of the NS and DNAME records at its name and above; null: it is answered. */
export function hiddenBy(record: Neighbour, above: readonly Neighbour[]): HiddenBy | null {
  const delegating = above.filter(({ name, type }) => type === 'NS' && name !== '@')
  const cut = hidingCut(
    record,
    Map.groupBy(delegating, ({ name }) => name),
  )
  if (cut !== null) return { code: 'hidden_by_delegation', above: cut }
  const dnames = above.filter(({ type }) => type === 'DNAME')
  const dname = coveringDname(record, new Set(dnames.map(({ name }) => name)))
  return dname === null ? null : { code: 'hidden_by_dname', above: dname }
}

/** The delegation by which the record is not answered; null: it is, or it is a part of the delegation itself. */
function hidingCut({ name, type }: Neighbour, cuts: Map<string, Neighbour[]>): string | null {
  const cut = ancestorsOf(name).findLast((ancestor) => cuts.has(ancestor))
  if (cut === undefined || (name === cut && type === 'NS')) return null
  // Addresses of the servers that are delegated to.
  const isGlue =
    (type === 'A' || type === 'AAAA') && cuts.get(cut)?.some((ns) => ns.value.startsWith(`${name}.`))
  return isGlue ? null : cut
}

/** The DNAME above the record, so that it is not answered; null: there is none. */
const coveringDname = ({ name }: Neighbour, dnames: ReadonlySet<string>): string | null =>
  name === '@' ? null : ([...ancestorsOf(name).slice(1), '@'].findLast((above) => dnames.has(above)) ?? null)

/** The name and those above it in the zone, without the apex: `a.b` and `b`. */
export function ancestorsOf(name: string): string[] {
  const labels = name === '@' ? [] : splitLabels(name)
  return labels.map((_, i) => labels.slice(i).join('.'))
}
