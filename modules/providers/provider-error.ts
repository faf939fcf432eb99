import type { RecordType } from '../../schemas/record-type.ts'

export type ProviderErrorKind =
  | 'auth' // the key is refused
  | 'forbidden' // the key is good but may not do this
  | 'not_found' // the zone (or record) is not there
  | 'conflict' // it is there already
  | 'rejected' // the provider refuses this change
  | 'quota' // the account or the zone has as many of these as its plan allows
  | 'rate_limited'
  | 'locked' // other changes keep it from taking this one, which left nothing behind
  | 'unavailable' // down, unreachable, or answering garbage
  | 'timeout'
  | 'too_large' // an answer beyond `maxZoneRecords`; asked again it is the same

/** A failure at the provider, in words a user may read: never its raw body, never a credential. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind
  /** Whether a write may have happened nevertheless. */
  readonly outcome: 'not_applied' | 'unknown'
  /** Seconds after which a repeat may succeed, as the provider said. */
  readonly retryAfter: number | undefined
  /** The adapter has repeated the call as often as there is a point in it. */
  repeated: boolean

  constructor(
    kind: ProviderErrorKind,
    message: string,
    options: {
      outcome?: 'not_applied' | 'unknown'
      retryAfter?: number | undefined
      repeated?: boolean
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ProviderError'
    this.kind = kind
    this.outcome = options.outcome ?? 'not_applied'
    this.retryAfter = options.retryAfter
    this.repeated = options.repeated ?? false
  }
}

/** A set that is to be written as a whole holds values that the service does not know. Nothing of it was written. */
export class UnknownSiblings extends ProviderError {
  /** Relative to the zone. */
  readonly rrset: { name: string; type: RecordType }
  /** Canonical. */
  readonly values: readonly string[]

  /** `unreadable`: how many values can't be read as of that type. */
  constructor(rrset: { name: string; type: RecordType }, values: readonly string[], unreadable: number) {
    const named = [...values.slice(0, 5), ...(values.length > 5 ? [`${values.length - 5} more`] : [])]
    const others = unreadable === 0 ? [] : [`${unreadable} that can't be read`]
    super(
      'conflict',
      `The provider also has other ${rrset.type} values at ${rrset.name}: ${[...named, ...others].join(', ')}`,
    )
    this.rrset = rrset
    this.values = values
  }
}

/** An answer of more records, or zones, than are taken; or of more bytes or values than so many have. */
export const tooLarge = (maxZoneRecords: number, cause?: unknown) =>
  new ProviderError(
    'too_large',
    `The provider answered more than ${maxZoneRecords.toLocaleString('en')} records take, which is the most that is read of a zone; who runs this service can raise MAX_ZONE_RECORDS`,
    { cause },
  )

/** The failure of a call that came after one that was done: of the whole nobody knows. Anything else as it is. */
export const halfDone = (error: unknown): unknown =>
  error instanceof ProviderError
    ? new ProviderError(error.kind, error.message, { outcome: 'unknown', cause: error })
    : error

/** Null where the provider says that it does not have it. */
export async function unlessMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'not_found') return null
    throw error
  }
}

/** What `create` answers; where it is refused and `find` finds what was to be made, that it is there already. */
export async function unlessThere<T>(create: Promise<T>, find: () => Promise<unknown[]>): Promise<T> {
  try {
    return await create
  } catch (error) {
    // Which of the reasons of a refusal it is, many say in words alone.
    if (!(error instanceof ProviderError) || error.kind !== 'rejected') throw error
    if ((await find()).length === 0) throw error
    throw new ProviderError('conflict', 'The provider has this zone already', { cause: error })
  }
}
