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
 * The name that a user gives a record of `zone`. What was shown of the record means the same when it is given
 * back. Else a full name is shortened, unless `isTaken` says that there is something at the longer one.
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

/** All names that `given` may stand for. */
export const ownersIn = (given: string, zone: string): string[] =>
  [given, parseOwner(given, zone), parseRelativeOwner(given, zone)].flatMap((read) =>
    typeof read === 'string' ? [read] : read.ok ? [read.name] : [],
  )

/** A value that is canonical already. */
export const verbatimValue = (type: RecordContent['type'], value: string): ValueCheck => ({
  ok: true,
  value,
  priority: priorityOf(type, value),
})

/**
 * The value that the record will have: only what is newly said is judged, as what is there may break the rules
 * that we have for users.
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
  return failed({ path: 'strings', code: 'strings_differ', message: 'say another text than the value' })
}

/** Beside fields that are new, a value must say the same. */
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
  return failed({ path: 'data', code: 'data_differs', message: 'says something else than the value' })
}

function readNewValue(
  known: Base,
  type: RecordContent['type'],
  value: string,
  priority: number | null,
): ValueCheck {
  const checked = checkValue(type, value, priority)
  if (checked.ok || priority !== null || !known) return checked
  // A value without its priority: the record keeps the one it has.
  const kept = checkValue(type, value, known.priority)
  return kept.ok ? kept : checked
}

function withPriority(known: RecordContent, priority: number): ValueCheck {
  if (known.priority === null) return checkValue(known.type, known.value, priority)
  const value = known.value.replace(/^\d+/, String(priority))
  const checked = checkValue(known.type, value, priority)
  // The rest may be what we would refuse.
  return checked.ok || checkValue(known.type, known.value).ok ? checked : verbatimValue(known.type, value)
}

const failed = (...errors: ValueError[]): ValueCheck => ({ ok: false, errors })
