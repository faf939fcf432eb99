import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import { isCode, type Answer, type ApiClient, type Failure } from '../../client/client.ts'
import { isObject, textOf } from '../../client/json.ts'
import type { Account } from '../../shared/define-provider.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'

/** All calls have the same URL, with this query. */
const PATH = '?JSON'

interface Session {
  id: string | null
}

const newSession = (): Session => ({ id: null })

/** Calls within a session, which all adapters of an account share. */
export class NetcupApi {
  readonly context: AdapterContext
  /** Domains to list; none: all, which works for resellers only. */
  readonly domains: readonly string[]
  readonly #client: ApiClient
  readonly #session: Session
  readonly #customer: { customernumber: string; apikey: string }
  readonly #password: string

  constructor(account: Account<Credentials>) {
    const { customerNumber, apiKey, apiPassword, domains = '' } = account.credentials
    this.context = account.context
    this.domains = namesIn(domains)
    this.#customer = { customernumber: customerNumber, apikey: apiKey }
    this.#password = apiPassword
    this.#client = clientOf(account, { secrets: [apiKey, apiPassword], explain })
    this.#session = account.context.state(newSession)
  }

  async read<S extends TSchema>(action: string, schema: S, param = {}): Promise<Static<S>> {
    return await this.#inSession(async (session) => {
      const call = { method: 'POST', json: { action, param: { ...session, ...param } }, large: true }
      const { body } = await this.#client.read(PATH, { ...call, schema })
      return body
    })
  }

  async write<S extends TSchema>(action: string, schema: S, param: object): Promise<Static<S>> {
    return await this.#inSession(async (session) => {
      const json = { action, param: { ...session, ...param } }
      const { body } = await this.#client.write(PATH, { json, schema, large: true })
      return body
    })
  }

  /** Retries once in a new session: netcup sometimes refuses valid ones too. */
  async #inSession<T>(call: (session: object) => Promise<T>): Promise<T> {
    const { id } = this.#session
    try {
      return await call({ ...this.#customer, apisessionid: id ?? (await this.logIn()) })
    } catch (error) {
      if (!isCode(error, NO_SESSION)) throw error
      return await call({ ...this.#customer, apisessionid: await this.logIn() })
    }
  }

  /** Returns the id of a new session, which ends after 15 minutes without a call. */
  async logIn(): Promise<string> {
    const json = { action: 'login', param: { ...this.#customer, apipassword: this.#password } }
    const { body } = await this.#client.read(PATH, { method: 'POST', json, schema: LoggedIn })
    this.#session.id = body.responsedata.apisessionid
    return this.#session.id
  }
}

const namesIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => name !== '')

/** The response of a call. */
export const Answered = <S extends TSchema>(data: S) =>
  Type.Object({ status: Type.String(), responsedata: data })

const LoggedIn = Answered(Type.Object({ apisessionid: Type.String() }))

export const RawRecord = Type.Object({
  id: Type.String(),
  /** Relative to the zone; `@` for the apex. */
  hostname: Type.String(),
  type: Type.String(),
  /** Of MX; '0' for others. */
  priority: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  /** Of SRV `priority weight port target`. */
  destination: Type.String(),
})

export type RawRecord = Static<typeof RawRecord>

/** The session has ended. */
const NO_SESSION = 'no session'
/** The zone is empty or does not exist. */
export const NO_RECORDS = '5029'
/** One of its reasons: the record no longer exists. */
export const NOT_UPDATED = '5028'

const NO_ZONE = new Set(['5014', '5015', '5016'])

/** A failure has the status 200 and a code. Where the code has several meanings, the text tells which. */
function explain({ body }: Answer): Failure | undefined {
  if (!isObject(body) || body['status'] !== 'error') return undefined
  const code = String(body['statuscode'])
  const reason = textOf(body['longmessage']) || textOf(body['shortmessage'])
  if (code === '4001') return { kind: 'auth', code: /session/i.test(reason) ? NO_SESSION : code }
  // A malformed key is reported like any other wrong value.
  if (/field (customernumber|apikey|apipassword)/i.test(reason)) return { kind: 'auth', code }
  if (code === '4020') return { kind: 'forbidden', code, reason }
  if (/more than \d+ requests/i.test(reason)) return { kind: 'rate_limited', code: 'too many', reason }
  const isNone = NO_ZONE.has(code) || /the zone \S+ could not be found|field domainname/i.test(reason)
  if (isNone || code === NO_RECORDS) return { kind: 'not_found', code, message: NOT_THERE }
  return { kind: 'rejected', code, reason }
}

const NOT_THERE =
  'netcup does not have this zone in this account, or keeps it in CloudDNS, which its API does not cover'
