import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Executor } from '../db/connect.ts'
import type { ReasonCode } from './reason-codes.ts'
import { AppError, conflict, invalid } from './errors.ts'
import type { Secrets } from './secrets.ts'
import { dropKey, forgetOldKeys, keepAnswer, readAnswer, takeKey } from './idempotency-queries.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer shows a secret and may not be stored: `Idempotency-Key` is not heeded. */
    secretAnswer?: boolean
  }
  interface FastifyRequest {
    /** Set while this request is the one that answers for its Idempotency-Key. */
    idempotencyKey: string | null
  }
}

const KEY = /^[\x21-\x7e]{1,200}$/
/**
 * `Idempotency-Key` on a POST: a repeat within 24 h gets the first answer and does nothing again. A key
 * belongs to its user, and by a personal token to that; the same key with another request is 409. Failures of ours and of providers (5xx)
 * are not kept: those are what clients repeat for. Nor are answers that show a secret once.
 */
export default fp(
  async (app) => {
    app.decorateRequest('idempotencyKey', null)

    app.addHook('preHandler', (request, reply, done) => {
      const key = request.headers['idempotency-key']
      const counts = key !== undefined && request.method === 'POST' && Boolean(request.principal)
      if (!counts || request.routeOptions.config.secretAnswer === true) return done()
      if (typeof key !== 'string' || !KEY.test(key)) {
        return done(
          invalid({
            path: '/Idempotency-Key',
            code: 'key_form',
            message: 'must be 1 to 200 visible ASCII characters',
          }),
        )
      }
      begin(request, reply, key).then((isFirst) => {
        if (isFirst) done()
      }, done)
    })

    /** True when the request is the first with its key; else it is answered here. */
    async function begin(request: FastifyRequest, reply: FastifyReply, key: string): Promise<boolean> {
      const { token } = request.principal
      // A space is in no key: what one token was answered is not for another.
      const own = token ? `${token.id} ${key}` : key
      const hash = requestDigest(app.secrets, request)
      const isFirst = await takeKey(app.db, request.principal.userId, own, hash)
      if (isFirst) request.idempotencyKey = own
      else await replay(app.db, request, reply, own, hash)
      return isFirst
    }

    app.addHook('onSend', (request, reply, payload, done) => {
      if (request.idempotencyKey === null) return done(null, payload)
      end(request, reply, payload).then(() => done(null, payload), done)
    })

    async function end(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void> {
      const key = request.idempotencyKey as string
      request.idempotencyKey = null
      const { userId } = request.principal
      const body = payload ?? ''
      if (reply.statusCode >= 500 || reply.statusCode === 429 || typeof body !== 'string') {
        return dropKey(app.db, userId, key)
      }
      const headers = {
        'content-type': reply.getHeader('content-type'),
        location: reply.getHeader('location'),
      }
      await keepAnswer(app.db, userId, key, { status: reply.statusCode, headers, body })
    }

    app.timers.every(3600, 'idempotency keys', () => forgetOldKeys(app.jobsDb))
  },
  { name: 'idempotency', dependencies: ['access', 'db', 'secrets', 'timers'] },
)

/** Keyed: a body may hold a password, which could be guessed from a plain digest by whoever reads the database. */
const requestDigest = (secrets: Secrets, request: FastifyRequest): Buffer =>
  Buffer.from(
    secrets.derive('idempotency', `${request.url}\n${JSON.stringify(request.body ?? null)}`),
    'base64url',
  )

async function replay(
  db: Executor,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  hash: Buffer,
): Promise<void> {
  const first = await readAnswer(db, request.principal.userId, key)
  if (!first)
    throw conflict('The first request with this Idempotency-Key has just failed; send it again', {
      reason: 'first_request_failed',
    })
  if (!first.request_hash.equals(hash))
    throw conflict('This Idempotency-Key was used for another request', { reason: 'key_used' })
  if (first.status === null) {
    throw new AppError(409, 'conflict', 'The first request with this Idempotency-Key is still under way', {
      extra: { reason: 'first_request_under_way' satisfies ReasonCode },
      headers: { 'retry-after': '1' },
    })
  }
  for (const [name, value] of Object.entries(first.headers ?? {})) reply.header(name, value)
  void reply.code(first.status).header('idempotency-replayed', 'true').send(first.body)
}
