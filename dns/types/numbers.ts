import { priorityError, type ValueError, valueError } from './values.ts'

/** A decimal number, leading zeros allowed; null if it isn't one or is above `max`. */
export function readNumber(text: string, max: number): number | null {
  if (!/^[0-9]{1,10}$/.test(text)) return null
  const number = Number(text)
  return number <= max ? number : null
}

/** The words of a value; empty for one that is too long to be valid. */
export const words = (value: string): string[] => (value.length > 2048 ? [] : value.trim().split(/\s+/))

/**
 * The priority of an MX or SRV. `text` is the first word of the value, null if the value omits it; `field` is
 * the separate priority, or null. One of them is enough; both must agree.
 */
export function agreePriority(
  text: string | null,
  field: number | null,
  example: string,
): { priority: number; errors: ValueError[] } {
  const errors: ValueError[] = []
  const inValue = text === null ? null : readNumber(text, 65535)
  if (text !== null && inValue === null) {
    errors.push(
      valueError('priority_range', `The priority must be a number from 0 to 65535, for example "${example}"`),
    )
  }
  if (field !== null && !(Number.isInteger(field) && field >= 0 && field <= 65535)) {
    errors.push(priorityError('priority_range', 'The priority must be a whole number from 0 to 65535'))
  } else if (field !== null && inValue !== null && field !== inValue) {
    errors.push(
      priorityError(
        'priority_differs',
        `The priority is ${field}, but the value has ${inValue}; use the same number in both`,
      ),
    )
  }
  if (text === null && field === null) {
    errors.push(
      priorityError(
        'priority_missing',
        `The priority is missing; put it first in the value, for example "${example}"`,
      ),
    )
  }
  return { priority: inValue ?? field ?? 0, errors }
}

/** The priority of a canonical value, its first number; null for types without a priority field. */
export const priorityOf = (type: string, canonical: string): number | null =>
  type === 'MX' || type === 'SRV' ? Number.parseInt(canonical, 10) : null
