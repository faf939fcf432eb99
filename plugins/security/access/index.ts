import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Origin } from '../../../schemas/records/origin.ts'
import type { Permission } from '../../../schemas/people/permission.ts'
import { AppError, forbidden } from '../../http/errors.ts'
import type { WithCondition } from '../../http/if-match.ts'
import type { WithKey } from '../../http/idempotency/keyed-request.ts'
import { credentialsOf, originOf, unauthenticated, type Credentials } from './credentials.ts'
import { isPersonalToken } from './personal-tokens.ts'
import { isNarrowed, mayComeFrom, type TokenGrant } from './token-grant.ts'
import type { Principal } from './principals.ts'
import { recordTokenUse } from './queries.ts'
import { secondFactorRequired } from './second-factor.ts'
import { addressOf } from '../addresses.ts'

export { bearer, credentialsOf, originOf, unauthenticated } from './credentials.ts'
export type { Principal } from './principals.ts'
export { endOfRow, findLackingFactor, latestEnd, tokenEnd, tokenLives } from './queries.ts'
export { requiresFactor, secondFactorRequired } from './second-factor.ts'
export { isNarrowed } from './token-grant.ts'

/**
 * Who can call a route: anyone; signed-in users; administrators; callers at the second step of a sign-in
 * (with the temporary token); both of those; or clients of the Open API, with a personal token that has the
 * route's `permission` or an access token: all, or those of administrators.
 */
export type Access = 'public' | 'user' | 'admin' | 'temp' | 'temp-or-user' | 'api' | 'api-admin'

/** The right password was given, but no second factor yet. */
export interface PendingSignIn {
  userId: string
  challengeId: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Open API: the permission a personal token needs; null: none. */
    permission?: Permission | null
    /** Open API: not about a single domain, so refused for tokens restricted to some of them. */
    ofAccount?: boolean
    /**
     * The access token can also be sent as `token` in the query, because a browser's EventSource sends no
     * headers.
     */
    tokenInQuery?: boolean
    /** Setting up a second factor needs this route: users who must have one and have none can call it. */
    enrolment?: boolean
    /**
     * With `access: 'api'`: a personal token can also be sent with HTTP Basic, as devices do, after its
     * owner's name.
     */
    basic?: boolean
    /** With `basic`: without the header, `username` and `password` of the query count, for devices that can't send it. */
    passwordInQuery?: boolean
    /** With `access: 'api'`: a personal token can also be sent in `X-API-Key`. */
    apiKey?: boolean
  }
  interface FastifyRequest {
    /** On every route that is neither public nor for the second step of a sign-in. */
    principal: Principal
    /** On routes for the second step of a sign-in, if the caller is at it. */
    pendingSignIn: PendingSignIn | null
  }
}

const isOpenApi = (access: Access | undefined) => access === 'api' || access === 'api-admin'

const permissionMissing = (permission: Permission) =>
  new AppError(403, 'permission_missing', `This token lacks the permission ${permission}`, {
    extra: { permission },
  })

const tokenNarrowed = () =>
  forbidden("This token is restricted to some domains, names or types and can't call this")

const forAccess = (access: Access | undefined, principal: Principal): Principal => {
  const forEveryone = access === 'user' || access === 'api' || access === 'temp-or-user'
  if (!forEveryone && principal.role !== 'admin') throw forbidden('This needs an administrator')
  return principal
}

/** Minimum time between two updates of a token's last use. */
const LAST_USE_MS = 60_000

/**
 * Enforces the access rule of every route, in one place. A route without `config.access` stops the start, and
 * a request passes only if the rule allows it.
 */
