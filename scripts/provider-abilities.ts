import type { Capabilities } from '../modules/providers/contract.ts'

/** A capability as docs/provider-capabilities.md and the conformance suite name it. */
export interface Ability {
  title: string
  /** The lack of it; follows "the provider". */
  lack: string
  has: (capabilities: Capabilities) => boolean
}

export const ABILITIES = {
  records: {
    title: 'Holds records',
    lack: 'holds no records of its own',
    has: ({ truth }) => truth === 'provider',
  },
  createZone: {
    title: 'Create zones',
    lack: 'does not create zones',
    has: ({ createZone }) => createZone,
  },
  deleteZone: {
    title: 'Delete zones',
    lack: 'does not delete zones',
    has: ({ deleteZone }) => deleteZone,
  },
  readSoa: {
    title: 'Read SOA',
    lack: 'does not return the SOA',
    has: ({ soa }) => soa !== 'none',
  },
  writeSoa: {
    title: 'Change SOA',
    lack: 'does not allow users to change the SOA',
    has: ({ soa }) => soa === 'write',
  },
  readDnssec: {
    title: 'Read DNSSEC status',
    lack: 'does not report whether zones are signed',
    has: ({ dnssec }) => dnssec !== 'none',
  },
  writeDnssec: {
    title: 'Sign zones',
    lack: 'does not allow users to sign zones',
    has: ({ dnssec }) => dnssec === 'write',
  },
  apexNs: {
    title: 'NS at the apex',
    lack: 'does not allow users to change NS at the apex',
    has: ({ apexNs }) => apexNs,
  },
  apexCname: {
    title: 'CNAME at the apex',
    lack: 'does not accept a CNAME at the apex',
    has: ({ apexCname }) => apexCname,
  },
  apexAlias: {
    title: 'ALIAS or ANAME at the apex',
    lack: 'does not accept an ALIAS at the apex',
    has: ({ apexAlias }) => apexAlias,
  },
  wildcards: {
    title: 'Wildcards',
    lack: 'does not accept wildcards',
    has: ({ wildcards }) => wildcards,
  },
  underscores: {
    title: 'Underscores for every type',
    lack: 'accepts names with underscores for some types only',
    has: ({ underscores }) => underscores,
  },
  nullMx: {
    title: 'Null MX',
    lack: 'does not accept a null MX',
    has: ({ nullMx }) => nullMx,
  },
  txtStrings: {
    title: 'Keeps TXT strings',
    lack: 'joins the strings of a TXT record',
    has: ({ txt }) => txt.strings,
  },
  otherTypes: {
    title: 'Types by number (RFC 3597)',
    lack: 'accepts only the types listed',
    has: ({ otherTypes }) => otherTypes,
  },
  setTtl: {
    title: 'Set TTLs',
    lack: 'has one TTL for the whole zone, which Zonekeeper does not change',
    has: ({ ttlOf }) => ttlOf !== 'zone',
  },
  recordTtl: {
    title: 'TTL per record',
    lack: 'has no TTL per record',
    has: ({ ttlOf }) => ttlOf === 'record',
  },
  automaticTtl: {
    title: 'Automatic TTL',
    lack: 'does not choose TTLs',
    has: ({ automaticTtl }) => automaticTtl,
  },
  comments: {
    title: 'Comments',
    lack: 'does not store comments; Zonekeeper stores them',
    has: ({ comments }) => comments,
  },
  disabledRecords: {
    title: 'Disabled records',
    lack: 'does not keep disabled records',
    has: ({ disabledRecords }) => disabledRecords,
  },
  routing: {
    title: 'Routing (line, weight, region)',
    lack: 'has one RRset per name and type',
    has: ({ routing }) => routing,
  },
  proxied: {
    title: 'Proxy',
    lack: 'has no proxy',
    has: ({ proxied }) => proxied,
  },
  recordIds: {
    title: 'Records have ids',
    lack: 'identifies records by their content',
    has: ({ identity }) => identity === 'record-id',
  },
  stableIds: {
    title: 'Stable ids',
    lack: 'has no record ids, or assigns new ones with each change',
    has: ({ identity, idsChange }) => identity === 'record-id' && !idsChange,
  },
  batches: {
    title: 'Batches',
    lack: 'accepts one change per call',
    has: ({ batch }) => batch !== 'none',
  },
  atomicBatches: {
    title: 'Atomic batches',
    lack: 'may apply part of a call',
    has: ({ batch }) => batch === 'atomic',
  },
} as const satisfies Record<string, Ability>

export type AbilityName = keyof typeof ABILITIES

const WRITTEN = { record: 'the record', rrset: 'the RRset', zone: 'the zone' } as const

/** Capabilities with a value. */
export const LIMITS: { title: string; of: (capabilities: Capabilities) => string }[] = [
  { title: 'One write replaces', of: ({ writeUnit }) => WRITTEN[writeUnit] },
  { title: 'Names per call', of: ({ maxBatch }) => maxBatch.toLocaleString('en') },
  {
    title: 'TTL in seconds',
    of: ({ minTtl, maxTtl, ttls, ttlByPlan }) => {
      const range = `${minTtl.toLocaleString('en')} to ${maxTtl.toLocaleString('en')}`
      if (ttls !== undefined) return ttls.map((ttl) => ttl.toLocaleString('en')).join('; ')
      return ttlByPlan ? `${range}, by plan` : range
    },
  },
  { title: 'Default TTL', of: ({ defaultTtl }) => defaultTtl.toLocaleString('en') },
  {
    title: 'Bytes in a TXT',
    of: ({ txt }) =>
      `${txt.maxLength.toLocaleString('en')}${txt.beyondAscii ? '' : ', ASCII'}${txt.without.length > 0 ? `, without ${txt.without.join(' ')}` : ''}`,
  },
]
