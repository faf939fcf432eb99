import type { ReasonCode } from '../../../schemas/codes/reason-codes.ts'
import { absoluteName } from '../../../dns/names/names.ts'
import { rrsetKey } from '../../../dns/names/rrset.ts'
import { txtToText } from '../../../dns/types/txt.ts'
import { splitLabels } from '../../../dns/wire/wire-name.ts'
import { describe, type RecordContent } from './change.ts'

/** A record of the zone as it will be after the change. */
export type Neighbour = Pick<RecordContent, 'name' | 'type' | 'value'>

/** Records that may affect the written ones, indexed once for all of them. */
interface Neighbourhood {
  sets: Map<string, Neighbour[]>
  /** NS records below the apex, by the name at which they cut the zone (RFC 1034 section 4.2.1). */
  cuts: Map<string, Neighbour[]>
  /** Records that a delegation hides, by the name of the delegation. */
  hidden: Map<string, Neighbour[]>
  /** Records below a DNAME, which redirects all names there (RFC 6672), by the name of the DNAME. */
  dnames: Set<string>
  covered: Map<string, Neighbour[]>
  /** Records that must point to an address, by the full name they point to. */
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

/** A warning: its code for programs, and its text. */
export interface Said {
  code: ReasonCode
  message: string
  /** Further values that the text names. */
  params?: Record<string, string | number>
}

/** Warns about a record together with others of its name. */
export function aboutName(content: RecordContent, { sets }: Neighbourhood): Said[] {
  const { name, type, value } = content
  const set = sets.get(rrsetKey(content)) ?? []
  if (type === 'NS' && name.startsWith('*')) {
    const message = `${describe(content)}: BIND and others refuse zones with NS at a wildcard (RFC 4592, 4.2)`
    return [{ code: 'wildcard_ns', message }]
  }
  if (type === 'MX' && set.length > 1 && set.some((mx) => mx.value === '0 .')) {
    const message = `${name} has a null MX ("0 .") next to other MX records (RFC 7505, 3)`
    return [{ code: 'null_mx_beside_mx', message }]
  }
  if (type !== 'TXT' || set.length === 1) return []
  const isSecond = (policy: RegExp) =>
    policy.test(txtToText(value)) && set.filter((txt) => policy.test(txtToText(txt.value))).length > 1
  if (isSecond(SPF)) {
    const message = `${name} has more than one SPF record, so mail servers ignore them all (RFC 7208, 4.5)`
    return [{ code: 'second_spf', message }]
  }
  if (splitLabels(name)[0] === '_dmarc' && isSecond(DMARC)) {
    const message = `${name} has more than one DMARC record, so mail servers ignore them all (RFC 7489, 6.6.3)`
    return [{ code: 'second_dmarc', message }]
  }
  return []
}

/** Warns about a record together with others elsewhere in the zone: delegations and records that point to it. */
export function aboutZone(content: RecordContent, near: Neighbourhood, zone: string): Said[] {
  const { name, type } = content
  const pointers = type === 'CNAME' ? (near.pointers.get(absoluteName(name, zone)) ?? []) : []
  const warnings = pointers.map((other): Said => ({
    code: 'target_cname',
    message: `${describe(other)} points to ${name}, which is a CNAME; ${other.type} must not point to one (RFC 2181, 10.3)`,
  }))
  const cut = hidingCut(content, near.cuts)
  if (cut !== null) {
    warnings.push({
      code: 'hidden_by_delegation',
      params: { above: cut },
      message: `${describe(content)} will not resolve because ${cut} is delegated`,
    })
  }
  const dname = coveringDname(content, near.dnames)
  if (dname !== null) {
    const message = `${describe(content)} will not resolve because the DNAME of ${dname} redirects all names below it`
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

/** A delegation or DNAME that hides a record from resolvers. */
export interface HiddenBy {
  code: 'hidden_by_delegation' | 'hidden_by_dname'
  above: string
}

/** Returns what hides the record. `above`: the NS and DNAME records at its name and above. Null: it resolves. */
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

/**
 * Returns the delegation that hides the record; null if none does, or if the record belongs to the
 * delegation.
 */
function hidingCut({ name, type }: Neighbour, cuts: Map<string, Neighbour[]>): string | null {
  const cut = ancestorsOf(name).findLast((ancestor) => cuts.has(ancestor))
  if (cut === undefined || (name === cut && type === 'NS')) return null
  // Glue: addresses of the servers of the delegation.
  const isGlue =
    (type === 'A' || type === 'AAAA') && cuts.get(cut)?.some((ns) => ns.value.startsWith(`${name}.`))
  return isGlue ? null : cut
}

/** Returns the DNAME above the record that hides it; null if none does. */
const coveringDname = ({ name }: Neighbour, dnames: ReadonlySet<string>): string | null =>
  name === '@' ? null : ([...ancestorsOf(name).slice(1), '@'].findLast((above) => dnames.has(above)) ?? null)

/** Returns the name and those above it in the zone, without the apex: `a.b` and `b`. */
export function ancestorsOf(name: string): string[] {
  const labels = name === '@' ? [] : splitLabels(name)
  return labels.map((_, i) => labels.slice(i).join('.'))
}
