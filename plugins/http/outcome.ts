import type { FastifyRequest } from 'fastify'
import { OPEN_API, SIGNED_IN } from '../openapi/audience.ts'

/** Whether a failed request may have done what it was to do. */
export type Outcome = 'none' | 'unknown'

interface ToldOutcome {
  outcome: Outcome
  changeId?: string
  statusUrl?: string
}

/** Of an answer that says that something was away; `known`: what the failure itself says. */
export function outcomeOf(
  { effects, url }: Pick<FastifyRequest, 'effects' | 'url'>,
  known: { outcome?: unknown },
): ToldOutcome {
  const outcome = (known.outcome as Outcome | undefined) ?? (effects?.mayHaveWritten ? 'unknown' : 'none')
  const change = effects?.change
  if (outcome === 'none' || !change) return { outcome }
  const { base } = url.startsWith(`${OPEN_API.base}/`) ? OPEN_API : SIGNED_IN
  return {
    outcome,
    changeId: change.id,
    statusUrl: `${base}/domains/${change.domainId}/changes/${change.id}`,
  }
}
