import type { ReasonCode } from '../../../../schemas/codes/reason-codes.ts'
import {
  moveAddress,
  networkOfAddress,
  readNetwork,
  type Network,
} from '../../../../dns/addresses/networks.ts'
import { rrsetKey } from '../../../../dns/names/rrset.ts'
import { checkValue, RECORD_TYPES, type RecordType } from '../../../../dns/types/index.ts'
import { parseOwner } from '../../../../dns/names/names.ts'
import { invalid, type FieldError } from '../../../../plugins/http/errors.ts'
import type { RequestedChange, RecordState } from '../../plan/change.ts'
import type { DomainRequests } from '../planned.ts'
import type { Found, Sought } from './find-queries.ts'
import { replaceInside, TYPES_WITH_ADDRESSES, type Move } from './inside.ts'
import type { ReplaceBody } from './schemas.ts'

/** What to find, and its replacement. */
export interface Replacement {
  sought: Sought
  /** Set if addresses are replaced, which may also be inside other values. */
  move: Move | null
  /** Returns the new value of a found record; null to keep its value. */
  valueFor: (record: { type: RecordType; value: string }) => string | null
  ttl: number | null | undefined
}

const fault = (path: string, code: ReasonCode, message: string): FieldError => ({ path, code, message })

/** Reads the body; throws a 400 with all errors. */
export function readReplacement({ find, replaceWith }: ReplaceBody): Replacement {
  const errors: FieldError[] = []
  const { value, cidr, type, recordIds = null } = find
  if (value !== undefined && cidr !== undefined) {
    errors.push(fault('/find', 'value_or_cidr', 'must have either value or cidr, not both'))
  }
  const isByPlace = value === undefined && cidr === undefined
  if (isByPlace && type === undefined && find.name === undefined && recordIds === null) {
    errors.push(
      fault('/find', 'value_or_cidr', 'must have value or cidr, or at least type, name or recordIds'),
    )
  }
  if (isByPlace && replaceWith.value !== undefined && type === undefined) {
    errors.push(fault('/find/type', 'type_for_value', 'is required for a new value if no old value is given'))
  }
  if (replaceWith.value === undefined && replaceWith.ttl === undefined) {
    errors.push(fault('/replaceWith', 'value_or_ttl', 'must have a value, a ttl, or both'))
  }
  const name = find.name === undefined ? null : ownerIn(find.name, errors)
  const network = cidr === undefined ? null : networkIn(cidr, type, errors)
  const values = value === undefined ? null : valuesIn(value, type, errors)
  const valueFor = network
    ? movedIn(network, replaceWith.value, errors)
    : sameIn(replaceWith.value, type, errors)
  if (errors.length > 0) throw invalid(...errors)
  const sought = { values, network, name, type: type ?? null, recordIds }
  const isWhole = value !== undefined && type !== undefined
  const move = isWhole ? null : moveIn(network ?? networkOfAddress(value?.trim() ?? ''), replaceWith.value)
  return { sought, move, valueFor, ttl: replaceWith.ttl }
}

/** Returns null if no address is replaced. */
function moveIn(from: Network | null, value: string | undefined): Move | null {
  if (from === null || value === undefined) return null
  const to = value.includes('/') ? readNetwork(value) : networkOfAddress(value.trim())
  return { from, to: to?.type === from.type ? to : null }
}

/** Reads a relative name; a full name is not possible, because the domain is not known. */
function ownerIn(given: string, errors: FieldError[]): string {
  const read = parseOwner(given, 'invalid')
  if (read.ok) return read.name
  errors.push(fault('/find/name', read.code, read.reason))
  return '@'
}

function networkIn(cidr: string, type: RecordType | undefined, errors: FieldError[]): Network | null {
  const network = readNetwork(cidr)
  if (network === null) {
    const message =
      'must be a network such as "192.0.2.0/24" or "2001:db8::/64", without bits beyond its prefix'
    errors.push(fault('/find/cidr', 'cidr', message))
  } else if (type !== undefined && type !== network.type && !TYPES_WITH_ADDRESSES.includes(type)) {
    const types = [network.type, ...TYPES_WITH_ADDRESSES].join(', ')
    errors.push(fault('/find/type', 'cidr_type', `must be one of ${types}, or left out, with this cidr`))
  }
  return network
}

