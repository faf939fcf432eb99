/** Statuses that change requests are filtered by; `waiting`: for the user's approval. */
export const REQUEST_FILTERS = [
  'waiting',
  'open',
  'approved',
  'applied',
  'failed',
  'outdated',
  'rejected',
  'withdrawn',
] as const
export type RequestStatusFilter = (typeof REQUEST_FILTERS)[number]
