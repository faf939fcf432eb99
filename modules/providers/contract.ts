import type { ReasonCode } from '../../schemas/reason-codes.ts'
import type { Static, TObject } from '@sinclair/typebox'
import type { SoaData } from '../../dns/zone-file/soa.ts'
import type { Routing } from '../../dns/names/rrset.ts'
import type { JsonValue } from '../../db/tables/index.ts'
import type { RecordType } from '../../schemas/record-type.ts'
import type { Capabilities } from './capabilities.ts'
import type { AdapterContext } from './context.ts'
import type { ProviderError } from './provider-error.ts'

export { ANY_TEXT, type Capabilities, type TextLimits } from './capabilities.ts'
export type { AdapterContext } from './context.ts'
export {
  halfDone,
  ProviderError,
  tooLarge,
  unlessMissing,
  unlessThere,
  UnknownSiblings,
  type ProviderErrorKind,
} from './provider-error.ts'

/** One value of an RRset. `value` is in canonical form (see dns/types): what we store and compare. */
export interface Member {
  value: string
  /** Traffic goes through the provider's proxy; only where `capabilities.proxied`. */
  proxied?: boolean
  /** Held and not served; users can make it so only where `capabilities.disabledRecords`. */
  disabled?: boolean
  /** Of people for people; only where `capabilities.comments`, and then '' for none. */
  comment?: string
  /** Seconds, null: the provider chooses; only where `capabilities.ttlOf` is `record`. */
  ttl?: number | null
  /** What the adapter must give back with every write and nobody else reads. */
  extra?: JsonValue
  /** The provider's own stable id of this record; only where `capabilities.identity` is `record-id`. */
  providerId?: string
}

/** All values of one name and type (RFC 2181 section 5). */
export interface RRset {
  /** Relative to the zone, lower case ASCII, `@` for the apex. */
  name: string
  type: RecordType
  /** Tells it from others of its name and type; only where `capabilities.routing`. */
  routing?: Routing | null
  /** Seconds; null: the provider chooses, only where `capabilities.automaticTtl`. */
  ttl: number | null
  /** As `Member.extra`, of the set. */
  extra?: JsonValue
  members: Member[]
}

/** What a provider holds and we don't manage: of another type, or with data that we can't read. */
export interface UnmanagedRecord {
  /** Relative to the zone. */
  name: string
  type: string
  /** Seconds. */
  ttl: number
  /** In the provider's words. */
  value: string
}

/** A page of what a provider holds, without the SOA. */
export interface RRsetPage {
  rrsets: RRset[]
  unmanaged: UnmanagedRecord[]
}

export interface Zone {
  /** The provider's id of the zone; opaque. */
  id: string
  /** Lower case ASCII, without the final dot. Several zones may have the same. */
  name: string
  /** Those it is served by, canonical; missing: the provider does not say. */
  nameServers?: string[]
  /** `pending`: it is not delegated to the provider yet. `paused`: it is kept and not served. Missing: not said. */
  status?: 'active' | 'pending' | 'paused'
  /** A `secondary` has its records from another server. Missing: not said. */
  kind?: 'primary' | 'secondary'
  /** Seconds, of all its records; only where `capabilities.ttlOf` is `zone`, and missing there where it is not told. */
  ttl?: number
  /** About how many records are in it, where the caller knows: an adapter may choose by it how to read. */
  size?: number
}

/** What a zone begins with. */
export interface Soa extends SoaData {
  /** Seconds. */
  ttl: number
}

/** Whether a zone is signed. */
export interface Dnssec {
  signed: boolean
  /** What the zone above shall have as DS, canonical; none while there are no keys to trust. */
  ds: string[]
}

export interface NewZone {
  /** Lower case ASCII, without the final dot. */
  name: string
  /** Canonical names for NS at the apex. Not empty where `capabilities.zoneNameServers`. */
  nameServers: string[]
  soa: Soa
}

export type MemberChange =
  | { action: 'add'; member: Member }
  | { action: 'remove'; member: Member }
  | { action: 'replace'; from: Member; to: Member }

/** What shall change in one RRset. Members that no change names stay as they are, whoever put them there. */
export interface RRsetEdit {
  name: string
  type: RecordType
  routing?: Routing | null
  /** The TTL of the whole RRset afterwards, seconds; null: the provider chooses. */
  ttl: number | null
  /** As the set had it when it was last read. */
  extra?: JsonValue
  /** In order; may be empty when only the TTL changes. */
  changes: MemberChange[]
  /** All values of the set that the service knows, canonical; missing: nobody asks what else the set holds. */
  known?: readonly string[]
  /**
   * The set must hold nothing but what is known and what the changes name: else `apply` rejects with `UnknownSiblings`
   * before it writes anything of this edit. Missing: what else is there stays.
   */
  exact?: boolean
  /** Called with the values that are neither known nor named by a change, each time `apply` has read the set. */
  found?: (values: readonly string[]) => void
}

