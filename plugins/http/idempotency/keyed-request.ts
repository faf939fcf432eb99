/** Access to a domain that an answer was given by; it is repeated only while the caller still has that access. */
export interface Reliance {
  domainId: string
  need: string
  /** Which records the caller saw: see `sightOf`. */
  sight: string
}

/** By their names; without a value where the part answers nothing. */
export type DoneParts = Record<string, { value?: unknown }>

/** A request with an Idempotency-Key, as services see it: on their caller. */
export interface KeyedRequest {
  readonly userId: string
  readonly key: string
  /** This run of the request: it commits work only while it has the key. */
  readonly claim: string
  /** What earlier runs have done before they were interrupted, by the name of the part. */
  readonly doneParts: DoneParts
  /** What the answer rests on, by domain and need. */
  readonly restsOn: Map<string, Reliance>
  /** Whether this run answers what an earlier one has done. */
  isReplay: boolean
}

export interface WithKey {
  /** Set where the request has an Idempotency-Key. */
  keyed?: KeyedRequest
}
