import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { AppError, forbidden } from '../errors.ts'
import { createPrincipals, type Principal } from './principals.ts'

export type { Principal } from './principals.ts'

/** Who may call a route: anyone, whoever is signed in, administrators. */
export type Access = 'public' | 'user' | 'admin'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    /** On every route that is not public. */
    principal: Principal
  }
}

const unauthenticated = (detail: string) => new AppError(401, 'unauthenticated', detail)

/**
 * The rule of every route, in one place. A route without `config.access` stops the start, and nothing
 * passes that its rule does not let through.
 * `alone`: no other instance uses this database, so revocations can't happen behind our back.
 */
export default fp<{ alone: boolean }>(
  async (app, { alone }) => {
    const principals = createPrincipals(app.db, () => alone || app.events.connected)
    app.events.on('session.ended', ({ sessionIds }) => principals.forgetSessions(sessionIds))
    app.events.on('user.changed', ({ userId }) => principals.forgetUser(userId))

    // A null prototype object per request would cost; the hook below sets it before any handler runs.
    app.decorateRequest('principal', null as unknown as Principal)

    const open: string[] = []
    app.addHook('onRoute', (route) => {
      // Read at the end: plugins of others get their rule from hooks that run after this one.
      const check = () =>
        route.config?.access === undefined && open.push(`${String(route.method)} ${route.url}`)
      unchecked.push(check)
    })
    const unchecked: (() => unknown)[] = []
    app.addHook('onReady', async () => {
      for (const check of unchecked) check()
      if (open.length > 0) throw new Error(`Routes without an access rule: ${open.join(', ')}`)
    })

    app.addHook('onRequest', (request, _reply, done) => {
      const { access } = request.routeOptions.config
      if (access === 'public' || request.is404) return done()
      admit(request, access).then(
        () => done(),
        (error: Error) => done(error),
      )
    })

    async function admit(request: FastifyRequest, access: Access | undefined): Promise<void> {
      const { userId, sessionId } = app.tokens.verify(bearer(request), 'access')
      const principal = principals.remembered(sessionId) ?? (await principals.bySession(sessionId))
      if (!principal || principal.userId !== userId)
        throw unauthenticated('This session has ended; sign in again')
      if (access !== 'user' && principal.role !== 'admin') throw forbidden('This needs an administrator')
      request.principal = principal
    }
  },
  { name: 'access', dependencies: ['db', 'events', 'tokens'] },
)

/** The token of `Authorization: Bearer <token>` (RFC 6750 section 2.1). */
export function bearer(request: FastifyRequest): string {
  const [scheme, token] = request.headers.authorization?.split(' ', 2) ?? []
  if (scheme?.toLowerCase() !== 'bearer' || !token) {
    throw unauthenticated('Send the access token as "Authorization: Bearer <token>"')
  }
  return token
}

/** Who acts, for the audit trail; `userId` null is the service itself, or somebody not known. */
export interface Actor {
  userId: string | null
  username: string
  ip: string | null
  requestId: string | null
}

/** The principal of a request together with where it came from: what services take. */
export interface Caller extends Principal {
  ip: string
  requestId: string
}

export const callerOf = (request: FastifyRequest): Caller => ({
  ...request.principal,
  ip: request.ip,
  requestId: request.id,
})

export const anonymous = (request: FastifyRequest, username = ''): Actor => ({
  userId: null,
  username,
  ip: request.ip,
  requestId: request.id,
})

/** The service itself, when it acts on its own. */
export const SYSTEM: Actor = { userId: null, username: 'system', ip: null, requestId: null }
