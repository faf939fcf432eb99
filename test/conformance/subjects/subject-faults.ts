/** What can go wrong on the way, in the form of the provider at hand. */
export type FaultName =
  | 'silent' // no answer, no effect
  | 'silentAfter' // no answer, but the effect
  | 'reset' // the connection is reset, no effect
  | 'resetAfter' // the connection is reset, but the effect
  | 'cut' // the effect, and half of the answer
  | 'garbage' // the effect, and something else than the provider's format
  | 'html' // the effect, and a page with HTML_MARK in it as if that were the answer
  | 'html502' // a proxy's error page with HTML_MARK in it
  | 'failure' // the provider itself says that it failed, such as by status 500
  | 'unauthorized'
  | 'forbidden' // the key is good, and may not do this
  | 'rateLimited' // Retry-After: 7
  | 'rateLimitedBare' // without Retry-After
  | 'echo' // a refusal whose reason repeats the secret
  | 'half' // of several changes in one call the last one fails

export const HTML_MARK = 'stack trace of an inner host'
export const RETRY_AFTER = 7

export interface SubjectFaults {
  /** Credentials by which the faults are met. */
  credentials: Record<string, string>
  /** Good credentials for an address where nobody listens. */
  refused: Record<string, string>
  /** Why some can't be had of this subject. */
  without?: Partial<Record<FaultName, string>>
  /** From now on, for all reads or all writes. */
  set(fault: FaultName, on: 'read' | 'write'): void
  clear(): void
}

/** Of a provider that goes on after its answer. */
export interface SubjectDelay {
  /** The next change is finished when that was asked so often in vain. */
  set(times: number): void
  /** How often that can still be asked in vain. */
  left(): number
}

/** Of a provider that has to be told to put in force what was written. */
export interface SubjectCommits {
  /** So many calls for that fail from now on. */
  fail(times: number): void
  isInForce(): boolean
}
