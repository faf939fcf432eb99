import pg from 'pg'

const CODES = {
  unique: '23505',
  foreignKey: '23503',
  exclusion: '23P01',
  deadlock: '40P01',
  serialization: '40001',
  lockTimeout: '55P03',
  statementTimeout: '57014',
  diskFull: '53100',
} as const

/** Whether the database rejected a statement because of this kind of constraint (and this name, if given). */
export function violates(error: unknown, kind: keyof typeof CODES, constraint?: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === CODES[kind] &&
    (constraint === undefined || error.constraint === constraint)
  )
}

/**
 * Whether a prepared statement now returns different columns because another process changed the table. It
 * stays broken for the whole session.
 */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

/** Nothing was sent, because the database is not answering. */
export class DatabaseUnavailable extends Error {
  override message = 'The database does not answer'
}

/** The server answers, but as a standby: it takes no writes. */
export class DatabaseReadOnly extends Error {
  override message = 'The database is read-only'
}

/** The database is unavailable because its disk is full. */
export class DiskFull extends DatabaseUnavailable {
  override message = 'The database disk is full'
}

/** Whether a statement failed because the server's disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof DiskFull || violates(error, 'diskFull')

/**
 * PostgreSQL codes for "unavailable" (its manual, appendix A): failed connections (08), rejected logins (28,
 * 3D), exhausted resources (53), start, stop or failover (57P, 25P03, 25006).
 */
const SERVER_CODES = /^(?:08...|28...|3D000|53...|57P0.|25P03|25006)$/

/** Whether a write was rejected because the server is a standby. */
export const isReadOnly = (error: unknown): boolean =>
  error instanceof DatabaseReadOnly || (error instanceof pg.DatabaseError && error.code === '25006')

/** Whether the server answers but rejects this role, its password or this database; retrying doesn't help. */
export const refusesLogin = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(?:28...|3D000)$/.test(error.code ?? '')

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Messages of pg and its pool, whose own errors have no codes. */
const CLIENT_MESSAGES = new Set([
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Connection terminated',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
])

/** Whether a statement failed because the database is unreachable or unavailable; a retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseUnavailable || error instanceof DatabaseReadOnly) return true
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (error instanceof pg.DatabaseError) return SERVER_CODES.test(code ?? '')
  if (code === 'ENOENT') return syscall === 'connect'
  return CLIENT_MESSAGES.has(message) || SOCKET_CODES.has(code ?? '')
}
