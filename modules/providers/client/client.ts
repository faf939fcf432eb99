import type { Static, TSchema } from '@sinclair/typebox'
import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler'
import { OutboundError, type HttpResponse } from '../../../plugins/outbound/http.ts'
import { retryAfterOf } from '../../../plugins/outbound/retry-after.ts'
import type { AdapterContext, RateReport } from '../context.ts'
import { ProviderError, tooLarge, type ProviderErrorKind } from '../contract.ts'
import { hasMoreValues, parseJson } from './json.ts'
import { retried } from '../traffic/retries.ts'
import {
  ApiFailure,
  fromOutbound,
  kindOf,
  messageOf,
  notTheFormat,
  outcomeOf,
  type Failure,
} from './failures.ts'
import { rateOf } from './rate-headers.ts'
import { redacted, shown } from './redaction.ts'
import { finish, type Call, type FinishedRequest } from './requests.ts'

export { ApiFailure, isCode, type Failure } from './failures.ts'
export type { Call, FinishedRequest } from './requests.ts'

/** An answer of the API. */
export interface Answer<T = unknown> {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** In the requested format; undefined for a failure that is not valid JSON or XML. */
  body: T
}

/** What is specific to one provider. */
export interface Api {
  /** Name in messages. */
  provider: string
  /** Base URL of the API, without a trailing slash. */
  url: string
  /** The user entered that URL, which may be the cause of errors. */
  isOwnAddress?: boolean
  /** Secrets to redact from all texts: keys, passwords. The result of `authenticate` is redacted as well. */
  secrets: readonly string[]
  /**
   * Headers that authenticate a request; called for each attempt, so that signatures can contain the time.
   */
  authenticate?(request: FinishedRequest): Record<string, string> | Promise<Record<string, string>>
  /** Called when authentication was refused; returns whether to retry once, for example with a new token. */
  renew?(): boolean
  /**
   * Meaning of an answer: undefined, as its status says; `applied`, done although the status says otherwise;
   * otherwise a failure, which may have status 200. `body` is unvalidated.
   */
  explain?(answer: Answer, path: string): Failure | 'applied' | undefined
  /** XML elements that can be repeated. */
  xmlLists?: readonly string[]
  /** Set if rate limits are not in the usual headers. */
  rateOf?: (headers: Record<string, string>, now: number) => RateReport | null
}

const TIMEOUT_MS = 10_000
const LARGE_TIMEOUT_MS = 30_000
// A record alone in its RRset takes about 135 bytes and 9 JSON values, a long TXT 500 bytes; this allows that
// much for each record of the largest zone.
const BYTES_A_RECORD = 256
const VALUES_A_RECORD = 16
const FIRST_PAUSE_SECONDS = 1

/**
 * Calls of one account to its provider's HTTP API: rate-limited, authenticated, bounded in time and size,
 * retried if that can't repeat an effect. Rejects only with ProviderError.
 */
export class ApiClient {
  readonly context: AdapterContext
  readonly #api: Api
  readonly #place: { provider: string; hint: string }

  constructor(api: Api, context: AdapterContext) {
    this.#api = api
    this.context = context
    this.#place = { provider: api.provider, hint: api.isOwnAddress === true ? ': check apiUrl' : '' }
  }

  /** A call that changes nothing. `path` is appended to the base URL, or is a complete URL below it. */
  read<S extends TSchema>(path: string, call: Call & { schema: S }): Promise<Answer<Static<S>>>
  read(path: string, call?: Call): Promise<Answer>
  read(path: string, call: Call = {}): Promise<Answer> {
    return this.#call('read', path, { method: 'GET', ...call })
  }

  /** A call that changes something; retried only if it certainly had no effect. */
  write<S extends TSchema>(path: string, call: Call & { schema: S }): Promise<Answer<Static<S>>>
  write(path: string, call: Call): Promise<Answer>
  write(path: string, call: Call): Promise<Answer> {
    return this.#call('write', path, { method: 'POST', ...call })
  }

