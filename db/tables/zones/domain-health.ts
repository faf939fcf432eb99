import type { Generated, JSONColumnType } from 'kysely'

/** When a domain was and will be checked. */
export interface DomainHealthTable {
  domain_id: string
  /** When any instance may check it; during a check, when another one may take it over. */
  due_at: Generated<Date>
  /** When the last check began. */
  checked_at: Date | null
  /** What the last check could not find out: `[{codes, subject, reason, detail}]`. */
  not_checked: JSONColumnType<object[], string | undefined>
  /** Findings beyond the most that are stored of one code: `[{code, count}]`. */
  omitted: JSONColumnType<object[], string | undefined>
  /** Name servers with an old serial, by address: `{serial, since}`. */
  behind: JSONColumnType<Record<string, { serial: number; since: string }>, string | undefined>
}

export interface HealthFindingsTable {
  domain_id: string
  /** Identifies what it is about: code, name, type and subject. */
  key: string
  code: string
  severity: 'error' | 'warning' | 'info'
  /** Relative to the domain. */
  name: string
  /** Null if it is not about records. */
  type: string | null
  detail: string
  params: JSONColumnType<Record<string, unknown>>
  /** Changes that remove it; null if none follow. */
  fix: JSONColumnType<object[] | null, string | null, string | null>
  since: Generated<Date>
}
