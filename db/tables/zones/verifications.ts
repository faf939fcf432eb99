import type { ColumnType, Generated } from 'kysely'

/** One address of a name server, and what it said in the last round. */
export interface CheckedServer {
  /** Its name; the address if only that is known. */
  server: string
  address: string
  port: number
  /** `unavailable`: not reachable from here at all, such as by IPv6 where there is none. */
  state: 'answered' | 'no_answer' | 'refused' | 'lame' | 'unavailable'
  /** RRsets of which it did not answer the stored values, or other values that can't be compared. */
  other: { name: string; type: string; state: 'differs' | 'not_comparable'; answer: string[] }[]
  /** ISO 8601. */
  checkedAt: string
}

/** Whether the name servers serve what a change applied. */
export interface VerificationsTable {
  change_id: string
  domain_id: string
  status: Generated<'waiting' | 'verified' | 'failed' | 'superseded' | 'not_comparable' | 'unreachable'>
  rounds: Generated<number>
  /** A server has answered in any round. */
  reached: Generated<boolean>
  servers: ColumnType<CheckedServer[], string | undefined, string>
  /** When any instance may ask again; null once it has ended. */
  due_at: Date | null
  /** When it fails unless it is verified. */
  ends_at: Date
  created_at: Generated<Date>
  ended_at: Date | null
}
