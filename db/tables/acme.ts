import type { Generated } from 'kysely'

/** A name whose TXT records a client of acme-dns may set, with a user name and a password of its own. */
export interface AcmeRegistrationsTable {
  /** Also what the client signs in as. */
  id: string
  user_id: string
  /** By which it was made, and without which it does not count. */
  token_id: string | null
  /** The same, made after a sign-in; both null: made so before this was kept. */
  session_id: string | null
  domain_id: string
  /** Relative to the domain. */
  name: string
  subdomain: string
  secret_hash: Buffer
  /** Client addresses as CIDR; none: all. */
  allow_from: string[]
  /** What it set last, the newest at the end. */
  recent_values: Generated<string[]>
  created_at: Generated<Date>
  last_used_at: Date | null
}
