import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import { ApiClient, isCode, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject, textOf } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'

/** All calls have the same address, with this query. */
const PATH = '?JSON'

interface Session {
  id: string | null
}

const newSession = (): Session => ({ id: null })

/** netcup's API of the customer control panel (https://ccp.netcup.net/run/webservice/servers/endpoint.php). */
export class NetcupApi {
  readonly context: AdapterContext
  readonly #client: ApiClient
  readonly #session: Session
  readonly #customer: { customernumber: string; apikey: string }
  readonly #password: string

  constructor({ customerNumber, apiKey, apiPassword, apiUrl }: Credentials, context: AdapterContext) {
    this.context = context
    this.#customer = { customernumber: customerNumber, apikey: apiKey }
    this.#password = apiPassword
    const secrets = [apiKey, apiPassword]
    this.#client = new ApiClient(
      { provider: 'netcup', ...addressOf(OWN_URL, apiUrl), secrets, explain },
      context,
    )
    this.#session = context.state(newSession)
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

  /** A good one is refused now and then, too: then once more, in a new one. */
  async #inSession<T>(call: (session: object) => Promise<T>): Promise<T> {
    const { id } = this.#session
    try {
      return await call({ ...this.#customer, apisessionid: id ?? (await this.logIn()) })
    } catch (error) {
      if (!isCode(error, NO_SESSION)) throw error
      return await call({ ...this.#customer, apisessionid: await this.logIn() })
    }
  }

  /** Answers the id of a new session, which ends after 15 minutes without a call. */
  async logIn(): Promise<string> {
    const json = { action: 'login', param: { ...this.#customer, apipassword: this.#password } }
    const { body } = await this.#client.read(PATH, { method: 'POST', json, schema: LoggedIn })
    this.#session.id = body.responsedata.apisessionid
    return this.#session.id
  }
}

/** What a call answers. */
export const Answered = <S extends TSchema>(data: S) =>
  Type.Object({ status: Type.String(), responsedata: data })

const LoggedIn = Answered(Type.Object({ apisessionid: Type.String() }))

/** A record as netcup has it. */
export const RawRecord = Type.Object({
  id: Type.String(),
  /** Relative to the zone; `@` for the apex. */
  hostname: Type.String(),
  type: Type.String(),
  /** Of MX; of others '0'. */
  priority: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  /** Of SRV `priority weight port target`. */
  destination: Type.String(),
})

export type RawRecord = Static<typeof RawRecord>

/** The session has ended. */
const NO_SESSION = 'no session'
/** There are no records in the zone, or there is no zone. */
export const NO_RECORDS = '5029'
/** Among others, that a record is gone. */
export const NOT_UPDATED = '5028'

const NO_ZONE = new Set(['5014', '5015', '5016'])

/** What netcup means, which it says by a code, and by words where that has several meanings, with the status 200. */
function explain({ body }: Answer): Failure | undefined {
  if (!isObject(body) || body['status'] !== 'error') return undefined
  const code = String(body['statuscode'])
  const reason = textOf(body['longmessage']) || textOf(body['shortmessage'])
  if (code === '4001') return { kind: 'auth', code: /session/i.test(reason) ? NO_SESSION : code }
  // A key of another form than netcup's is told as any wrong value.
  if (/field (customernumber|apikey|apipassword)/i.test(reason)) return { kind: 'auth', code }
  if (code === '4020') return { kind: 'forbidden', code, reason }
  if (/more than \d+ requests/i.test(reason)) return { kind: 'rate_limited', code: 'too many', reason }
  const isNone = NO_ZONE.has(code) || /the zone \S+ could not be found|field domainname/i.test(reason)
  if (isNone || code === NO_RECORDS) return { kind: 'not_found', code, message: NOT_THERE }
  return { kind: 'rejected', code, reason }
}

const NOT_THERE =
  'netcup does not have this zone in this account, or has it in its CloudDNS, which its API does not reach'
