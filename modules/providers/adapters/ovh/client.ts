import { Type, type Static } from '@sinclair/typebox'
import { ApiFailure, type ApiClient, type Answer, type Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import type { Account } from '../../shared/define-provider.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'
import { sign } from './signature.ts'

/** How long the offset of OVH's clock is used. */
const CLOCK_MS = 3_600_000

/** The client of an account, which signs requests with the time of OVH's clock. */
export function openApi(account: Account<Credentials>): ApiClient {
  const { credentials, context } = account
  const clock = context.state(newClock)
  const secrets = [credentials.applicationSecret, credentials.consumerKey]
  const common = { secrets, explain: (answer: Answer) => explain(answer, clock) }
  const unsigned = clientOf(account, common)
  const authenticate = async (request: Parameters<typeof sign>[0]) => {
    const ahead = await aheadOf(clock, unsigned)
    return sign(request, credentials, context.clock.now() + ahead)
  }
  return clientOf(account, { ...common, authenticate })
}

/** Offset of OVH's clock; `ahead`: milliseconds. */
interface OvhClock {
  ahead: number
  askedAt: number | null
}

const newClock = (): OvhClock => ({ ahead: 0, askedAt: null })

/** OVH refuses signatures whose time is off by a minute. */
async function aheadOf(clock: OvhClock, api: ApiClient): Promise<number> {
  const ours = api.context.clock
  if (clock.askedAt === null || ours.now() - clock.askedAt > CLOCK_MS) {
    const theirs = await askTime(api)
    clock.askedAt = ours.now()
    clock.ahead = theirs === null ? 0 : theirs - clock.askedAt
  }
  return clock.ahead
}

/** Milliseconds since 1970; null: a proxy of the user does not forward the call. */
async function askTime(api: ApiClient): Promise<number | null> {
  try {
    const { body } = await api.read('/auth/time', { schema: Type.Integer() })
    return body * 1000
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null
    throw error
  }
}

export const RawZone = Type.Object({
  name: Type.String(),
  nameServers: Type.Optional(Type.Array(Type.String())),
})

export const RawRecord = Type.Object({
  id: Type.Integer(),
  /** Relative to the zone; empty for the apex. */
  subDomain: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  fieldType: Type.String(),
  /** As entered: names without the final dot are relative to the zone, texts may be quoted. */
  target: Type.String(),
  /** 0: the TTL of the zone. */
  ttl: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
})

export type RawRecord = Static<typeof RawRecord>

const AUTH = new Set(['INVALID_CREDENTIAL', 'NOT_CREDENTIAL', 'INVALID_KEY', 'INVALID_SIGNATURE'])

/** The gateway reports codes, the API behind it words. */
function explain({ status, body }: Answer, clock: OvhClock): Failure | undefined {
  if (status < 300 || !isObject(body)) return undefined
  const { errorCode, class: name, message } = body
  const reason = typeof message === 'string' ? message : ''
  const code = typeof errorCode === 'string' ? errorCode : typeof name === 'string' ? name : ''
  if (code === 'QUERY_TIME_OUT') {
    clock.askedAt = null
    return {
      kind: 'auth',
      code,
      message: 'OVHcloud refuses the credentials because the clocks differ; try again',
    }
  }
  const isKey = AUTH.has(code) || /^(Invalid signature|This application key is)/i.test(reason)
  return { ...(isKey && { kind: 'auth' }), code, reason }
}
