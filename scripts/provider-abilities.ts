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
    title: 'Records are at the provider',
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
    title: 'DNSSEC is switched on and off',
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
  otherTypes: {
    title: 'Any other type, as bytes (RFC 3597)',
    lack: 'takes no types but those that are named',
    has: ({ otherTypes }) => otherTypes,
  },
  recordTtl: {
    title: 'A TTL for each record',
    lack: 'has one TTL for all records of a name and type',
    has: ({ ttlOf }) => ttlOf === 'record',
  },
  automaticTtl: {
    title: 'A TTL that the provider chooses',
    lack: 'chooses no TTL itself',
    has: ({ automaticTtl }) => automaticTtl,
  },
  comments: {
    title: 'Comments are kept there',
    lack: 'keeps no comments; those that are made here stay here',
    has: ({ comments }) => comments,
  },
  disabledRecords: {
    title: 'Disabled records are kept there',
    lack: 'keeps no records without serving them',
    has: ({ disabledRecords }) => disabledRecords,
  },
  routing: {
    title: 'Several sets by line, weight or region',
    lack: 'has one set of a name and type',
    has: ({ routing }) => routing,
  },
  proxied: {
    title: 'Traffic through a proxy',
    lack: 'has no proxy',
    has: ({ proxied }) => proxied,
  },
  recordIds: {
    title: 'Each record has an id of its own',
    lack: 'tells records apart by what they say',
    has: ({ identity }) => identity === 'record-id',
  },
  batches: {
    title: 'Several names in one call',
    lack: 'takes one change at a time',
    has: ({ batch }) => batch !== 'none',
  },
  atomicBatches: {
    title: 'Such a call is done whole or not at all',
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
    of: ({ minTtl, maxTtl }) => `${minTtl.toLocaleString('en')} to ${maxTtl.toLocaleString('en')}`,
  },
]
