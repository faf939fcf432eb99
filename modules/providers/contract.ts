import type { ReasonCode } from '../../schemas/codes/reason-codes.ts'
import type { Static, TObject } from '@sinclair/typebox'
import type { SoaData } from '../../dns/zone-file/soa.ts'
import type { Routing } from '../../dns/names/rrset.ts'
import type { JsonValue } from '../../db/tables/index.ts'
import type { RecordType } from '../../schemas/records/record-type.ts'
import type { Capabilities } from './capabilities.ts'
import type { AdapterContext } from './context.ts'
import type { ProviderError } from './provider-error.ts'

export { ANY_TEXT, type Capabilities } from './capabilities.ts'
export type { AdapterContext } from './context.ts'
export {
  afterOther,
  halfDone,
  IncompleteList,
  ProviderError,
  tooLarge,
  unlessMissing,
  unlessThere,
  UnknownSiblings,
  type ProviderErrorKind,
} from './provider-error.ts'

/** One value of an RRset. `value` is canonical (see dns/types): the form that is stored and compared. */
export interface Member {
  value: string
  /** Traffic goes through the provider's proxy; only where `capabilities.proxied`. */
  proxied?: boolean
  /** Kept but not served. Users can set it only where `capabilities.disabledRecords`. */
  disabled?: boolean
  /** A note for people; only where `capabilities.comments`, then '' for none. */
  comment?: string
  /** Seconds; null: the provider chooses. Only where `capabilities.ttlOf` is `record`. */
  ttl?: number | null
  /** Data that only the adapter reads, and repeats with every write. */
  extra?: JsonValue
  /** The provider's own stable id of this record; only where `capabilities.identity` is `record-id`. */
  providerId?: string
}

/** All values of one name and type (RFC 2181 section 5). */
export interface RRset {
  /** Relative to the zone, lower case ASCII, `@` for the apex. */
  name: string
  type: RecordType
  /** Distinguishes several sets of one name and type; only where `capabilities.routing`. */
  routing?: Routing | null
  /** Seconds; null: the provider chooses. Null only where `capabilities.automaticTtl`. */
  ttl: number | null
  /** Like `Member.extra`, for the set. */
  extra?: JsonValue
  members: Member[]
}

/** A record that this service does not manage: of an unknown type, or with unreadable data. */
export interface UnmanagedRecord {
  /** Relative to the zone. */
  name: string
  type: string
  /** Seconds. */
  ttl: number
  /** As the provider spells it. */
  value: string
}

/** A page of the records of a zone, without the SOA. */
export interface RRsetPage {
  rrsets: RRset[]
  unmanaged: UnmanagedRecord[]
  /** The SOA, if it is on this page and needs no further call. */
  soa?: Soa
}

export interface Zone {
  /** The provider's id of the zone; opaque. */
  id: string
  /** Lower case ASCII, without the final dot. Several zones may have the same. */
  name: string
  /** Name servers of the zone, canonical; missing: unknown. */
  nameServers?: string[]
  /** `pending`: not delegated to the provider yet. `paused`: kept but not served. Missing: unknown. */
  status?: 'active' | 'pending' | 'paused'
  /** A `secondary` gets its records from another server. Missing: unknown. */
  kind?: 'primary' | 'secondary'
  /** TTL of all records, seconds; only where `capabilities.ttlOf` is `zone`. Missing: unknown. */
  ttl?: number
  /** Approximate number of records, if the caller knows it; helps an adapter choose how to read. */
  size?: number
}

/** The SOA record of a zone. */
export interface Soa extends SoaData {
  /** Seconds. */
  ttl: number
}

/** DNSSEC state of a zone. */
export interface Dnssec {
  signed: boolean
  /** DS records for the parent zone, canonical; empty until a key can be trusted. */
  ds: string[]
}

export interface NewZone {
  /** Lower case ASCII, without the final dot. */
  name: string
  /** Canonical names for the NS at the apex; not empty where `capabilities.zoneNameServers`. */
  nameServers: string[]
  soa: Soa
}

export type MemberChange =
  | { action: 'add'; member: Member }
  | { action: 'remove'; member: Member }
  | { action: 'replace'; from: Member; to: Member }

/** Changes of one RRset. Other members stay as they are, regardless of who added them. */
export interface RRsetEdit {
  name: string
  type: RecordType
  routing?: Routing | null
  /** The TTL of the whole RRset afterwards, seconds; null: the provider chooses. */
  ttl: number | null
  /** As it was when the set was last read. */
  extra?: JsonValue
  /** In order; may be empty when only the TTL changes. */
  changes: MemberChange[]
  /** All values of the set that the service knows, canonical; missing: unknown values are not reported. */
  known?: readonly string[]
  /**
   * The set must hold only values that are known or named by a change. Otherwise `apply` rejects with `UnknownSiblings`
   * before it writes anything of this edit. Missing: other values stay.
   */
  exact?: boolean
  /** Called with the values that are neither known nor named by a change, each time `apply` has read the set. */
  found?: (values: readonly string[]) => void
}

