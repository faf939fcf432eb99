import type { Generated, JSONColumnType } from 'kysely'

/** A plan over many domains; once `operation_id` is set, it is being applied or has been. */
export interface DomainsPlansTable {
  id: string
  kind: 'replace' | 'template' | 'revert'
  user_id: string
  /** The restrictions it is applied with, if it has fewer rights than the user. */
  token_id: string | null
  totals: JSONColumnType<object, string, never>
  operation_id: string | null
  /** For kind `revert`: the operation to revert. */
  undoes_operation_id: string | null
  created_at: Generated<Date>
  expires_at: Date
}

/** What a plan means for one domain, and its outcome. */
export interface PlannedDomainsTable {
  plan_id: string
  position: number
  domain_id: string
  /** The names of the domain that the caller could see at that time. */
  sight: string
  /** Version of the domain's records when it was planned. */
  records_version: number
  provider_config_id: string
  /** The intent to apply. */
  requests: JSONColumnType<object[], string, never>
  /** Number of records that change. */
  steps: number
  /** What is shown of the plan. */
  shown: JSONColumnType<object, string, never>
  change_id: string | null
  /** The outcome without a change. */
  outcome: 'unchanged' | 'blocked' | 'outdated' | 'refused' | 'scheduled' | null
  problem: JSONColumnType<object | null, string | null, string | null>
}

export interface TemplatesTable {
  id: string
  name: string
  description: string
  owner_id: string
  /** Shared with all users by an administrator. */
  shared: boolean
  variables: JSONColumnType<object[]>
  records: JSONColumnType<object[]>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}
