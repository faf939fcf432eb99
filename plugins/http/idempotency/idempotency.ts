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
    /** The answer shows a secret and may not be stored: `Idempotency-Key` has no effect. */
    secretAnswer?: boolean
  }
  interface FastifyInstance {
    /** Checks before an answer is repeated; the area that knows the access adds its own. */
    replayChecks: ReplayCheck[]
  }
  interface FastifyRequest {
    /** Set while this request is handled under its Idempotency-Key. */
    keyedRequest: KeyedRequest | null
  }
}

/** Rejects where the caller no longer has the access that the first answer was given by. */
export type ReplayCheck = (db: Executor, principal: Principal, restsOn: readonly Reliance[]) => Promise<void>

const KEY = /^[\x21-\x7e]{1,200}$/

/**
 * `Idempotency-Key` on a POST: a repeat within 24 h gets the first result, and nothing is done again. A key belongs to its
 * user, and with a personal token to that token; the same key with another request is 409.
 *
 * Work that changes something stores what it came to in its own transaction (`keepingResult`, `keepPart`). The answer is
 * stored after it was made; where that was lost, a repeat runs the handler again, which takes what is done from there
 * (`once`, `donePart`). Failures of ours and of providers (5xx) are not stored, since clients repeat for those, nor are
 * answers that show a secret once. A key whose instance died is free when its lease ends.
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
            message: 'must be 1 to 200 visible ASCII characters',
          }),
        )
      }
      bookkeeping(() => begin(request, reply, key)).then(
        (isHandled) => {
          if (!isHandled) done()
        },
        (error: Error) => {
          // An earlier request with the key may have done the work.
          if (request.effects) request.effects.mayHaveWritten = true
          done(error)
        },
      )
    })

    /** Takes the key, or finds the answer of its first request. True: the stored answer was sent. */
    async function begin(request: FastifyRequest, reply: FastifyReply, given: string): Promise<boolean> {
      const { userId, token } = request.principal
      // No key contains a space, so the answer to one token is never found by another.
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
          // The work is done or not, and the answer says which: only a repeat would be told by this.
          request.log[levelOf(error)]({ err: error }, 'answer for an Idempotency-Key not stored'),
        )
        .finally(() => {
          held.delete(keyed.claim)
          done(null, payload)
        })
    })

    async function end(keyed: KeyedRequest, reply: FastifyReply, payload: unknown): Promise<void> {
      const body = payload ?? ''
      const { statusCode: status } = reply
      // Where something was done before, a refusal says why that can't be told now.
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
    // Whoever had one is gone: no other instance works on this database.
    if (alone) app.addHook('onReady', async () => void (await endAllClaims(app.jobsDb)))
  },
  { name: 'idempotency', dependencies: ['access', 'db', 'request-effects', 'secrets', 'work'] },
)

/** Keyed: a body may hold a password, which could be guessed from a plain digest by whoever reads the database. */
const requestDigest = (secrets: Secrets, request: FastifyRequest): Buffer =>
  Buffer.from(
    secrets.derive('idempotency', `${request.url}\n${JSON.stringify(request.body ?? null)}`),
    'base64url',
  )
