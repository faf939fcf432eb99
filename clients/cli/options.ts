import { InvalidArgumentError } from 'commander'
import { isId } from '../domain-names.ts'

/** Removes undefined options. */
export const given = <T extends object>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>
  }

/** Collects an option that can be given several times. */
export const repeated = (value: string, before: string[] = []): string[] => [...before, value]

export function seconds(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('Give a number of seconds.')
  return Number(text)
}

export function count(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('Give a positive number.')
  return Number(text)
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

export function time(text: string): string {
  if (!TIME.test(text) || Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError('Give a time such as 2026-11-21T12:00:00Z.')
  return text
}

export function plan(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('Give the id of a plan, as shown by "zonekeeper plan".')
  return text
}

export function request(text: string): string {
  if (!isId(text))
    throw new InvalidArgumentError('Give the id of a change request, as shown by "zonekeeper requests".')
  return text
}

export function change(text: string): string {
  if (!isId(text))
    throw new InvalidArgumentError('Give the id of a change, as shown by "zonekeeper history".')
  return text
}