export default fp(
  async (app) => {
    const { principals } = app

    // Set by the hook below before any handler runs.
    app.decorateRequest('principal', null as unknown as Principal)
    app.decorateRequest('pendingSignIn', null)

    const checks: (() => string | null)[] = []
    app.addHook('onRoute', (route) => {
      // Checked at the end: other plugins' routes get their rule from hooks that run after this one.
      checks.push(() => {
        const { access, permission } = route.config ?? {}
        const complete = access !== undefined && isOpenApi(access) === (permission !== undefined)
        return complete ? null : `${String(route.method)} ${route.url}`
      })
    })
    app.addHook('onReady', async () => {
      const open = checks.map((check) => check()).filter((route) => route !== null)
      if (open.length > 0) throw new Error(`Routes without an access rule: ${open.join(', ')}`)
    })

    // Not onRequest: a route's rate limit runs there, after all root hooks, and must come first.
    app.addHook('preParsing', (request, _reply, payload, done) => {
      const { access } = request.routeOptions.config
      if (access === 'public' || request.is404) return done(null, payload)
      admit(request, access).then(
        () => done(null, payload),
        (error: Error) => done(error),
      )
    })

    async function admit(request: FastifyRequest, access: Access | undefined): Promise<void> {
      const credentials = credentialsOf(request)
      const { token } = credentials
      if (isPersonalToken(token)) {
        if (!isOpenApi(access))
          throw unauthenticated('This route requires an access token; personal tokens are not accepted')
        request.principal = forAccess(access, await ownerOf(credentials, request))
        return
      }
      if (access === 'temp' || (access === 'temp-or-user' && app.tokens.useOf(token) === 'temp')) {
        const { userId, sessionId } = app.tokens.verify(token, 'temp')
        request.pendingSignIn = { userId, challengeId: sessionId }
        return
      }
      const { userId, sessionId } = app.tokens.verify(token, 'access')
      const principal = principals.remembered(sessionId) ?? (await principals.bySession(sessionId))
      if (principal?.userId !== userId) throw unauthenticated('This session has ended; sign in again')
      requireFactor(principal, request)
      request.principal = forAccess(access, principal)
    }

    function requireFactor(account: { lacksFactor: boolean }, { routeOptions }: FastifyRequest): void {
      if (account.lacksFactor && routeOptions.config.enrolment !== true) throw secondFactorRequired()
    }

    async function ownerOf(
      { token, username: said }: Credentials,
      request: FastifyRequest,
    ): Promise<Principal> {
      const owner = principals.rememberedToken(token) ?? (await principals.byToken(token, request))
      const isTheirs = said === null || said.toLowerCase() === owner?.username.toLowerCase()
      if (!owner || !isTheirs) throw unauthenticated('This personal token is unknown, revoked or expired')
      if (!mayComeFrom(addressOf(request), owner.restrictions)) {
        throw forbidden("This token can't be used from your address")
      }
      requireFactor(owner, request)
      const { permission, ofAccount = false } = request.routeOptions.config
      if (permission !== null && (permission === undefined || !owner.permissions.includes(permission))) {
        throw permissionMissing(permission as Permission)
      }
      if (ofAccount && isNarrowed({ token: owner })) throw tokenNarrowed()
      if (owner.lastUsedAt < Date.now() - LAST_USE_MS) {
        owner.lastUsedAt = Date.now()
        await recordTokenUse(app.db, owner)
      }
      const { userId, username, role } = owner
      return { userId, username, role, sessionId: '', token: owner }
    }
  },
  { name: 'access', dependencies: ['db', 'principals', 'tokens'] },
)

/** The actor, for the audit trail; `userId` null is the service, or someone unknown. */
export interface Actor {
  userId: string | null
  username: string
  /** The origin of the request. */
  origin: Origin
  /** The personal token that was used. */
  token: TokenMark | null
  ip: string | null
  requestId: string | null
}

/** What is recorded about a personal token. */
export type TokenMark = Pick<TokenGrant, 'id' | 'name' | 'suffix'>

/** The principal and the client's address of a request: the caller as services see it. */
export interface Caller extends Principal, WithKey, WithCondition {
  origin: Origin
  ip: string
  requestId: string
}

export const callerOf = (request: FastifyRequest): Caller => ({
  ...request.principal,
  origin: originOf(request, request.principal.token !== null),
  ip: addressOf(request),
  requestId: request.id,
  ...conditionOf(request.headers['if-match']),
  ...(request.keyedRequest && { keyed: request.keyedRequest }),
})

/** `*` matches every current version. */
const conditionOf = (ifMatch: string | undefined): WithCondition =>
  ifMatch === undefined || ifMatch.trim() === '*' ? {} : { ifMatch }

export const anonymous = (request: FastifyRequest, username = ''): Actor => ({
  userId: null,
  username,
  origin: originOf(request, false),
  token: null,
  ip: addressOf(request),
  requestId: request.id,
})

/** The service acting on its own. */
export const SYSTEM: Actor = {
  userId: null,
  username: 'system',
  origin: 'schedule',
  token: null,
  ip: null,
  requestId: null,
}

/** The service as a caller that may do everything, for changes that it makes on its own. */
export const SERVICE: Caller = {
  ...SYSTEM,
  // There is no account: who asks for a user by this id finds none.
  userId: null as unknown as string,
  role: 'admin',
  sessionId: '',
  token: null,
  ip: '',
  requestId: '',
}
