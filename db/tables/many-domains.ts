import type { Generated, JSONColumnType } from 'kysely'

/** A plan over many domains; from `operation_id` on it is being done, or was. */
export interface DomainsPlansTable {
  id: string
  kind: 'replace' | 'template' | 'revert'
  user_id: string
  /** With whose rights it is done, where that is not all of the user's. */
  token_id: string | null
  totals: JSONColumnType<object, string, never>
  operation_id: string | null
  /** Of kind `revert`: the operation that it undoes. */
  undoes_operation_id: string | null
  created_at: Generated<Date>
  expires_at: Date
}

/** What a plan means for one domain, and what became of it. */
export interface PlannedDomainsTable {
  plan_id: string
  position: number
  domain_id: string
  /** Which names of the domain who asked saw then. */
  sight: string
  /** Of the domain when it was planned. */
  records_version: number
  provider_config_id: string
  /** What is asked of the one way by which records change. */
  requests: JSONColumnType<object[], string, never>
  /** So many records change. */
  steps: number
  /** What is shown of it. */
  shown: JSONColumnType<object, string, never>
  change_id: string | null
  /** Where no change says it. */
  outcome: 'unchanged' | 'blocked' | 'outdated' | 'refused' | null
  problem: JSONColumnType<object | null, string | null, string | null>
}

export interface TemplatesTable {
  id: string
  name: string
  description: string
  owner_id: string
  /** For all users, by an administrator. */
  shared: boolean
  variables: JSONColumnType<object[]>
  records: JSONColumnType<object[]>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}
