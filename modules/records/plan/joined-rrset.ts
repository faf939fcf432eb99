import { shown } from '../../../dns/text/messages.ts'
import { rrsetKey, type RRsetKey } from '../../../dns/names/rrset.ts'
import type { FieldError } from '../../../plugins/http/errors.ts'
import type { RecordContent, RecordInput, RecordState } from './change.ts'
import type { PlannedNames } from './planned-names.ts'

type OfRRset = Pick<RecordContent, 'routing' | 'extra'>

/**
 * Returns which RRset of its name and type a record will be in, and the provider's extra data: the record's own if it
 * stays in its RRset, else that of the RRset it joins.
 */
export function rrsetFor(
  names: PlannedNames,
  base: RecordState | null,
  { name, type }: RRsetKey,
  input: RecordInput,
  verbatim: boolean,
): ({ ok: true } & OfRRset) | { ok: false; error: FieldError } {
  const wanted = input.routing === undefined ? (base?.routing ?? null) : input.routing
  if (verbatim && input.extra !== undefined) return { ok: true, routing: wanted, extra: input.extra }
  const key = { name, type, routing: wanted }
  if (base && rrsetKey(base) === rrsetKey(key)) return { ok: true, routing: base.routing, extra: base.extra }
  const joined = names.rrset(key).served(null)?.state
  if (wanted && !joined) {
    const message = `${name} has no routing set ${shown(wanted.key)} of ${type} records; create it at the provider`
    return { ok: false, error: { path: '/routing', code: 'routing_unknown', message } }
  }
  const set = joined?.extra?.set
  return { ok: true, routing: joined?.routing ?? null, extra: set === undefined ? null : { set } }
}

/**
 * Returns the TTL that a record will have. An RRset has one TTL (RFC 2181 section 5.2), so a record that joins without a
 * TTL takes it over. `ofRRset`: undefined if the RRset is empty or each record has its own TTL.
 */
export function ttlFor(
  base: RecordState | null,
  key: RRsetKey,
  wanted: number | null | undefined,
  { verbatim, ofRRset, usual }: { verbatim: boolean; ofRRset: number | null | undefined; usual: number },
): number | null {
  if (wanted !== undefined && (wanted !== 0 || verbatim || base?.ttl === 0)) return wanted
  if (wanted === undefined && base !== null && rrsetKey(base) === rrsetKey(key)) return base.ttl
  if (ofRRset !== undefined) return ofRRset
  return base !== null && wanted === undefined ? base.ttl : usual
}