export type ChangeOutcome = { ok: true; providerId: string | null } | { ok: false; error: ProviderError }

/** The provider accepted the edits and is still applying them: pass `change` to `isFinished`. */
export interface Unfinished {
  outcomes: ChangeOutcome[][]
  change: string
}

/**
 * One connection to one account at a DNS provider.
 *
 * Every method rejects with ProviderError and with nothing else. Its client retries each request (see `retried`); the
 * caller repeats a whole method only after `locked` and IncompleteList, and only when nothing was applied.
 */
export interface DnsAdapter {
  /** Checks the credentials with the cheapest authenticated call. */
  verify(): Promise<void>
  /** All zones of the account, page by page; empty only if the provider says so. */
  listZones(): AsyncIterable<Zone[]>
  /** Zones with exactly this name, usually one; `[]` only if the provider says that it has none. */
  findZones(name: string): Promise<Zone[]>
  /** Creates the zone. Rejects with kind `conflict` if it exists already. */
  createZone(zone: NewZone): Promise<Zone>
  /** Deletes the zone with all its records; deleting a missing one succeeds. */
  deleteZone(zone: Zone): Promise<void>
  /** Reads the SOA. */
  readSoa?(zone: Zone): Promise<Soa>
  /** Replaces the SOA. `soa.serial` is the current one; the written one must be higher (RFC 1982). */
  writeSoa?(zone: Zone, soa: Soa): Promise<void>
  /** Reads whether the zone is signed, and the DS records for its parent. */
  readDnssec?(zone: Zone): Promise<Dnssec>
  /** Signs the zone with keys of the provider, or stops signing; does nothing if that is already so. */
  writeDnssec?(zone: Zone, signed: boolean): Promise<void>
  /** All RRsets of managed types and all unmanaged records, page by page. An incomplete answer is an error, never a short list. */
  listRRsets(zone: Zone): AsyncIterable<RRsetPage>
  /** One RRset, or null if it has no members. Should not take longer in a large zone. */
  readRRset(zone: Zone, name: string, type: RecordType, routing?: Routing | null): Promise<RRset | null>
  /**
   * Applies the edits; at most `capabilities.maxBatch`, and no two of the same name, type and routing.
   * Adding an existing member succeeds, and so does removing a missing one. `disabled` changes only when a member is
   * added with it, or replaced by one that differs in it: removing a member that others disabled or enabled in the
   * meantime leaves it there.
   * Resolves with an outcome for each change of each edit (`[edit][change]`). If the batch is atomic, a failure rejects
   * instead: then nothing was applied, or `error.outcome` is `unknown`. Only edits of sets that are too large for one
   * call may be applied one by one in spite of that.
   */
  apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][] | Unfinished>
  /**
   * Whether the provider has finished what `apply` left unfinished. Rejects with kind `rejected` if the provider gave up
   * and applied nothing.
   */
  isFinished?(zone: Zone, change: string): Promise<boolean>
  /**
   * Puts written records into effect, for providers where writing does not; may be repeated. Called after each `apply`,
   * and after a crash between the two.
   */
  commit?(zone: Zone): Promise<void>
}

/**
 * A rate limit: calls of one account in a number of seconds. `of`: only calls that read, or that write. `each`: counted for
 * each zone separately.
 */
export interface Rate {
  calls: number
  seconds: number
  of?: 'read' | 'write'
  each?: 'zone'
}

/** Why a provider would refuse a change. `edit` and `change` are indexes. */
export interface Refusal {
  edit: number
  change: number
  /** The field at fault. */
  field: 'name' | 'type' | 'value' | 'ttl'
  /** Stable, for programs. */
  code: ReasonCode
  /** Continues after the name of the field, such as "must have …". */
  message: string
}

/** A kind of DNS provider: its entry in the catalogue, and how to open an account. */
export interface Provider<S extends TObject = TObject> {
  /** Never changes. */
  id: string
  key: string
  name: string
  /**
   * Strings with `title` and `description`, the help text of the form. Secrets have `writeOnly: true`, the others are
   * shown. Defaults are filled in.
   */
  credentialSchema: S
  /** The least permissions that the credentials need, as a sentence; may be empty. */
  rights: string
  /** Known rate limits of one account that responses do not tell; missing: none are known. */
  rates?: readonly Rate[]
  /** Writes of different names of a zone that the provider accepts at the same time; missing: one. */
  parallelWrites?: number
  capabilities: Capabilities
  /**
   * Names the server behind the account. After it rejected a change as `locked`, changes of all its accounts share one
   * write lock. Missing: accounts do not affect each other.
   */
  serverOf?(credentials: Static<S>): string
  /** What the provider would refuse, beyond `capabilities`. Pure: called before anything is sent. */
  audit?(zoneName: string, edits: readonly RRsetEdit[]): Refusal[]
  /** Loads the adapter's code when it is first needed. Makes no call. */
  open(credentials: Static<S>, context: AdapterContext): Promise<DnsAdapter>
}
