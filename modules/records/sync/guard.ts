/** More differences than this part of a domain of this size or more need a confirmation. */
export const GUARD = { records: 10, part: 0.3 }

/** Whether a person must confirm so many differences. `known`: records of the domain. */
export const isMuch = (differences: number, known: number) =>
  known >= GUARD.records && differences > known * GUARD.part
