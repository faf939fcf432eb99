import { bearerOf } from './answers.ts'
import { textKey } from './checks.ts'
import type { SimulatorRequest } from './server.ts'

/** Bearer tokens (RFC 6750) that end after a time; each is of one holder. */
export class AccessTokens {
  readonly seconds: number
  /** `ends`: milliseconds since 1970. */
  readonly #tokens = new Map<string, { holder: string; ends: number }>()

  constructor(seconds: number) {
    this.seconds = seconds
  }

  /** What the token begins with is up to the provider. */
  give(holder: string, prefix: string): string {
    const token = prefix + textKey(60)
    this.#tokens.set(token, { holder, ends: Date.now() + this.seconds * 1000 })
    return token
  }

  /** Undefined: the request has no token, or none that is good. */
  holderOf(request: SimulatorRequest): string | undefined {
    const found = this.#tokens.get(bearerOf(request))
    return found !== undefined && found.ends > Date.now() ? found.holder : undefined
  }

  /** All that were given end now. */
  revoke(): void {
    this.#tokens.clear()
  }
}
