import { sql } from 'kysely'

/** For `column = any(values)`: a single parameter, so the statement has one text for any number of values. */
export const anyOf = <T>(values: readonly T[]) => sql<T>`any(${values})`

/** For `column <> all(values)`, the opposite of `anyOf`. */
export const allOf = <T>(values: readonly T[]) => sql<T>`all(${values})`

export const inSeconds = (seconds: number) => sql<Date>`(now() + make_interval(secs => ${seconds}))`

export const secondsAgo = (seconds: number) => sql<Date>`(now() - make_interval(secs => ${seconds}))`

export const daysAgo = (days: number) => sql<Date>`(now() - make_interval(days => ${days}))`
