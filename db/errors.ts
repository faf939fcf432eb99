import pg from 'pg'

const CODES = {
  unique: '23505',
  foreignKey: '23503',
  exclusion: '23P01',
  deadlock: '40P01',
  serialization: '40001',
} as const

/** Whether the database refused because of that kind of constraint (and, when given, the one of that name). */
export function violates(error: unknown, kind: keyof typeof CODES, constraint?: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === CODES[kind] &&
    (constraint === undefined || error.constraint === constraint)
  )
}
