/** An open event stream of a user; the slot is free when the lease is over. */
export interface StreamSlotsTable {
  user_id: string
  /** From 1 up to the number that a user may have. */
  slot: number
  stream_id: string
  lease_until: Date
}

/** When each registry's server may be asked next. */
export interface RegistryTurnsTable {
  server: string
  next_at: Date
}

/** Requests that were counted for a limit, by the hash of its key; until `resets_at`. */
export interface RateLimitCountersTable {
  key: Buffer
  count: number
  resets_at: Date
}
