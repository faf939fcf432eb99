import { availableParallelism } from 'node:os'
import argon2 from 'argon2'
import fp from 'fastify-plugin'
import { AppError } from '../http/errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    passwordHashes: PasswordHashes
  }
}

/** What one hash costs, in the terms of argon2 (RFC 9106); memory in KiB. */
export interface HashCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** OWASP's first choice of parameters; about 25 ms. */
const PASSWORD_COST: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Slow hashes of passwords by argon2id. All reject with 503 when too many are waiting. */
export interface PasswordHashes {
  hash(password: string): Promise<string>
  /**
   * Whether the password fits the hash. Without a hash (no such user, or one without a password) it takes
   * the same time and answers false.
   */
  verify(hash: string | null | undefined, password: string): Promise<boolean>
  /** True when the hash was made with weaker parameters than today's. */
  isOutdated(hash: string): boolean
}

/** Hashes at a time; more would only take the thread pool from name look-ups and files. */
const PARALLEL = availableParallelism()

/** Hashes that may wait, about two seconds' worth; beyond, callers are told to come back. */
const MAX_WAITING = 80

export function createPasswordHashes(cost: HashCost = PASSWORD_COST): PasswordHashes {
  const parameters = { type: argon2.argon2id, ...cost } as const
  const waiting: (() => void)[] = []
  let running = 0
  let decoyHash: Promise<string> | undefined
  const decoy = () => (decoyHash ??= argon2.hash('nobody has this password', parameters))

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

  return {
    hash: (password) => inTurn(() => argon2.hash(password, parameters)),
    verify: async (hash, password) => {
      const fits = await inTurn(async () => argon2.verify(hash ?? (await decoy()), password))
      return fits && hash != null
    },
    isOutdated: (hash) => argon2.needsRehash(hash, parameters),
  }
}

const busy = () =>
  new AppError(503, 'unavailable', 'Too many sign-ins at once; try again shortly', {
    headers: { 'retry-after': '2' },
  })

export default fp<{ cost?: HashCost }>(
  async (app, { cost }) => {
    app.decorate('passwordHashes', createPasswordHashes(cost))
  },
  { name: 'password-hashes' },
)