export type ChangeOutcome = { ok: true; providerId: string | null } | { ok: false; error: ProviderError }

/** The provider has taken the edits and goes on with them: `isFinished` is asked about `change`. */
export interface Unfinished {
  outcomes: ChangeOutcome[][]
  change: string
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
  /** All zones of the account, page by page; none only when the provider said so. */
  listZones(): AsyncIterable<Zone[]>
  /** The zones of exactly that name: mostly one; `[]` when the provider says that it has none. */
  findZones(name: string): Promise<Zone[]>
  /** Creates the zone. Rejects with kind `conflict` when it is there already. */
  createZone(zone: NewZone): Promise<Zone>
  /** Deletes the zone with all its records; deleting a missing one succeeds. */
  deleteZone(zone: Zone): Promise<void>
  /** The SOA. */
  readSoa?(zone: Zone): Promise<Soa>
  /** Replaces the SOA, of which `serial` is the one before: the new one must be higher (RFC 1982). */
  writeSoa?(zone: Zone, soa: Soa): Promise<void>
  /** Whether the zone is signed, and by what the zone above knows it. */
  readDnssec?(zone: Zone): Promise<Dnssec>
  /** Signs the zone by keys of the provider's, or no longer; what is so already succeeds. */
  writeDnssec?(zone: Zone, signed: boolean): Promise<void>
  /** All RRsets of the types we manage, and what else there is, page by page. An incomplete answer is an error, never a short list. */
  listRRsets(zone: Zone): AsyncIterable<RRsetPage>
  /** The one RRset, or null when it has no members. Must not cost more in a large zone. */
  readRRset(zone: Zone, name: string, type: RecordType, routing?: Routing | null): Promise<RRset | null>
  /**
   * Applies the edits; at most `capabilities.maxBatch`, and no two of the same name, type and routing.
   * Adding a member that is there succeeds, and so does removing one that is not. Whether a member is served
   * changes only by adding it so, or by a replacement whose `from` and `to` differ in `disabled`: who takes a
   * member away that somebody has disabled or enabled meanwhile leaves it there.
   * Resolves with an outcome for each change of each edit (`[edit][change]`); where the batch is
   * atomic, a failure rejects instead and nothing was applied, or `error.outcome` is `unknown`. Only edits of
   * sets that are too large for one call with all that they hold may be done one by one nevertheless.
   */
  apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][] | Unfinished>
  /**
   * Whether the provider is done with what `apply` left unfinished. Rejects with kind `rejected` when it gave it up
   * and nothing was applied.
   */
  isFinished?(zone: Zone, change: string): Promise<boolean>
  /**
   * Puts in force what was written to the zone, where writing alone does not; may be repeated. Called after each
   * `apply`, and when a crash came between the two.
   */
  commit?(zone: Zone): Promise<void>
}

/** How many calls an account may make in so many seconds: of all, of those that read, or of those that change. */
export interface Rate {
  calls: number
  seconds: number
  of?: 'read' | 'write'
}

/** Why a provider will refuse a change: of the edit and the change at these places. */
export interface Refusal {
  edit: number
  change: number
  /** Of the record: what is to be said otherwise. */
  field: 'name' | 'type' | 'value' | 'ttl'
  /** For programs; stays the same while the words may change. */
  code: ReasonCode
  /** Goes on after the field's name, such as "must have …". */
  message: string
}

/** A kind of DNS host: what the catalogue shows, and how to open an account there. */
export interface Provider<S extends TObject = TObject> {
  /** Fixed for all time. */
  id: string
  key: string
  name: string
  /**
   * Texts, each with `title` and `description`, which is the help beside it. Secret ones carry `writeOnly: true`; the
   * others are shown. Defaults are filled in.
   */
  credentialSchema: S
  /** The least rights that the credentials need, in words; empty: there is nothing to say. */
  rights: string
  /** What the provider is known to allow one account, where its answers don't say it; missing: nothing is known. */
  rates?: readonly Rate[]
  capabilities: Capabilities
  /**
   * The server behind the account, named alike by all accounts that are on it: changes of all of them go in turn once it
   * has rejected one as `locked`. Missing: no account is in another's way.
   */
  serverOf?(credentials: Static<S>): string
  /** What this provider will refuse of the edits, beyond what `capabilities` say. Pure: told before anything is sent. */
  audit?(zoneName: string, edits: readonly RRsetEdit[]): Refusal[]
  /** Makes no call. Loads the adapter's code when it is first needed. */
  open(credentials: Static<S>, context: AdapterContext): Promise<DnsAdapter>
}
