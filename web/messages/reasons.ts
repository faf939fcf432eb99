/** What the service says is wrong, or worth a look: `code` and `params` for programs, the text in English. */
export interface Reason {
  code: string
  params?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Words by code, and by `params.rule` where a code has several. What is in braces is one of the params; of several texts
 * the first counts for which all of them are there.
 */
export type ReasonWords = Readonly<Record<string, string | readonly string[]>>

/** What a reason is in another language; null where there are no words for it. */
export function sayReason(words: ReasonWords, { code, params = {} }: Reason): string | null {
  const of = (name: string) => words[name] ?? words[kindOf(name, params)]
  const texts = of(String(params['rule'])) ?? of(code) ?? []
  for (const text of [texts].flat()) {
    const said = fill(text, params)
    if (said !== null) return said
  }
  return null
}

/** Each type of records has a code as a whole, and one for each of its fields. */
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

/** Longer values are shortened: the whole stands where it was typed. */
const LONGEST = 80

function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.map((one) => textOf(one) ?? '').join('、')
  if (value === undefined || value === null) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
