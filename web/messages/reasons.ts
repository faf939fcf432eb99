/** An error or warning of the service: `code` and `params`; its text is English. */
export interface Reason {
  code: string
  params?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Messages by code, or by `params.rule` where a code has several. Braces hold params; of several messages, the first
 * with all its params present is used.
 */
export type ReasonWords = Readonly<Record<string, string | readonly string[]>>

/** Translates a reason; null if there is no message for it. */
export function sayReason(words: ReasonWords, { code, params = {} }: Reason): string | null {
  const of = (name: string) => words[name] ?? words[kindOf(name, params)]
  const texts = of(String(params['rule'])) ?? of(code) ?? []
  for (const text of [texts].flat()) {
    const said = fill(text, params)
    if (said !== null) return said
  }
  return null
}

/** Each record type has a code for its form, and one per field. */
function kindOf(code: string, { recordType, form, field }: Readonly<Record<string, unknown>>): string {
  if (typeof recordType !== 'string' || !code.startsWith(`${recordType.toLowerCase()}_`)) return ''
  return form === undefined ? (field === undefined ? '' : 'type_field') : 'type_form'
}

function fill(text: string, params: Readonly<Record<string, unknown>>): string | null {
  let isWhole = true
  const said = text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = textOf(params[name])
    if (value === null) isWhole = false
    return value ?? ''
  })
  return isWhole ? said : null
}

/** Longer values are cut; the field shows them in full. */
const LONGEST = 80

function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.map((one) => textOf(one) ?? '').join('、')
  if (value === undefined || value === null) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
