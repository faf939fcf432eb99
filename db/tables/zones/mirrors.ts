import type { ColumnType, Generated } from 'kysely'

/** What a provider can't hold as the domain has it. */
export interface MirrorFinding {
  /** Relative to the zone. */
  name: string
  type: string
  value: string
  /** The reason, for programs, with the values that the text names. */
  code: string
  params: Record<string, unknown>
  message: string
  /** The record is missing there; otherwise it differs, for example in TTL. */
  missing: boolean
}

/** A zone at another provider that follows a domain. */
export interface MirrorsTable {
  id: string
  domain_id: string
  provider_config_id: string
  zone_id: string
  /** TTL of all its records, in seconds, where the provider has one for the zone. */
  zone_ttl: number | null
  name_servers: Generated<string[]>
  findings: ColumnType<MirrorFinding[], string | undefined, string>
  /** Findings beyond those stored. */
  more_findings: Generated<number>
  /** Records are missing there that the provider refused or can't hold. */
  lacks: Generated<boolean>
  /** Records that the last comparison found different; null: not compared since the zone was brought over. */
  differences: number | null
  compared_at: Date | null
  error: string | null
  error_code: string | null
  /** The failure needs a person: wrong credentials, a missing zone. */
  failed: Generated<boolean>
  /** Failed attempts in a row. */
  tries: Generated<number>
  /** When the next change may be tried. */
  due_at: Generated<Date>
  /** What was announced and is not over. */
  announced: 'behind' | 'failed' | 'differs' | null
  applied_at: Date | null
  created_at: Generated<Date>
}

/** A change that a mirror has not got yet. */
export interface MirrorChangesTable {
  mirror_id: string
  /** Order of the changes of a domain. */
  seq: Generated<string>
  /** Null: the whole zone. */
  change_id: string | null
  /** Its items; null: all that were applied. */
  positions: number[] | null
  /** Of the whole zone: most other records that may be deleted there; 0 keeps them. */
  deletes: Generated<number>
  queued_at: Generated<Date>
}
