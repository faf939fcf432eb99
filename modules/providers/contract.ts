import type { TObject } from '@sinclair/typebox'
import type { Http } from '../../plugins/http.ts'
import type { RecordType } from '../../schemas/record-type.ts'

/** One value of an RRset. `value` is in canonical form (see dns/values): what we store and compare. */
export interface Member {
  value: string
  /** Traffic goes through the provider's proxy; only where `capabilities.proxied`. */
  proxied?: boolean
  /** The provider's own stable id of this record; only where `capabilities.identity` is `record-id`. */
  providerId?: string
}

/** All values of one name and type (RFC 2181 section 5). */
export interface RRset {
  /** Relative to the zone, lower case ASCII, `@` for the apex. */
  name: string
  type: RecordType
  /** Seconds. */
  ttl: number
  members: Member[]
}

/** A page of the RRsets that a provider holds. `skipped` counts records whose type we don't manage. */
export interface RRsetPage {
  rrsets: RRset[]
  skipped: number
}

export interface Zone {
  /** The provider's id of the zone; opaque. */
  id: string
  /** Lower case ASCII, without the final dot. */
  name: string
}

export type MemberChange =
  | { action: 'add'; member: Member }
  | { action: 'remove'; member: Member }
  | { action: 'replace'; from: Member; to: Member }

/** What shall change in one RRset. Members that no change names stay as they are, whoever put them there. */
export interface RRsetEdit {
  name: string
  type: RecordType
  /** The TTL of the whole RRset afterwards, seconds. */
  ttl: number
  /** In order; may be empty when only the TTL changes. */
  changes: MemberChange[]
}

export type ChangeOutcome = { ok: true; providerId: string | null } | { ok: false; error: ProviderError }

export interface Capabilities {
  recordTypes: readonly RecordType[]
  /** How the provider tells records apart. */
  identity: 'record-id' | 'rrset'
  /** `atomic`: one call applies all edits or none. `best-effort`: one call, each edit on its own. */
  batch: 'none' | 'best-effort' | 'atomic'
  /** Edits in one `apply` call at most. */
  maxBatch: number
  proxied: boolean
  comments: boolean
  /** Seconds. */
  minTtl: number
  maxTtl: number
  /** A CNAME at the apex is taken (and flattened). */
  apexCname: boolean
  createZone: boolean
  deleteZone: boolean
  /** `local`: our own database is the only place the records are in, there is nothing to sync with. */
  truth: 'provider' | 'local'
}

/**
 * One connection to one account at a DNS provider.
 *
 * Every method rejects with ProviderError and with nothing else. Reads may be repeated by the caller;
 * `apply` is repeated only when its error says that nothing was applied.
 */
export interface DnsAdapter {
  /** Makes sure that the credentials work, by the cheapest authenticated call. */
  verify(): Promise<void>
  /** All zones of the account; `[]` only when the provider said so. */
  listZones(): Promise<Zone[]>
  /** The zone of that name, or null when the provider says that it has none. */
  findZone(name: string): Promise<Zone | null>
  /** Creates the zone. Rejects with kind `conflict` when it is there already. */
  createZone(name: string): Promise<Zone>
  /** Deletes the zone with all its records; deleting a missing one succeeds. */
  deleteZone(zone: Zone): Promise<void>
  /** All RRsets of the types we manage, page by page. An incomplete answer is an error, never a short list. */
  listRRsets(zone: Zone): AsyncIterable<RRsetPage>
  /** The one RRset, or null when it has no members. Must not cost more in a large zone. */
  readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null>
  /**
   * Applies the edits; at most `capabilities.maxBatch`, and no two of the same name and type.
   * Adding a member that is there succeeds, and so does removing one that is not.
   * Resolves with an outcome for each change of each edit (`[edit][change]`); where the batch is
   * atomic, a failure rejects instead and nothing was applied, or `error.outcome` is `unknown`.
   */
  apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]>
  /**
   * The first half of `apply`, where it reads before it writes: resolves with the second half, good for one
   * call. For who has something else to do meanwhile; the RRsets are held against other writers of ours.
   */
  prepare?(zone: Zone, edits: RRsetEdit[]): Promise<Write>
}

/** What is left of `apply`. */
export type Write = () => Promise<ChangeOutcome[][]>

export interface AdapterContext {
  http: Http
  /** Ends every call of this adapter: the budget of the request it serves. */
  signal: AbortSignal
}

/** A kind of DNS host: what the catalogue shows, and how to open an account there. */
export interface Provider {
  /** Fixed for all time. */
  id: string
  key: string
  name: string
  /** Secret properties carry `writeOnly: true`; the others are shown. Defaults are filled in. */
  credentialSchema: TObject
  capabilities: Capabilities
  /** `credentials` fit `credentialSchema`. Makes no call. */
  open(credentials: Record<string, string>, context: AdapterContext): DnsAdapter
}

export type ProviderErrorKind =
  | 'auth' // the key is refused
  | 'forbidden' // the key is good but may not do this
  | 'not_found' // the zone (or record) is not there
  | 'conflict' // it is there already
  | 'rejected' // the provider refuses this change
  | 'rate_limited'
  | 'unavailable' // down, unreachable, or answering garbage
  | 'timeout'

/** A failure at the provider, in words a user may read: never its raw body, never a credential. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind
  /** Whether a write may have happened nevertheless. */
  readonly outcome: 'not_applied' | 'unknown'
  /** Seconds after which a repeat may succeed, as the provider said. */
  readonly retryAfter: number | undefined

  constructor(
    kind: ProviderErrorKind,
    message: string,
    options: { outcome?: 'not_applied' | 'unknown'; retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ProviderError'
    this.kind = kind
    this.outcome = options.outcome ?? 'not_applied'
    this.retryAfter = options.retryAfter
  }
}
