import { availableParallelism } from 'node:os'
import argon2 from 'argon2'
import { AppError } from '../../plugins/errors.ts'
import { isCommon } from './common-passwords.ts'

/** OWASP's first choice of parameters; about 25 ms. */
const PARAMETERS = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 256

/** Hashes at a time; more would only take the thread pool from name look-ups and files. */
const PARALLEL = availableParallelism()

/** Hashes that may wait, about two seconds' worth; beyond, callers are told to come back. */
const MAX_WAITING = 80

let running = 0
const waiting: (() => void)[] = []

/** Rejects with 503 when too many are waiting. */
export const hashPassword = (password: string) => inTurn(() => argon2.hash(password, PARAMETERS))

/**
 * Whether the password fits the hash. Without a hash (no such user, or one without a password) it takes
 * the same time and answers false.
 */
export async function verifyPassword(hash: string | null | undefined, password: string): Promise<boolean> {
  const fits = await inTurn(async () => argon2.verify(hash ?? (await decoy()), password))
  return fits && hash != null
}

/** True when the hash was made with weaker parameters than today's. */
export const needsRehash = (hash: string) => argon2.needsRehash(hash, PARAMETERS)

/** Names that whoever guesses a password of this service tries first. */
interface PasswordSurroundings {
  username: string
  /** Public address of the service. */
  siteUrl: string
}

/** A user name that short is in many good passwords by chance; it must only not be the whole. */
const SHORT_NAME = 4

/** Why this can't be a password; empty when it can. */
export async function checkPassword(
  password: string,
  { username, siteUrl }: PasswordSurroundings,
): Promise<string[]> {
  const word = password.toLowerCase()
  const name = username.toLowerCase()
  if (password.trim() === '') return ['must not be blank']
  const length = Array.from(password).length
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    return [`must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`]
  }
  if (word === name || (name.length >= SHORT_NAME && word.includes(name))) {
    return ['must not contain the user name']
  }
  if (word.includes('zonekeeper') || word.includes(new URL(siteUrl).hostname)) {
    return ['must not contain the name of this service']
  }
  return (await isCommon(password)) ? ['is one of the commonest passwords'] : []
}

let decoyHash: Promise<string> | undefined
const decoy = () => (decoyHash ??= argon2.hash('nobody has this password', PARAMETERS))

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= PARALLEL) {
    if (waiting.length >= MAX_WAITING) throw busy()
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    // The place goes straight to the next in line, so that nobody overtakes.
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

const busy = () =>
  new AppError(503, 'unavailable', 'Too many sign-ins at once; try again shortly', {
    headers: { 'retry-after': '2' },
  })
