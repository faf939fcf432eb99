import { setImmediate as otherRequests } from 'node:timers/promises'
import type { ReasonCode } from '../../schemas/codes/reason-codes.ts'
import { CONTROL } from '../../dns/text/text.ts'
import { invalid, type FieldError } from '../../plugins/http/errors.ts'
import type { Template, TemplateBody, TemplateRecord, TemplateVariable } from './schemas.ts'
import { compileValuePattern, MAX_PATTERN_COST } from './value-pattern.ts'

/** Texts about one domain. */
const PREDEFINED = ['domain', 'dashedDomain']

const PLACE = /\{\{([^{}]*)\}\}/g

const placesIn = (text: string) => [...text.matchAll(PLACE)].map(([, name = '']) => name)

const fault = (path: string, code: ReasonCode, message: string): FieldError => ({ path, code, message })

const NOT_A_PATTERN =
  'must be a regular expression in RE2 syntax without counted groups; its counts may add up to 1,000'
const PATTERNS_TOO_LONG =
  'makes the patterns of this template too expensive in total; use shorter patterns or smaller counts'

/**
 * Returns why a template is invalid: undeclared or duplicate variables, patterns that are invalid or too
 * expensive.
 */
export function checkTemplate({ variables = [], records }: TemplateBody): void {
  const errors: FieldError[] = []
  const names = variables.map(({ name }) => name)
  let cost = 0
  for (const [i, { name, pattern }] of variables.entries()) {
    const path = `/variables/${i}`
    if (PREDEFINED.includes(name)) errors.push(fault(`${path}/name`, 'predefined', 'is built in'))
    if (names.indexOf(name) !== i) errors.push(fault(`${path}/name`, 'duplicate', 'is declared twice'))
    if (pattern === undefined) continue
    const compiled = compileValuePattern(pattern)
    cost += compiled?.cost ?? 0
    if (compiled === null) errors.push(fault(`${path}/pattern`, 'pattern', NOT_A_PATTERN))
    else if (cost > MAX_PATTERN_COST) errors.push(fault(`${path}/pattern`, 'pattern', PATTERNS_TOO_LONG))
  }
  const known = new Set([...names, ...PREDEFINED])
  const fields = (record: TemplateRecord) => [
    ['name', record.name] as const,
    ['value', record.value] as const,
  ]
  for (const [i, record] of records.entries()) {
    for (const [field, text] of fields(record)) {
      const unknown = placesIn(text).find((name) => !known.has(name))
      if (unknown !== undefined) {
        errors.push(
          fault(`/records/${i}/${field}`, 'variable_unknown', `uses the undeclared variable {{${unknown}}}`),
        )
      }
    }
  }
  if (errors.length > 0) throw invalid(...errors)
}

/** Returns the values of all variables; throws a 400 for invalid ones. Empty values count as missing. */
export async function readVariables(
  { variables }: Pick<Template, 'variables'>,
  given: Record<string, string> = {},
): Promise<Map<string, string>> {
  const known = new Set(variables.map(({ name }) => name))
  const errors = Object.keys(given)
    .filter((name) => !known.has(name))
    .map((name) => fault(`/variables/${name}`, 'variable_unknown', 'is not a variable of this template'))
  const values = new Map<string, string>()
  for (const variable of variables) {
    const path = `/variables/${variable.name}`
    const value = (given[variable.name] ?? variable.default ?? '').trim()
    if (value === '' && variable.required) errors.push(fault(path, 'required', 'is required'))
    if (value === '') continue
    // One pattern takes a few milliseconds at most; all of them together must not delay other requests.
    if (variable.pattern !== undefined) await otherRequests()
    if (!fits(value, variable))
      errors.push(fault(path, 'pattern', `must be like ${variable.pattern ?? 'text in one line'}`))
    values.set(variable.name, value)
  }
  if (errors.length > 0) throw invalid(...errors)
  return values
}

/** A default may contain the domain; the result is checked with the record. */
const fits = (value: string, { pattern, default: usual }: TemplateVariable): boolean =>
  !CONTROL.test(value) &&
  (value === usual || pattern === undefined || (compileValuePattern(pattern)?.matches(value) ?? false))

/** Returns the records for one domain, without those that contain a variable without a value. */
export function render(
  { records }: Pick<Template, 'records'>,
  variables: ReadonlyMap<string, string>,
  domain: string,
): TemplateRecord[] {
  const own = new Map([
    ['domain', domain],
    ['dashedDomain', domain.replaceAll('.', '-')],
  ])
  // Given values are plain text; only defaults can contain the domain, so one more round is enough.
  const fill = (text: string) =>
    text
      .replace(PLACE, (place, name: string) => variables.get(name) ?? place)
      .replace(PLACE, (place, name: string) => own.get(name) ?? place)
  const isLeftOut = (text: string) => placesIn(text).some((name) => !variables.has(name) && !own.has(name))
  return records
    .filter(({ name, value }) => !isLeftOut(name) && !isLeftOut(value))
    .map((record) => ({ ...record, name: fill(record.name), value: fill(record.value) }))
}
