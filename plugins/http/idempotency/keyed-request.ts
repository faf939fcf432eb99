/** Access that a response requires; it is repeated only while the caller still has it. */
export interface Reliance {
  domainId: string
  need: string
  /** Which records the caller saw; see `sightOf`. */
  sight: string
}

/** Results by part; without a value for a part that returns nothing. */
export type DoneParts = Record<string, { value?: unknown }>

/** A request with an Idempotency-Key, as services get it with their caller. */
export interface KeyedRequest {
  readonly userId: string
  readonly key: string
  /** Identifies this run of the request, which commits work only while it holds the key. */
  readonly claim: string
  /** Results of earlier, interrupted runs by part. */
  readonly doneParts: DoneParts
  /** Access that the response requires, by domain and need. */
  readonly restsOn: Map<string, Reliance>
  /** Whether this run returns the result of an earlier one. */
  isReplay: boolean
}

export interface WithKey {
  /** Set where the request has an Idempotency-Key. */
  keyed?: KeyedRequest
}
