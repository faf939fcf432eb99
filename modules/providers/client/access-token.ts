import type { AdapterContext } from '../context.ts'

/** The answer of a token server. */
export interface GivenToken {
  token: string
  /** Lifetime in seconds. */
  seconds: number
}

interface TokenState {
  token: string | null
  /** Milliseconds since 1970. */
  until: number
}

const newState = (): TokenState => ({ token: null, until: 0 })

// So that it is still valid when it arrives, even if clocks differ a little.
const MARGIN_MS = 60_000

/**
 * An account's access token, requested when there is none or it is about to expire; the token-related part of
 * an `Api`.
 */
export function accessToken(context: AdapterContext, ask: () => Promise<GivenToken>) {
  const { clock } = context
  const state = context.state(newState)
  let isNew = false
  return {
    /** Returns the header of RFC 6750. */
    async authenticate(): Promise<Record<string, string>> {
      isNew = state.token === null || clock.now() >= state.until
      if (isNew) {
        const begun = clock.now()
        const { token, seconds } = await ask()
        Object.assign(state, { token, until: begun + seconds * 1000 - MARGIN_MS })
      }
      return { authorization: `Bearer ${state.token}` }
    },
    renew(): boolean {
      state.token = null
      return !isNew
    },
  }
}
