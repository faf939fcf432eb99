import { randomBytes } from 'node:crypto'
import type { SimulatorRequest } from './server.ts'

/** Bearer tokens (RFC 6750) that end after a time; each is of one holder. */
export class AccessTokens<T = string> {
  readonly seconds: number
  readonly #prefix: string
  /** `ends`: milliseconds since 1970. */
  readonly #tokens = new Map<string, { holder: T; ends: number }>()

  constructor(seconds: number, prefix = '') {
    this.seconds = seconds
    this.#prefix = prefix
  }

  give(holder: T, prefix = this.#prefix): string {
    const token = prefix + randomBytes(60).toString('base64url')
    this.#tokens.set(token, { holder, ends: Date.now() + this.seconds * 1000 })
    return token
  }

  /** Undefined: the request has no token, or none that is good. */
  holderOf({ headers }: SimulatorRequest): T | undefined {
    const [, token = ''] = /^Bearer (\S+)$/.exec(String(headers['authorization'])) ?? []
    const found = this.#tokens.get(token)
    return found !== undefined && found.ends > Date.now() ? found.holder : undefined
  }

  /** All that were given end now. */
  revoke(): void {
    this.#tokens.clear()
  }
}
