import { Type, type Static, type TSchema } from '@sinclair/typebox'

/* Patterns of texts of which an example says nothing: they ask for what must not be there. */

/** Not blank, no control characters and no breaks of lines. */
export const ONE_LINE = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+$'
export const NO_CONTROLS = '^[^\\u0000-\\u001f\\u007f]*$'
export const NOT_BLANK = '\\S'
/** ASCII that is seen: no spaces either. */
export const VISIBLE_ASCII = '^[!-~]+$'

/** What each asks for, as a refusal says it. */
export const FORM_WORDS: Readonly<Record<string, string>> = {
  [ONE_LINE]: 'must be one line that is not blank',
  [NO_CONTROLS]: 'must have no control characters',
  [NOT_BLANK]: 'must not be blank',
  [VISIBLE_ASCII]: 'must have visible ASCII characters only, and no spaces',
}

export const Uuid = Type.String({
  format: 'uuid',
  description: 'UUIDv7',
  examples: ['0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'],
})

export const Timestamp = Type.String({
  format: 'date-time',
  // What JavaScript and PostgreSQL both can tell: neither leap seconds nor the years before 1000.
  pattern: '^[1-9]\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-5]\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$',
  description: 'ISO 8601, UTC',
  examples: ['2026-11-21T12:00:00.000Z'],
})

/** A name for people: not blank, no control characters (they would forge log lines and mail headers). */
export const Label = (maxLength: number, examples: string[]) =>
  Type.String({ maxLength, pattern: ONE_LINE, examples })

/** The value or null, as a type list: one clear message from Ajv, and a fast serialiser. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
  })
}

export const IdParams = Type.Object({ id: Uuid })

/** A row of which the times may come as text: in JSON that PostgreSQL wrote. */
export type AsJson<Row> = {
  [Column in keyof Row]: Date extends Row[Column] ? Row[Column] | string : Row[Column]
}

/** A moment on the wire. */
export function isoTime(moment: Date | string): string {
  if (typeof moment !== 'string') return moment.toISOString()
  // 2026-11-21T12:00:00.123456+00:00, with as many decimals as it takes, or none; making a Date of it takes longer.
  if (!moment.endsWith('+00:00') || moment.length < 25) return new Date(moment).toISOString()
  const seconds = moment.slice(0, 19)
  const decimals = moment.slice(20, -6)
  return `${seconds}.${decimals.slice(0, 3).padEnd(3, '0')}Z`
}