  /** The answer is not valid for this provider. `outcome`: `unknown` for a write. */
  malformed(outcome: 'not_applied' | 'unknown' = 'not_applied'): ProviderError {
    return new ProviderError('unavailable', notTheFormat(this.#place), { outcome })
  }

  async #call(of: 'read' | 'write', path: string, call: Call & { method: string }): Promise<Answer> {
    const request = finish(this.#api.url, path, call.method, call)
    if (request === null) throw this.malformed()
    const { limiter } = this.context
    const attempt = async (tries: number) => {
      await limiter.turn(of, this.context, call.zone)
      try {
        return await this.#try(of === 'write', request, path, call)
      } catch (error) {
        if (isKind(error, 'rate_limited'))
          limiter.pause(1000 * (error.retryAfter ?? FIRST_PAUSE_SECONDS * 2 ** (tries - 1)), of, call.zone)
        throw error
      }
    }
    let isRenewed = false
    return retried(this.context, async (tries) => {
      try {
        return await attempt(tries)
      } catch (error) {
        if (isRenewed || !isKind(error, 'auth') || this.#api.renew?.() !== true) throw error
        isRenewed = true
        return attempt(tries)
      }
    })
  }

  async #try(isWrite: boolean, request: FinishedRequest, path: string, call: Call): Promise<Answer> {
    const { limiter, clock } = this.context
    const proof = (await this.#api.authenticate?.(request)) ?? {}
    const secrets = [...this.#api.secrets, ...Object.values(proof).flatMap(partsOf)]
    const begun = clock.now()
    const response = await this.#send(isWrite, request, proof, call)
    this.#log(request, response.status, clock.now() - begun, secrets)
    const rate = (this.#api.rateOf ?? rateOf)(response.headers, clock.now())
    if (rate !== null) limiter.note(rate)
    const { status, headers } = response
    const body = await this.#read(response, call)
    const answer: Answer = { status, headers, body }
    const meaning = this.#api.explain?.(answer, path)
    const isGood = call.status === undefined ? status >= 200 && status < 300 : status === call.status
    if (meaning === 'applied') return answer
    if (meaning !== undefined || !isGood) throw this.#failure(answer, meaning ?? {}, isWrite, secrets)
    // Check the format before parsing JSON or XML.
    if (!isOfFormat(answer, call)) throw this.malformed(isWrite ? 'unknown' : 'not_applied')
    return answer
  }

  async #send(
    isWrite: boolean,
    { method, url, headers, body }: FinishedRequest,
    proof: Record<string, string>,
    { large = false, as }: Call,
  ): Promise<HttpResponse> {
    const { http, signal, maxZoneRecords } = this.context
    try {
      return await http.request({
        method,
        url: url.href,
        headers: { ...headers, ...proof },
        ...(body.length > 0 && { body }),
        timeoutMs: large ? LARGE_TIMEOUT_MS : TIMEOUT_MS,
        ...(large && { maxBytes: maxZoneRecords * BYTES_A_RECORD }),
        ...(as === 'bytes' && { binary: true }),
        signal,
      })
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      if (large && error.kind === 'too_large') throw tooLarge(maxZoneRecords, error)
      throw fromOutbound(error, this.#api.provider, isWrite)
    }
  }

  async #read({ status, body, bytes }: HttpResponse, { as = 'json', large = false }: Call): Promise<unknown> {
    if (as === 'text') return body
    if (as === 'bytes' && status < 300) return bytes
    if (as === 'xml') return (await import('./xml.ts')).parseXml(body, this.#api.xmlLists)
    if (as === 'empty' && body === '') return null
    const { maxZoneRecords } = this.context
    if (large && (await hasMoreValues(body, maxZoneRecords * VALUES_A_RECORD))) throw tooLarge(maxZoneRecords)
    return parseJson(body)
  }

  #failure(
    { status, headers, body }: Answer,
    failure: Failure,
    isWrite: boolean,
    secrets: string[],
  ): ProviderError {
    // A success with an unexpected status comes from something else.
    const kind = failure.kind ?? kindOf(status, body !== undefined)
    const reason = shown(failure.reason ?? '', secrets)
    const message = failure.message ?? messageOf(kind, this.#place, status, reason)
    const outcome = isWrite ? (failure.outcome ?? outcomeOf(status, kind)) : 'not_applied'
    const retryAfter = failure.retryAfter ?? retryAfterOf(headers, this.context.clock.now())
    const { code } = failure
    return new ApiFailure(kind, message, { outcome, retryAfter, status, code, hasReason: reason !== '' })
  }

  #log({ method, url }: FinishedRequest, status: number, milliseconds: number, secrets: string[]): void {
    const { provider } = this.#api
    const path = redacted(url.pathname, secrets)
    this.context.log.debug({ provider, method, path, status, milliseconds }, 'provider call')
  }
}

const isKind = (error: unknown, kind: ProviderErrorKind): error is ProviderError =>
  error instanceof ProviderError && error.kind === kind

/** Secrets in an authentication header: the whole value, and each part that is not an ordinary word. */
const partsOf = (value: string): string[] => [
  value,
  ...value.split(/[\s,]+/).filter((part) => part.length > 8),
]

function isOfFormat({ status, body }: Answer, { as = 'json', schema }: Call): boolean {
  if (as === 'empty') return body === null
  if (as !== 'json' && as !== 'xml') return true
  if (schema === undefined) return body !== undefined || status === 204
  return checkOf(schema).Check(body)
}

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>()

function checkOf(schema: TSchema): TypeCheck<TSchema> {
  const check = checks.get(schema) ?? TypeCompiler.Compile(schema)
  checks.set(schema, check)
  return check
}
