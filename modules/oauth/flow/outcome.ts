import type { Installation } from '../../../plugins/installation.ts'
import type { Failure } from '../errors.ts'
import type { ProviderId } from '../identity-providers/contract.ts'

/** Query of the page the browser returns to after an identity provider. */
export type Outcome =
  | { kind: 'ticket'; ticket: string }
  | { kind: 'pending'; token: string; providerId: ProviderId }
  | { kind: 'bound'; providerId: ProviderId }
  | { kind: 'failure'; reason: Failure }

export const failure = (reason: Failure): Outcome => ({ kind: 'failure', reason })

/** Returns the target of the redirect: always a page of the site. */
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
