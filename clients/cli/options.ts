import { InvalidArgumentError } from 'commander'

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
