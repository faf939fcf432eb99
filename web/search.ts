/** Reads a search parameter; undefined if it is missing or invalid. */
type Reader<T> = (value: unknown) => T | undefined

/** The router parses values that look like JSON. */
export const text: Reader<string> = (value) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).slice(0, 500) || undefined
    : undefined

export const positive: Reader<number> = (value) => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

export const flag: Reader<true> = (value) =>
  value === true || value === 'true' || value === 1 ? true : undefined

export const oneOf =
  <T extends string>(...values: readonly T[]): Reader<T> =>
  (value) =>
    values.find((one) => one === value)

type Readers = Record<string, Reader<unknown>>
type Read<R extends Readers> = { [K in keyof R]?: NonNullable<ReturnType<R[K]>> | undefined }

/** Search parameters of a view, without unknown, invalid and default ones. */
export const searchOf =
  <R extends Readers>(readers: R) =>
  (given: Record<string, unknown>): Read<R> => {
    const read = Object.entries(readers).map(([name, reader]) => [name, reader(given[name])] as const)
    return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as Read<R>
  }

/** A path within the console, else the start page: never another site. */
export const ownPath = (path: string | undefined): string =>
  path !== undefined && /^\/(?![/\\])/.test(path) && !path.startsWith('/sign-in') ? path : '/'
