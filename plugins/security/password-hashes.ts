import { availableParallelism } from 'node:os'
import argon2 from 'argon2'
import fp from 'fastify-plugin'
import { AppError } from '../http/errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    passwordHashes: PasswordHashes
  }
}

/** The cost of a hash, in argon2 parameters (RFC 9106); memory in KiB. */
export interface HashCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** OWASP's first choice of parameters; about 25 ms. */
const PASSWORD_COST: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Slow password hashes with argon2id. All methods reject with 503 if too many are waiting. */
export interface PasswordHashes {
  hash(password: string): Promise<string>
  /**
   * Returns whether the password matches. Without a hash (no such user, or one without a password) it takes
   * the same time and returns false.
   */
  verify(hash: string | null | undefined, password: string): Promise<boolean>
  /** True if the hash was made with weaker parameters than the current ones. */
  isOutdated(hash: string): boolean
}

/** Hashes at a time; more would starve look-ups and files in the thread pool. */
const PARALLEL = availableParallelism()

/** Hashes that can wait, about two seconds of work; further ones are refused. */
const MAX_WAITING = 80

export function createPasswordHashes(cost: HashCost = PASSWORD_COST): PasswordHashes {
  const parameters = { type: argon2.argon2id, ...cost } as const
  const waiting: (() => void)[] = []
  let running = 0
  let decoyHash: Promise<string> | undefined
  const decoy = () => (decoyHash ??= argon2.hash('no user has this password', parameters))

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= PARALLEL) {
      if (waiting.length >= MAX_WAITING) throw busy()
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      // The slot goes directly to the next in the queue, so that no one overtakes.
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
  new AppError(503, 'unavailable', 'Too many concurrent sign-ins; retry shortly', {
    headers: { 'retry-after': '2' },
  })

export default fp<{ cost?: HashCost }>(
  async (app, { cost }) => {
    app.decorate('passwordHashes', createPasswordHashes(cost))
  },
  { name: 'password-hashes' },
)
