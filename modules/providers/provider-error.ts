import type { RecordType } from '../../schemas/records/record-type.ts'

export const PROVIDER_ERROR_KINDS = [
  'auth', // the credentials are refused
  'forbidden', // the credentials lack a permission
  'not_found', // the zone or record does not exist
  'conflict', // it exists already
  'rejected', // the provider refuses this change
  'quota', // a limit of the account's plan is reached
  'rate_limited',
  'locked', // blocked by another change; nothing was applied
  'unavailable', // down, unreachable, or sending malformed responses
  'timeout',
  'too_large', // a response beyond `maxZoneRecords`; a retry does not help
] as const
export type ProviderErrorKind = (typeof PROVIDER_ERROR_KINDS)[number]

/** A failure at the provider. The message is for users: never a raw body, never a credential. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind
  /** `unknown`: a write may have been applied in spite of the failure. */
  readonly outcome: 'not_applied' | 'unknown'
  /** Seconds after which a retry may succeed, as the provider reports. */
  readonly retryAfter: number | undefined

  constructor(
    kind: ProviderErrorKind,
    message: string,
    options: {
      outcome?: 'not_applied' | 'unknown'
      retryAfter?: number | undefined
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ProviderError'
    this.kind = kind
    this.outcome = options.outcome ?? 'not_applied'
    this.retryAfter = options.retryAfter
  }
}

/** A list ended too early, such as one that others changed between two pages. Only reading it again can help. */
export class IncompleteList extends ProviderError {
  constructor() {
    super('unavailable', 'The provider returned only part of its list; it may have changed in the meantime')
  }
}

/** A set to be written as a whole holds values that the service does not know. Nothing of it was written. */
export class UnknownSiblings extends ProviderError {
  /** Relative to the zone. */
  readonly rrset: { name: string; type: RecordType }
  /** Canonical. */
  readonly values: readonly string[]

  /** `unreadable`: number of values that are not of that type. */
  constructor(rrset: { name: string; type: RecordType }, values: readonly string[], unreadable: number) {
    const named = [...values.slice(0, 5), ...(values.length > 5 ? [`${values.length - 5} more`] : [])]
    const others = unreadable === 0 ? [] : [`${unreadable} unreadable`]
    super(
      'conflict',
      `The provider also has other ${rrset.type} values at ${rrset.name}: ${[...named, ...others].join(', ')}`,
    )
    this.rrset = rrset
    this.values = values
  }
}

/** A response with more records or zones than allowed, or with more bytes or values than so many have. */
export const tooLarge = (maxZoneRecords: number, cause?: unknown) =>
  new ProviderError(
    'too_large',
    `The provider returned more than ${maxZoneRecords.toLocaleString('en')} records, the limit of this service; an operator can raise MAX_ZONE_RECORDS`,
    { cause },
  )

/** The failure of a call after an earlier one succeeded: the outcome of both together is unknown. Other errors stay as they are. */
export const halfDone = (error: unknown): unknown =>
  error instanceof ProviderError
    ? new ProviderError(error.kind, error.message, { outcome: 'unknown', cause: error })
    : error

/** A call after an earlier one succeeded; see `halfDone`. */
export const afterOther = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    throw halfDone(error)
  })

/** Null where the call fails with `not_found`. */
export async function unlessMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'not_found') return null
    throw error
  }
}

/** The result of `create`. Rejects with `conflict` where it is refused and `find` finds the object. */
export async function unlessThere<T>(create: Promise<T>, find: () => Promise<unknown[]>): Promise<T> {
  try {
    return await create
  } catch (error) {
    // Many providers give the reason of a refusal in words only.
    if (!(error instanceof ProviderError) || error.kind !== 'rejected') throw error
    if ((await find()).length === 0) throw error
    throw new ProviderError('conflict', 'The provider already has this zone', { cause: error })
  }
}
