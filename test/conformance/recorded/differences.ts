const ID = 'ids are given by the server'
const TIME = 'the time of the call'
const OLD_SRV = 'service, proto and name stand in data of recordings before 2024 alone'
const WILDCARD = 'the API writes * as \\052, which the recording has decoded'
const AT = 'the recording has @, which is sent for the whole name of the zone'
const AS_SENT = 'shown as it was sent, and the client of the recording sent it in another form'

/** Fields of records that are not compared, with the reason. By adapter. */
export const FIELDS: Record<string, Record<string, string>> = {
  alidns: { RecordId: ID },
  azure: { id: 'names the subscription and the group', etag: ID },
  cloudflare: {
    id: ID,
    created_on: TIME,
    modified_on: TIME,
    locked: 'of recordings before 2024 alone',
    zone_id: 'of recordings before 2024 alone',
    zone_name: 'of recordings before 2024 alone',
    meta: 'auto_added is of recordings before 2024 alone',
    settings: 'flatten_cname is a paid feature, which no adapter uses',
  },
  desec: { created: TIME, touched: TIME },
  digitalocean: { id: ID },
  dnspod: { RecordId: ID, UpdatedOn: TIME },
  gandi: { rrset_href: 'names the address of the API' },
  google: { signatureRrdatas: 'empty without DNSSEC, and missing from newer recordings' },
  huawei: { id: ID, zone_id: ID, create_at: TIME, update_at: TIME, links: 'names the address of the API' },
  linode: { id: ID, created: TIME, updated: TIME },
  namecheap: { HostId: ID, FriendlyName: 'set in the console alone' },
  ovh: { id: ID },
  porkbun: { id: ID },
  vultr: { id: ID },
}

/**
 * Where a simulator or an adapter legitimately differs from a recording, with the reason. By adapter: those that are
 * named here are held against their recordings. `record N` and `create N` count from 0; others are ids of errors.
 */
export const DIFFERENCES: Record<string, Record<string, string>> = {
  alidns: {},
  azure: {
    'record 7': AS_SENT,
    'record 11': 'has metadata, which a seeded set has not',
  },
  cloudflare: {
    'record 2': AS_SENT,
    'record 3': AS_SENT,
    'record 4': AS_SENT,
    'record 20': OLD_SRV,
    'record 21': OLD_SRV,
    'record 22': OLD_SRV,
    'record 29': 'proxied, which a seeded record is not',
    'create 2': 'the adapter sends text in quotes, as the API documents it since 2024',
  },
  desec: {},
  digitalocean: { 'record 19': AT },
  dnspod: {
    'record 2': 'has a remark, which a seeded record has not',
    'record 6': AS_SENT,
    'create 2': 'the adapter sends text without quotes, which means the same',
  },
  gandi: {
    'record 2': AS_SENT,
    'record 12': AS_SENT,
  },
  godaddy: { 'record 6': AT },
  google: {},
  hetzner: {
    'record 9': 'the zone of the recording has a TTL of its own',
    'record 10': 'has a comment, which a seeded record has not',
    'create 3': 'adds to a record with a comment, which a seeded one has not',
  },
  huawei: {},
  linode: {},
  namecheap: {},
  ovh: {
    'record 5': AS_SENT,
    'record 7': AS_SENT,
    'record 9': AS_SENT,
    'record 10': AS_SENT,
    'record 11': AS_SENT,
    'record 12': AS_SENT,
  },
  powerdns: {
    'record 2': 'has a comment, which a seeded set has not',
    'record 5': AS_SENT,
    'create 1': 'adds to a set with a comment, which a seeded one has not',
  },
  porkbun: { 'record 2': 'notes were written and taken away' },
  route53: {
    'record 4': AS_SENT,
    'record 6': WILDCARD,
    'create 3': WILDCARD,
  },
  vultr: {
    'record 2': 'priority -1 is of records that Vultr made itself',
    'record 3': 'priority -1 is of records that Vultr made itself',
    'record 11': 'priority -1 is of records that Vultr made itself',
  },
}
