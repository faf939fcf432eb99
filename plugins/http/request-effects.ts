import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { notingEffects, type Effects } from '../../db/connection/effects.ts'
import { OPEN_API, SIGNED_IN } from '../openapi/audience.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What its handler may have changed so far; null before the handler starts. */
    effects: Effects | null
  }
}

/** Records what each request may have changed, so that an error response can say it. */
export default fp(
  async (app) => {
    app.decorateRequest('effects', null)
    // After the body was read: reading it would lose the asynchronous context.
    app.addHook('preHandler', (request, _reply, done) => {
      const effects: Effects = { mayHaveWritten: false, change: null }
      request.effects = effects
      notingEffects(effects, done)
    })
  },
  { name: 'request-effects' },
)

/** Whether a failed request may have changed something. */
export type RequestOutcome = 'none' | 'unknown'

interface OutcomeFields {
  outcome: RequestOutcome
  changeId?: string
  statusUrl?: string
}

/** Returns the fields of an error response that say what was done; `known` is what the error itself knows. */
export function outcomeFields(
  { effects, url }: Pick<FastifyRequest, 'effects' | 'url'>,
  known: { outcome?: unknown },
): OutcomeFields {
  const outcome =
    (known.outcome as RequestOutcome | undefined) ?? (effects?.mayHaveWritten ? 'unknown' : 'none')
  const change = effects?.change
  if (outcome === 'none' || !change) return { outcome }
  const { base } = url.startsWith(`${OPEN_API.base}/`) ? OPEN_API : SIGNED_IN
  return {
    outcome,
    changeId: change.id,
    statusUrl: `${base}/domains/${change.domainId}/changes/${change.id}`,
  }
}
