import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { sql } from 'kysely'
import type { Executor } from '../db/connect.ts'
import { AppError, conflict, invalid } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the request or its answer holds may not be stored: `Idempotency-Key` is not heeded. */
    secretAnswer?: boolean
  }
  interface FastifyRequest {
    /** Set while this request is the one that answers for its Idempotency-Key. */
    idempotencyKey: string | null
  }
}

const KEY = /^[\x21-\x7e]{1,200}$/
const KEPT_HOURS = 24

/** A request that never answered (its instance died) may be made again after that long. */
const ABANDONED_SECONDS = 120

/**
 * `Idempotency-Key` on a POST: a repeat within 24 h gets the first answer and does nothing again. A key
 * belongs to its user; the same key with another request is 409. Failures of ours and of providers (5xx)
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
          invalid({ path: '/Idempotency-Key', message: 'must be 1 to 200 visible ASCII characters' }),
        )
      }
      begin(request, reply, key).then((isFirst) => {
        if (isFirst) done()
      }, done)
    })

    /** True when the request is the first with its key; else it is answered here. */
    async function begin(request: FastifyRequest, reply: FastifyReply, key: string): Promise<boolean> {
      const hash = requestHash(request)
      const isFirst = await takeKey(app.db, request.principal.userId, key, hash)
      if (isFirst) request.idempotencyKey = key
      else await replay(app.db, request, reply, key, hash)
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

    app.every(3600, 'idempotency keys', () => forgetOldKeys(app.db))
  },
  { name: 'idempotency', dependencies: ['access', 'db', 'periodic'] },
)

const requestHash = (request: FastifyRequest) =>
  createHash('sha256')
    .update(`${request.url}\n${JSON.stringify(request.body ?? null)}`)
    .digest()

async function replay(
  db: Executor,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  hash: Buffer,
): Promise<void> {
  const first = await readAnswer(db, request.principal.userId, key)
  if (!first) throw conflict('The first request with this Idempotency-Key has just failed; send it again')
  if (!first.request_hash.equals(hash)) throw conflict('This Idempotency-Key was used for another request')
  if (first.status === null) {
    throw new AppError(409, 'conflict', 'The first request with this Idempotency-Key is still under way', {
      headers: { 'retry-after': '1' },
    })
  }
  const headers = first.headers as Record<string, string | undefined>
  for (const [name, value] of Object.entries(headers)) if (value) reply.header(name, value)
  void reply.code(first.status).header('idempotency-replayed', 'true').send(first.body)
}

/** True when the key is ours now: it was free, or its request died without an answer. */
async function takeKey(db: Executor, userId: string, key: string, hash: Buffer): Promise<boolean> {
  const abandoned = sql<Date>`now() - make_interval(secs => ${ABANDONED_SECONDS})`
  const row = await db
    .insertInto('idempotency_keys')
    .values({ user_id: userId, key, request_hash: hash, status: null, headers: null, body: null })
    .onConflict((on) =>
      on
        .columns(['user_id', 'key'])
        .doUpdateSet({ request_hash: hash, created_at: sql`now()` })
        .where('idempotency_keys.status', 'is', null)
        .where('idempotency_keys.created_at', '<', abandoned),
    )
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

const readAnswer = (db: Executor, userId: string, key: string) =>
  db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'headers', 'body'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()

const keepAnswer = (
  db: Executor,
  userId: string,
  key: string,
  answer: { status: number; headers: object; body: string },
) =>
  db
    .updateTable('idempotency_keys')
    .set({ status: answer.status, headers: JSON.stringify(answer.headers), body: answer.body })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute()

async function dropKey(db: Executor, userId: string, key: string): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('user_id', '=', userId).where('key', '=', key).execute()
}

const forgetOldKeys = (db: Executor) =>
  db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`now() - make_interval(hours => ${KEPT_HOURS})`)
    .execute()
