import { setImmediate as otherRequests } from 'node:timers/promises'
import type { ReasonCode } from '../../schemas/reason-codes.ts'
import { CONTROL } from '../../dns/text/text.ts'
import { invalid, type FieldError } from '../../plugins/http/errors.ts'
import type { Template, TemplateBody, TemplateRecord, TemplateVariable } from './schemas.ts'
import { compileValuePattern, MAX_PATTERN_COST } from './value-pattern.ts'

/** What is said of each domain by itself. */
const PREDEFINED = ['domain', 'dashedDomain']

const PLACE = /\{\{([^{}]*)\}\}/g

const placesIn = (text: string) => [...text.matchAll(PLACE)].map(([, name = '']) => name)

const fault = (path: string, code: ReasonCode, message: string): FieldError => ({ path, code, message })

const NOT_A_PATTERN =
  'must be a regular expression in RE2 syntax without counted groups; its counts may add up to 1,000'
const PATTERNS_TOO_LONG =
  'makes the patterns of this template too long together; use shorter ones or smaller counts'

/** Why a template can't be: variables that nobody declared or twice, patterns that are not valid or cost too much. */
export function checkTemplate({ variables = [], records }: TemplateBody): void {
  const errors: FieldError[] = []
  const names = variables.map(({ name }) => name)
  let cost = 0
  for (const [i, { name, pattern }] of variables.entries()) {
    const path = `/variables/${i}`
    if (PREDEFINED.includes(name)) errors.push(fault(`${path}/name`, 'predefined', 'is there always'))
    if (names.indexOf(name) !== i) errors.push(fault(`${path}/name`, 'duplicate', 'is there twice'))
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
        errors.push(fault(`/records/${i}/${field}`, 'variable_unknown', `has no variable {{${unknown}}}`))
      }
    }
  }
  if (errors.length > 0) throw invalid(...errors)
}

/** The values of all variables, those that were given checked; a 400 names what is wrong. Empty ones have none. */
export async function readVariables(
  { variables }: Pick<Template, 'variables'>,
  given: Record<string, string> = {},
): Promise<Map<string, string>> {
  const known = new Set(variables.map(({ name }) => name))
  const errors = Object.keys(given)
    .filter((name) => !known.has(name))
    .map((name) => fault(`/variables/${name}`, 'variable_unknown', 'is no variable of this template'))
  const values = new Map<string, string>()
  for (const variable of variables) {
    const path = `/variables/${variable.name}`
    const value = (given[variable.name] ?? variable.default ?? '').trim()
    if (value === '' && variable.required) errors.push(fault(path, 'required', 'is required'))
    if (value === '') continue
    // One pattern takes some milliseconds at most, all of them together are not to keep other requests waiting.
    if (variable.pattern !== undefined) await otherRequests()
    if (!fits(value, variable))
      errors.push(fault(path, 'pattern', `must be like ${variable.pattern ?? 'text in one line'}`))
    values.set(variable.name, value)
  }
  if (errors.length > 0) throw invalid(...errors)
  return values
}

/** A default may name the domain: what comes of it is judged with the record. */
const fits = (value: string, { pattern, default: usual }: TemplateVariable): boolean =>
  !CONTROL.test(value) &&
  (value === usual || pattern === undefined || (compileValuePattern(pattern)?.matches(value) ?? false))

/** The records for one domain, without those in which a variable without a value stands. */
export function render(
  { records }: Pick<Template, 'records'>,
  variables: ReadonlyMap<string, string>,
  domain: string,
): TemplateRecord[] {
  const own = new Map([
    ['domain', domain],
    ['dashedDomain', domain.replaceAll('.', '-')],
  ])
  // What users give is text; only defaults name the domain, so one more round is all there is to replace.
  const fill = (text: string) =>
    text
      .replace(PLACE, (place, name: string) => variables.get(name) ?? place)
      .replace(PLACE, (place, name: string) => own.get(name) ?? place)
  const isLeftOut = (text: string) => placesIn(text).some((name) => !variables.has(name) && !own.has(name))
  return records
    .filter(({ name, value }) => !isLeftOut(name) && !isLeftOut(value))
    .map((record) => ({ ...record, name: fill(record.name), value: fill(record.value) }))
}
