import type { AdapterContext } from '../context.ts'

/** What a server of tokens gave. */
export interface GivenToken {
  token: string
  /** How long it is good. */
  seconds: number
}

interface TokenState {
  token: string | null
  /** Milliseconds since 1970. */
  until: number
}

const newState = (): TokenState => ({ token: null, until: 0 })

// So that it is still good when it arrives, also where clocks differ a little.
const MARGIN_MS = 60_000

/** A token of the account, which is asked for when there is none, or it is about to end: what an `Api` has of it. */
export function accessToken(context: AdapterContext, ask: () => Promise<GivenToken>) {
  const { clock } = context
  const state = context.state(newState)
  let isNew = false
  return {
    /** The header of RFC 6750. */
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
