import type { Capabilities } from '../modules/providers/contract.ts'

/** What a provider can, in the words of the table of docs/dns-providers.md and of the conformance suite. */
export interface Ability {
  title: string
  /** Of a provider that can't; goes on after "the provider". */
  lack: string
  has: (capabilities: Capabilities) => boolean
}

export const ABILITIES = {
  records: {
    title: 'Records are there',
    lack: 'keeps no records of its own',
    has: ({ truth }) => truth === 'provider',
  },
  createZone: {
    title: 'Zones are created',
    lack: 'creates no zones',
    has: ({ createZone }) => createZone,
  },
  deleteZone: {
    title: 'Zones are deleted',
    lack: 'deletes no zones',
    has: ({ deleteZone }) => deleteZone,
  },
  readSoa: {
    title: 'SOA is shown',
    lack: 'does not show the SOA',
    has: ({ soa }) => soa !== 'none',
  },
  writeSoa: {
    title: 'SOA is changed',
    lack: 'does not let its users change the SOA',
    has: ({ soa }) => soa === 'write',
  },
  readDnssec: {
    title: 'DNSSEC is shown',
    lack: 'does not say whether zones are signed',
    has: ({ dnssec }) => dnssec !== 'none',
  },
  writeDnssec: {
    title: 'DNSSEC is switched',
    lack: 'does not let its users sign zones',
    has: ({ dnssec }) => dnssec === 'write',
  },
  apexNs: {
    title: 'NS at the apex are changed',
    lack: 'does not let its users change NS at the apex',
    has: ({ apexNs }) => apexNs,
  },
  apexCname: {
    title: 'CNAME at the apex',
    lack: 'takes no CNAME at the apex',
    has: ({ apexCname }) => apexCname,
  },
  apexAlias: {
    title: 'ALIAS or ANAME at the apex',
    lack: 'takes no ALIAS at the apex',
    has: ({ apexAlias }) => apexAlias,
  },
  wildcards: {
    title: 'Wildcards',
    lack: 'takes no wildcards',
    has: ({ wildcards }) => wildcards,
  },
  underscores: {
    title: 'Underscores for every type',
    lack: 'takes names with underscores only for some types',
    has: ({ underscores }) => underscores,
  },
  nullMx: {
    title: 'The null MX',
    lack: 'takes no null MX',
    has: ({ nullMx }) => nullMx,
  },
  txtStrings: {
    title: 'Strings of a TXT stay',
    lack: 'joins the strings of a TXT',
    has: ({ txt }) => txt.strings,
  },
  otherTypes: {
    title: 'Types by number (RFC 3597)',
    lack: 'takes no types but those that are named',
    has: ({ otherTypes }) => otherTypes,
  },
  setTtl: {
    title: 'TTLs are set',
    lack: 'has one TTL for a whole zone, which is not changed here',
    has: ({ ttlOf }) => ttlOf !== 'zone',
  },
  recordTtl: {
    title: 'A TTL for each record',
    lack: 'has no TTL for a record alone',
    has: ({ ttlOf }) => ttlOf === 'record',
  },
  automaticTtl: {
    title: 'A TTL chosen there',
    lack: 'chooses no TTL itself',
    has: ({ automaticTtl }) => automaticTtl,
  },
  comments: {
    title: 'Comments are kept',
    lack: 'keeps no comments; those that are made here stay here',
    has: ({ comments }) => comments,
  },
  disabledRecords: {
    title: 'Disabled records are kept',
    lack: 'keeps no records without serving them',
    has: ({ disabledRecords }) => disabledRecords,
  },
  routing: {
    title: 'Sets by line, weight, region',
    lack: 'has one set of a name and type',
    has: ({ routing }) => routing,
  },
  proxied: {
    title: 'Traffic through a proxy',
    lack: 'has no proxy',
    has: ({ proxied }) => proxied,
  },
  recordIds: {
    title: 'Records have ids',
    lack: 'tells records apart by what they say',
    has: ({ identity }) => identity === 'record-id',
  },
  stableIds: {
    title: 'Ids stay over changes',
    lack: 'has no ids of records, or gives them anew with each change',
    has: ({ identity, idsChange }) => identity === 'record-id' && !idsChange,
  },
  batches: {
    title: 'Several names in one call',
    lack: 'takes one change at a time',
    has: ({ batch }) => batch !== 'none',
  },
  atomicBatches: {
    title: 'Calls are whole or nothing',
    lack: 'may do a part of what it is sent in one call',
    has: ({ batch }) => batch === 'atomic',
  },
} as const satisfies Record<string, Ability>

export type AbilityName = keyof typeof ABILITIES

const WRITTEN = { record: 'the record', rrset: 'the set', zone: 'the zone' } as const

/** What is more than a yes or no. */
export const LIMITS: { title: string; of: (capabilities: Capabilities) => string }[] = [
  { title: 'What one write replaces', of: ({ writeUnit }) => WRITTEN[writeUnit] },
  { title: 'Names in one call at most', of: ({ maxBatch }) => maxBatch.toLocaleString('en') },
  {
    title: 'TTL in seconds',
    of: ({ minTtl, maxTtl, ttls, ttlByPlan }) => {
      const range = `${minTtl.toLocaleString('en')} to ${maxTtl.toLocaleString('en')}`
      if (ttls !== undefined) return ttls.map((ttl) => ttl.toLocaleString('en')).join('; ')
      return ttlByPlan ? `${range}, by plan` : range
    },
  },
  { title: 'Its own TTL', of: ({ defaultTtl }) => defaultTtl.toLocaleString('en') },
  {
    title: 'Bytes in a TXT at most',
    of: ({ txt }) =>
      `${txt.maxLength.toLocaleString('en')}${txt.beyondAscii ? '' : ', ASCII'}${txt.without.length > 0 ? `, without ${txt.without.join(' ')}` : ''}`,
  },
]
