import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../../db/connection/connect.ts'
import { bookkeeping } from '../../../db/connection/effects.ts'
import type { Principal } from '../../security/access/index.ts'
import { invalid } from '../errors.ts'
import { firstFailed, firstUnderWay, keyUsed } from './errors.ts'
import type { DoneParts, KeyedRequest, Reliance } from './keyed-request.ts'
import {
  CLAIMS_DUE,
  endAllClaims,
  forgetOldKeys,
  keepAnswer,
  readAnswer,
  releaseKey,
  renewClaims,
  takeKey,
} from './queries.ts'
import { levelOf } from '../logging.ts'
import type { Secrets } from '../../security/secrets.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response contains a secret and must not be stored, so `Idempotency-Key` has no effect. */
    secretAnswer?: boolean
  }
  interface FastifyInstance {
    /** Checks before a stored response is repeated; the domains module adds its own. */
    replayChecks: ReplayCheck[]
  }
  interface FastifyRequest {
    /** Set while this request is handled with its Idempotency-Key. */
    keyedRequest: KeyedRequest | null
  }
}

/** Rejects if the caller no longer has the access that the first response required. */
export type ReplayCheck = (db: Executor, principal: Principal, restsOn: readonly Reliance[]) => Promise<void>

const KEY = /^[\x21-\x7e]{1,200}$/

/**
 * `Idempotency-Key` on a POST: a repeat within 24 h gets the first response and changes nothing. A key belongs to its
 * user, or to the personal token used; the same key with a different request is 409.
 *
 * Work stores its result in its own transaction (`keepingResult`, `keepPart`), and the response is stored afterwards. If
 * that was lost, a repeat runs the handler again, which takes the results from there (`once`, `donePart`). Errors of the
 * service and of providers (5xx) are not stored, because clients retry them, nor are responses with secrets. If the
 * instance dies, the key is free when its lease ends.
 */
export default fp<{ alone: boolean }>(
  async (app, { alone }) => {
    app.decorateRequest('keyedRequest', null)
    app.decorate('replayChecks', [])
    const held = app.leases.renewing('idempotency keys', (claims) => renewClaims(app.jobsDb, claims))

    app.addHook('preHandler', (request, reply, done) => {
      const key = request.headers['idempotency-key']
      const counts = key !== undefined && request.method === 'POST' && Boolean(request.principal)
      if (!counts || request.routeOptions.config.secretAnswer === true) return done()
      if (typeof key !== 'string' || !KEY.test(key)) {
        return done(
          invalid({
            path: '/Idempotency-Key',
            code: 'key_form',
            message: 'must be 1 to 200 printable ASCII characters without spaces',
          }),
        )
      }
      bookkeeping(() => begin(request, reply, key)).then(
        (isHandled) => {
          if (!isHandled) done()
        },
        (error: Error) => {
          // An earlier request with this key may have done the work.
          if (request.effects) request.effects.mayHaveWritten = true
          done(error)
        },
      )
    })

    /** Takes the key, or sends the response of its first request and returns true. */
    async function begin(request: FastifyRequest, reply: FastifyReply, given: string): Promise<boolean> {
      const { userId, token } = request.principal
      // Keys contain no spaces, so one token never finds the response to another.
      const key = token ? `${token.id} ${given}` : given
      const hash = requestDigest(app.secrets, request)
      const claim = { userId, key, claim: uuidv7() }
      const taken = await takeKey(app.db, claim, hash)
      if (taken) {
        const restsOn = taken.rests_on as Reliance[]
        held.add(claim.claim)
        request.keyedRequest = {
          ...claim,
          doneParts: taken.done_parts as DoneParts,
          restsOn: new Map(restsOn.map((reliance) => [`${reliance.domainId} ${reliance.need}`, reliance])),
          isReplay: false,
        }
        await check(request, restsOn)
        return false
      }
      const first = await readAnswer(app.db, userId, key)
      if (!first) throw firstFailed()
      if (!first.request_hash.equals(hash)) throw keyUsed()
      if (first.status === null) throw firstUnderWay()
      await check(request, first.rests_on as Reliance[])
      for (const [name, value] of Object.entries(first.headers ?? {})) reply.header(name, value)
      void reply.code(first.status).header('idempotency-replayed', 'true').send(first.body)
      return true
    }

    async function check({ principal }: FastifyRequest, restsOn: Reliance[]): Promise<void> {
      for (const replayCheck of app.replayChecks) {
        await replayCheck(app.db, principal, restsOn)
      }
    }

    app.addHook('onSend', (request, reply, payload, done) => {
      const { keyedRequest: keyed } = request
      if (keyed === null) return done(null, payload)
      request.keyedRequest = null
      if (keyed.isReplay && reply.statusCode < 400) reply.header('idempotency-replayed', 'true')
      end(keyed, reply, payload)
        .catch((error: unknown) =>
          // The response already tells the outcome; this would only help a repeat.
          request.log[levelOf(error)]({ err: error }, 'response for Idempotency-Key not stored'),
        )
        .finally(() => {
          held.delete(keyed.claim)
          done(null, payload)
        })
    })

    async function end(keyed: KeyedRequest, reply: FastifyReply, payload: unknown): Promise<void> {
      const body = payload ?? ''
      const { statusCode: status } = reply
      // After completed parts, a 4xx is temporary: it only says why the result can't be shown now.
      const isPassing =
        status >= 500 || status === 429 || (status >= 400 && Object.keys(keyed.doneParts).length > 0)
      if (isPassing || typeof body !== 'string') {
        await releaseKey(app.db, keyed)
        return
      }
      const headers = {
        'content-type': reply.getHeader('content-type'),
        location: reply.getHeader('location'),
      }
      const restsOn = body === '' ? [] : [...keyed.restsOn.values()]
      await keepAnswer(app.db, keyed, { status, headers, body, restsOn })
    }

    app.dueTimes.bound(CLAIMS_DUE)
    app.work.every(3600, 'idempotency-keys.cleanup', () => forgetOldKeys(app.jobsDb))
    // No other instance uses this database, so nobody holds a key.
    if (alone) app.addHook('onReady', async () => void (await endAllClaims(app.jobsDb)))
  },
  { name: 'idempotency', dependencies: ['access', 'db', 'request-effects', 'secrets', 'work'] },
)

/** A keyed digest: with a plain one, a password in the body could be guessed by readers of the database. */
const requestDigest = (secrets: Secrets, request: FastifyRequest): Buffer =>
  Buffer.from(
    secrets.derive('idempotency', `${request.url}\n${JSON.stringify(request.body ?? null)}`),
    'base64url',
  )
