import { isDeepStrictEqual } from 'node:util'
import { parseOwner, parseRelativeOwner, type NameResult } from '../../../dns/names/names.ts'
import {
  checkData,
  checkTxtStrings,
  checkValue,
  priorityOf,
  typeOf,
  type RecordData,
  type ValueCheck,
  type ValueError,
} from '../../../dns/types/index.ts'
import { unknownAmong } from '../../../plugins/http/validation/known-names.ts'
import type { RecordContent, RecordInput } from './change.ts'
import { toShownValue } from '../list/mapper.ts'

type Base = RecordContent | null

/**
 * Reads the name that a user gives a record of `zone`. The name a record was shown with stays the same. A full name is
 * made relative, unless `isTaken` says that the longer name exists.
 */
export function readOwner(
  base: Base,
  given: string,
  zone: string,
  isTaken: (name: string) => boolean,
): NameResult {
  if (given === base?.name) return { ok: true, name: given }
  const relative = parseRelativeOwner(given, zone)
  return relative.ok && isTaken(relative.name) ? relative : parseOwner(given, zone)
}

/** Returns all names that `given` may stand for. */
export const ownersIn = (given: string, zone: string): string[] =>
  [given, parseOwner(given, zone), parseRelativeOwner(given, zone)].flatMap((read) =>
    typeof read === 'string' ? [read] : read.ok ? [read.name] : [],
  )

/** Returns a canonical value unchanged. */
export const verbatimValue = (type: RecordContent['type'], value: string): ValueCheck => ({
  ok: true,
  value,
  priority: priorityOf(type, value),
})

/**
 * Reads the value that the record will have. Only what changes is checked, because existing values may break the rules
 * for users.
 */
export function readValue(base: Base, type: RecordContent['type'], input: RecordInput): ValueCheck {
  const known = base?.type === type ? base : null
  const shown = base && toShownValue(base)
  const isNew = <K extends 'value' | 'strings' | 'data' | 'priority'>(field: K, now: RecordInput[K] | null) =>
    input[field] !== undefined && !isDeepStrictEqual(input[field], now)
  const strings = isNew('strings', shown?.strings) ? input.strings : undefined
  const data = isNew('data', base && typeOf(base.type).toData(base.value)) ? input.data : undefined
  const value = known
    ? isNew('value', shown?.value)
      ? input.value
      : undefined
    : (input.value ?? shown?.value)
  const priority = isNew('priority', base?.priority ?? null) ? (input.priority ?? null) : null

  if (strings !== undefined) return readStrings(type, strings, value)
  if (data !== undefined) return readData(type, data, known ? value : input.value, priority)
  if (value !== undefined) return readNewValue(known, type, value, priority ?? null)
  if (!known) return failed({ path: 'value', code: 'required', message: 'is required' })
  return priority === null ? verbatimValue(type, known.value) : withPriority(known, priority)
}

function readStrings(type: RecordContent['type'], strings: string[], value: string | undefined): ValueCheck {
  if (type !== 'TXT') return failed({ path: 'strings', code: 'strings_for_txt', message: 'are for TXT' })
  const read = checkTxtStrings(strings)
  if (!read.ok || value === undefined || toShownValue({ type, value: read.value }).value === value)
    return read
  return failed({ path: 'strings', code: 'strings_differ', message: 'contradict the value' })
}

/** Reads the fields of a value; a value given next to them must agree. */
function readData(
  type: RecordContent['type'],
  data: RecordData,
  value: string | undefined,
  priority: number | null,
): ValueCheck {
  const known = typeOf(type).fields.map(({ name }) => name)
  const unknown = unknownAmong(data, known).map(
    ({ path, message, code, params: { nearest } }): ValueError => ({
      path: `data${path}`,
      message,
      code,
      ...(nearest !== null && { params: { nearest } }),
    }),
  )
  if (unknown.length > 0) return failed(...unknown)
  const read = checkData(type, data, priority)
  const beside = value === undefined ? read : checkValue(type, value, priority)
  if (!read.ok || (beside.ok && beside.value === read.value)) return read
  return failed({ path: 'data', code: 'data_differs', message: 'contradicts the value' })
}

function readNewValue(
  known: Base,
  type: RecordContent['type'],
  value: string,
  priority: number | null,
): ValueCheck {
  const checked = checkValue(type, value, priority)
  if (checked.ok || priority !== null || !known) return checked
  // Without a priority in the value, the record keeps its own.
  const kept = checkValue(type, value, known.priority)
  return kept.ok ? kept : checked
}

function withPriority(known: RecordContent, priority: number): ValueCheck {
  if (known.priority === null) return checkValue(known.type, known.value, priority)
  const value = known.value.replace(/^\d+/, String(priority))
  const checked = checkValue(known.type, value, priority)
  // The rest of the value may break the rules for users.
  return checked.ok || checkValue(known.type, known.value).ok ? checked : verbatimValue(known.type, value)
}

const failed = (...errors: ValueError[]): ValueCheck => ({ ok: false, errors })
