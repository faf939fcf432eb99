import { Type, type Static, type StringOptions, type TSchema } from '@sinclair/typebox'

/* Patterns that an example can't explain, because they forbid characters. */

/** Not blank, without control characters and line breaks. */
export const ONE_LINE = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+$'
export const NO_CONTROLS = '^[^\\u0000-\\u001f\\u007f]*$'
export const NOT_BLANK = '\\S'
/** Printable ASCII without spaces. */
export const VISIBLE_ASCII = '^[!-~]+$'

/** Error message of each pattern. */
export const FORM_WORDS: Readonly<Record<string, string>> = {
  [ONE_LINE]: 'must be a single line and not blank',
  [NO_CONTROLS]: 'must not contain control characters',
  [NOT_BLANK]: 'must not be blank',
  [VISIBLE_ASCII]: 'must contain only printable ASCII characters, without spaces',
}

export const Uuid = Type.String({
  format: 'uuid',
  description: 'UUIDv7',
  examples: ['0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'],
})

export const Timestamp = Type.String({
  format: 'date-time',
  // What both JavaScript and PostgreSQL support: no leap seconds, no years before 1000.
  pattern: '^[1-9]\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-5]\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$',
  description: 'ISO 8601, UTC',
  examples: ['2026-11-21T12:00:00.000Z'],
})

/** A display name: not blank, without control characters, which could forge log lines and mail headers. */
export const Label = (maxLength: number, examples: string[]) =>
  Type.String({ maxLength, pattern: ONE_LINE, examples })

/** A text with one of these values; the first is its example unless `options` has another. */
export const OneOf = <const V extends string>(values: readonly V[], options: StringOptions = {}) =>
  Type.Unsafe<V>({ type: 'string', enum: [...values], examples: [values[0]], ...options })

/** The value or null, as a type list: Ajv gives one clear message, and serializing stays fast. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
  })
}

export const IdParams = Type.Object({ id: Uuid })

/** A row whose timestamps may be text, as in JSON written by PostgreSQL. */
export type AsJson<Row> = {
  [Column in keyof Row]: Date extends Row[Column] ? Row[Column] | string : Row[Column]
}

/** Formats a time for the API: ISO 8601 in UTC, with milliseconds. */
export function isoTime(moment: Date | string): string {
  if (typeof moment !== 'string') return moment.toISOString()
  // 2026-11-21T12:00:00.123456+00:00, with up to six decimals; going through Date is slower.
  if (!moment.endsWith('+00:00') || moment.length < 25) return new Date(moment).toISOString()
  const seconds = moment.slice(0, 19)
  const decimals = moment.slice(20, -6)
  return `${seconds}.${decimals.slice(0, 3).padEnd(3, '0')}Z`
}
