import type { RecordType } from '../../schemas/records/record-type.ts'

/** Limits of TXT records at a provider. */
export interface TextLimits {
  /** Bytes of all strings together. */
  maxLength: number
  /** Keeps the boundaries between strings; otherwise they are joined. */
  strings: boolean
  /** Keeps characters beyond ASCII. */
  beyondAscii: boolean
  /** Characters that are not allowed. */
  without: readonly string[]
}

/** No limits beyond those of DNS. */
export const ANY_TEXT: TextLimits = { maxLength: 65_000, strings: true, beyondAscii: true, without: [] }

export interface Capabilities {
  /** Types that the provider accepts. */
  recordTypes: readonly RecordType[]
  /** Accepts any other type by its number, with data as bytes (RFC 3597). */
  otherTypes: boolean
  /** How the provider identifies records. */
  identity: 'record-id' | 'rrset'
  /** A record gets a new id when it changes; only where `identity` is `record-id`. */
  idsChange: boolean
  /**
   * What one call of the provider's API accepts. `atomic`: edits that are all applied or none. `best-effort`: edits that
   * succeed or fail separately. `none`: one record or set; `apply` still accepts several edits, applied separately.
   */
  batch: 'none' | 'best-effort' | 'atomic'
  /** Maximum number of edits in one `apply` call. */
  maxBatch: number
  /** Maximum number of values in the edits of one `apply` call; missing: no limit. */
  maxBatchValues?: number
  /** Maximum length of names and values in the edits of one `apply` call, in characters; missing: no limit. */
  maxBatchLength?: number
  proxied: boolean
  /** Has several RRsets of one name and type, see `Routing`. */
  routing: boolean
  /** Keeps a comment with each record. */
  comments: boolean
  /** What has a TTL of its own. With `zone`, another TTL is refused for a record: the TTL of the zone can't be changed. */
  ttlOf: 'rrset' | 'record' | 'zone'
  /** The TTL may be null: the provider chooses it. */
  automaticTtl: boolean
  /** What one write replaces. Two simultaneous writes of the same unit would undo each other. */
  writeUnit: 'record' | 'rrset' | 'zone'
  /** Can keep records without serving them. */
  disabledRecords: boolean
  /** Seconds. */
  minTtl: number
  maxTtl: number
  /** The only TTLs accepted, seconds, ascending; missing: all between the two. */
  ttls?: readonly number[]
  /** TTL of records without one, seconds. */
  defaultTtl: number
  /** The lowest TTL depends on the plan of the account; `minTtl` is that of the highest plan. */
  ttlByPlan: boolean
  txt: TextLimits
  /** Accepts names that begin with `*`. */
  wildcards: boolean
  /** Accepts labels that begin with `_` for every type. */
  underscores: boolean
  /** Accepts `0 .`: the name receives no mail (RFC 7505). */
  nullMx: boolean
  /** Accepts a CNAME at the apex, and flattens it. */
  apexCname: boolean
  /** Accepts ALIAS or ANAME at the apex, if `recordTypes` has them. */
  apexAlias: boolean
  /** Users may change the NS at the apex. */
  apexNs: boolean
  createZone: boolean
  /** New zones need name servers: the provider has none of its own. */
  zoneNameServers: boolean
  /** Whether the SOA can be read or changed, by `readSoa` and `writeSoa`. */
  soa: 'none' | 'read' | 'write'
  /** Whether DNSSEC can be read or changed, by `readDnssec` and `writeDnssec`. */
  dnssec: 'none' | 'read' | 'write'
  deleteZone: boolean
  /** `local`: the records exist only in the database of this service; there is nothing to sync with. */
  truth: 'provider' | 'local'
}

/** Types that nearly every provider takes. */
export const BASIC_TYPES = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'SRV', 'CAA'] as const

type WordsOf<S extends string> = S extends `${infer First} ${infer Rest}` ? First | WordsOf<Rest> : S

/** Types by their names, with spaces in between; the compiler checks them. */
export const typesIn = <S extends string>(names: WordsOf<S> extends RecordType ? S : never) =>
  names.split(' ') as RecordType[]

/** The default for TXT: ASCII only, and strings are joined. */
const PLAIN_TEXT: TextLimits = { maxLength: 65_000, strings: false, beyondAscii: false, without: [] }

/** The default of every capability: almost nothing. */
const LEAST = {
  otherTypes: false,
  idsChange: false,
  batch: 'none',
  maxBatch: 1,
  proxied: false,
  routing: false,
  comments: false,
  ttlOf: 'rrset',
  automaticTtl: false,
  disabledRecords: false,
  maxTtl: 2_147_483_647,
  ttlByPlan: false,
  // Every provider so far takes these two.
  wildcards: true,
  underscores: true,
  nullMx: false,
  apexCname: false,
  apexAlias: false,
  apexNs: false,
  createZone: false,
  zoneNameServers: false,
  soa: 'none',
  dnssec: 'none',
  deleteZone: false,
  truth: 'provider',
} as const satisfies Partial<Capabilities>

/** What differs from the defaults. A missing `writeUnit` follows from `identity`. */
export type Abilities = Omit<Capabilities, keyof typeof LEAST | 'txt' | 'writeUnit'> &
  Partial<Pick<Capabilities, keyof typeof LEAST | 'writeUnit'>> & { txt?: Partial<TextLimits> }

/** All capabilities of a provider. */
export const capabilitiesOf = ({ txt, ...abilities }: Abilities): Capabilities =>
  Object.freeze({
    ...LEAST,
    writeUnit: abilities.identity === 'rrset' ? 'rrset' : 'record',
    ...abilities,
    txt: Object.freeze({ ...PLAIN_TEXT, ...txt }),
  })
