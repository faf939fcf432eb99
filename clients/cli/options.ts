import { InvalidArgumentError } from 'commander'
import { isId } from '../domain-names.ts'

/** Only what was said. */
export const given = <T extends object>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>
  }

/** An option that may be said several times. */
export const repeated = (value: string, before: string[] = []): string[] => [...before, value]

export function seconds(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It is a number of seconds.')
  return Number(text)
}

export function count(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It is a number.')
  return Number(text)
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

export function time(text: string): string {
  if (!TIME.test(text) || Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError('It is a time such as 2026-11-21T12:00:00Z.')
  return text
}

export function plan(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('It is the id of a plan: "zonekeeper plan" shows it.')
  return text
}

export function change(text: string): string {
  if (!isId(text))
    throw new InvalidArgumentError('It is the id of a change: "zonekeeper history" shows them.')
  return text
}
