import type { Installation } from '../../../plugins/installation.ts'
import type { Failure } from '../errors.ts'
import type { ProviderId } from '../identity-providers/contract.ts'

/** What the browser is sent on with when it comes back from an identity provider. */
export type Outcome =
  | { kind: 'ticket'; ticket: string }
  | { kind: 'pending'; token: string; providerId: ProviderId }
  | { kind: 'bound'; providerId: ProviderId }
  | { kind: 'failure'; reason: Failure }

export const failure = (reason: Failure): Outcome => ({ kind: 'failure', reason })

/** Where the browser goes: a page of the site, and nowhere else. */
export function landing({ url }: Pick<Installation, 'url'>, outcome: Outcome): string {
  return `${url}/auth/callback?${new URLSearchParams(queryOf(outcome)).toString()}`
}

function queryOf(outcome: Outcome): Record<string, string> {
  switch (outcome.kind) {
    case 'ticket':
      return { ticket: outcome.ticket }
    case 'pending':
      return { needs_invite: 'true', pending_token: outcome.token, provider_id: outcome.providerId }
    case 'bound':
      return { bound: '1', provider_id: outcome.providerId }
    case 'failure':
      return { error: outcome.reason }
  }
}