/** Returns the canonical value for its type, or for each type it is valid for. */
function valuesIn(given: string, type: RecordType | undefined, errors: FieldError[]): Sought['values'] {
  const checked = (type ? [type] : RECORD_TYPES).map((type) => ({ type, check: checkValue(type, given) }))
  const found = checked.flatMap(({ type, check }) => (check.ok ? [{ type, value: check.value }] : []))
  const refused =
    type === 'A' || type === 'AAAA' ? checked.flatMap(({ check }) => (check.ok ? [] : check.errors)) : []
  errors.push(...refused.map((error) => ({ ...error, path: `/find/${error.path}` })))
  // Existing values may break the rules for users: then the value is searched as given.
  return found.length > 0 || !type ? found : [{ type, value: given }]
}

function sameIn(value: string | undefined, type: RecordType | undefined, errors: FieldError[]) {
  const check = value !== undefined && type !== undefined ? checkValue(type, value) : null
  if (check && !check.ok) {
    errors.push(...check.errors.map((error) => ({ ...error, path: `/replaceWith/${error.path}` })))
  }
  return () => value ?? null
}

function movedIn(from: Network, value: string | undefined, errors: FieldError[]): Replacement['valueFor'] {
  if (value === undefined) return () => null
  const to = value.includes('/') ? readNetwork(value) : networkOfAddress(value)
  const isAddress = !value.includes('/')
  if (to?.type !== from.type || (!isAddress && to.prefix !== from.prefix)) {
    const message = `must be an ${from.type === 'A' ? 'IPv4' : 'IPv6'} address, or a network of /${from.prefix}`
    errors.push(fault('/replaceWith/value', 'cidr_size', message))
    return () => null
  }
  return (record) => moveAddress(record.value, to)
}

/**
 * Returns the requests for one domain. A record whose new value would be a duplicate in its RRset is deleted instead.
 */
export function requestsFor(
  found: readonly Found[],
  current: readonly RecordState[],
  { valueFor, move, ttl }: Replacement,
): DomainRequests {
  const warnings: NonNullable<DomainRequests['warnings']> = []
  const states = new Map(current.map((state) => [state.id, state]))
  const ids = new Set(found.map(({ id }) => id))
  const keyOf = (state: RecordState, value: string) => `${rrsetKey(state)} ${value}`
  const taken = new Set(current.filter(({ id }) => !ids.has(id)).map((state) => keyOf(state, state.value)))
  const requests = found.flatMap(({ id, type, value, version, isInside }): RequestedChange[] => {
    const state = states.get(id)
    if (!state) return []
    const inside = isInside && move ? replaceInside(type, value, move) : null
    if (inside && inside.left.length > 0) warnings.push(leftIn(state, inside.left))
    if (isInside && !inside?.value) return []
    const wanted = inside?.value ?? valueFor({ type, value })
    const check = wanted === null ? null : checkValue(type, wanted)
    const key = keyOf(state, check?.ok ? check.value : (wanted ?? value))
    if (taken.has(key)) return [{ action: 'delete', recordId: id, version }]
    taken.add(key)
    // The TTL is meant for address records, not for records that contain addresses.
    const isTtl = ttl !== undefined && !isInside
    const set = { ...(wanted !== null && { value: wanted }), ...(isTtl && { ttl }) }
    return [{ action: 'update', recordId: id, version, ...set }]
  })
  return { requests, warnings }
}

const leftIn = ({ name, type }: RecordState, left: string[]) => ({
  code: 'address_left' as const,
  params: { name, recordType: type, values: left.join(' ') },
  message: `${name} ${type} still contains ${left.join(' ')}; change it separately if needed`,
})
