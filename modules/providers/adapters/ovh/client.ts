import { Type, type Static } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import { ApiClient, ApiFailure, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'
import { sign } from './signature.ts'

/** How long what was asked is believed. */
const CLOCK_MS = 3_600_000

/** The API of OVHcloud, version 1 (https://eu.api.ovh.com/console/). */
export function openApi(credentials: Credentials, context: AdapterContext): ApiClient {
  const { applicationSecret, consumerKey } = credentials
  const clock = context.state(newClock)
  const common = {
    provider: 'OVHcloud',
    ...addressOf(OWN_URL, credentials.apiUrl),
    secrets: [applicationSecret, consumerKey],
    explain: (answer: Answer) => explain(answer, clock),
  }
  const unsigned = new ApiClient(common, context)
  const authenticate = async (request: Parameters<typeof sign>[0]) => {
    const ahead = await aheadOf(clock, unsigned)
    return sign(request, credentials, context.clock.now() + ahead)
  }
  return new ApiClient({ ...common, authenticate }, context)
}

/** What is known of OVH's clock; `ahead`: milliseconds. */
interface OvhClock {
  ahead: number
  askedAt: number | null
}

const newClock = (): OvhClock => ({ ahead: 0, askedAt: null })

/** A request is signed with the time of OVH, which takes none that is a minute off. */
async function aheadOf(clock: OvhClock, api: ApiClient): Promise<number> {
  const ours = api.context.clock
  if (clock.askedAt === null || ours.now() - clock.askedAt > CLOCK_MS) {
    const theirs = await askTime(api)
    clock.askedAt = ours.now()
    clock.ahead = theirs === null ? 0 : theirs - clock.askedAt
  }
  return clock.ahead
}

/** Milliseconds since 1970; null: a proxy of the user's own does not let it through. */
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

/** A record as OVH has it. */
export const RawRecord = Type.Object({
  id: Type.Integer(),
  /** Relative to the zone; empty for the apex. */
  subDomain: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  fieldType: Type.String(),
  /** As it was sent: names without final dot are relative to the zone, texts with or without quotes. */
  target: Type.String(),
  /** 0: that of the zone. */
  ttl: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
})

export type RawRecord = Static<typeof RawRecord>

const AUTH = new Set(['INVALID_CREDENTIAL', 'NOT_CREDENTIAL', 'INVALID_KEY', 'INVALID_SIGNATURE'])

/** What OVH means: the gateway has codes, what is behind it words. */
function explain({ status, body }: Answer, clock: OvhClock): Failure | undefined {
  if (status < 300 || !isObject(body)) return undefined
  const { errorCode, class: name, message } = body
  const reason = typeof message === 'string' ? message : ''
  const code = typeof errorCode === 'string' ? errorCode : typeof name === 'string' ? name : ''
  if (code === 'QUERY_TIME_OUT') {
    clock.askedAt = null
    return { kind: 'auth', code, message: 'OVHcloud refuses the credentials: the clocks differ; try again' }
  }
  const isKey = AUTH.has(code) || /^(Invalid signature|This application key is)/i.test(reason)
  return { ...(isKey && { kind: 'auth' }), code, reason }
}
