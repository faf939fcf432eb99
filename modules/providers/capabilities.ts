import type { RecordType } from '../../schemas/record-type.ts'

/** What the TXT records of a provider can hold. */
export interface TextLimits {
  /** Bytes of all strings together. */
  maxLength: number
  /** Where one string ends and the next begins is kept; else they are joined. */
  strings: boolean
  /** Characters beyond ASCII are kept. */
  beyondAscii: boolean
  /** Characters that can't be in it. */
  without: readonly string[]
}

/** All that DNS itself can say. */
export const ANY_TEXT: TextLimits = { maxLength: 65_000, strings: true, beyondAscii: true, without: [] }

export interface Capabilities {
  /** Named one by one: what the provider takes, not what we know. */
  recordTypes: readonly RecordType[]
  /** Any other type by its number, with data as bytes (RFC 3597). */
  otherTypes: boolean
  /** How the provider tells records apart. */
  identity: 'record-id' | 'rrset'
  /** Whether a record has another id after it was changed; only where `identity` is `record-id`. */
  idsChange: boolean
  /**
   * What the provider takes in one call. `atomic`: edits that are all done or none. `best-effort`: edits of which each is
   * done on its own. `none`: one record or set; `apply` may take several edits nevertheless, each done on its own.
   */
  batch: 'none' | 'best-effort' | 'atomic'
  /** Edits in one `apply` call at most. */
  maxBatch: number
  /** Values that the edits of one `apply` call name, at most; missing: however many. */
  maxBatchValues?: number
  /** Characters of the names and values that the edits of one `apply` call name, at most; missing: however many. */
  maxBatchLength?: number
  proxied: boolean
  /** Several RRsets of one name and type, see `Routing`. */
  routing: boolean
  /** Keeps a comment with each record. */
  comments: boolean
  /** Which has a TTL of its own. Of `zone`: who wants another for a record is refused, as the zone's is not changed. */
  ttlOf: 'rrset' | 'record' | 'zone'
  /** A TTL may be null: the provider chooses it. */
  automaticTtl: boolean
  /** What one write replaces, and so what two at the same time would take from each other. */
  writeUnit: 'record' | 'rrset' | 'zone'
  /** Keeps records without serving them. */
  disabledRecords: boolean
  /** Seconds. */
  minTtl: number
  maxTtl: number
  /** The only TTLs between the two that it takes, seconds, ascending; missing: all. */
  ttls?: readonly number[]
  /** What records have of which no TTL is said, seconds. */
  defaultTtl: number
  /** How low a TTL may be depends on what the account pays for; `minTtl` is for who pays most. */
  ttlByPlan: boolean
  txt: TextLimits
  /** Names that begin with `*`. */
  wildcards: boolean
  /** Labels that begin with `_` are taken for every type. */
  underscores: boolean
  /** `0 .`: the name takes no mail (RFC 7505). */
  nullMx: boolean
  /** A CNAME at the apex is taken (and flattened). */
  apexCname: boolean
  /** ALIAS or ANAME at the apex is taken, where `recordTypes` have them. */
  apexAlias: boolean
  /** Users may change NS at the apex. */
  apexNs: boolean
  createZone: boolean
  /** A zone that is created needs its name servers said: the provider has none of its own. */
  zoneNameServers: boolean
  /** Whether the SOA can be read, and changed: then `readSoa` and `writeSoa` are there. */
  soa: 'none' | 'read' | 'write'
  /** Whether it is told that zones are signed, and can be: then `readDnssec` and `writeDnssec` are there. */
  dnssec: 'none' | 'read' | 'write'
  deleteZone: boolean
  /** `local`: our own database is the only place the records are in, there is nothing to sync with. */
  truth: 'provider' | 'local'
}

/** Types that nearly every provider takes. */
export const BASIC_TYPES = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'SRV', 'CAA'] as const

type WordsOf<S extends string> = S extends `${infer First} ${infer Rest}` ? First | WordsOf<Rest> : S

/** Types by their names, with spaces in between; the compiler checks them. */
export const typesIn = <S extends string>(names: WordsOf<S> extends RecordType ? S : never) =>
  names.split(' ') as RecordType[]

/** TXT records that lose where one string ends and the next begins, and hold ASCII alone. */
const PLAIN_TEXT: TextLimits = { maxLength: 65_000, strings: false, beyondAscii: false, without: [] }

/** What a provider can of which nothing else is stated: as good as nothing. */
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

/** Capabilities in which a provider differs from the least; `writeUnit` follows from `identity` where it is missing. */
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
