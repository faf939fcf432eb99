export const SEVERITIES = ['error', 'warning', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

interface Entry {
  severity: Severity
  /** What it means and why it matters; a sentence or two. */
  explanation: string
}

/** All codes of findings. A code is never reused for something else. */
export const CATALOGUE = {
  'mail.spf_syntax': {
    severity: 'error',
    explanation: 'Receivers treat a malformed SPF record as a permanent error or ignore it (RFC 7208, 4.6).',
  },
  'mail.spf_lookups': {
    severity: 'error',
    explanation:
      'An SPF record that needs more than 10 DNS lookups fails at every receiver (RFC 7208, 4.6.4).',
  },
  'mail.spf_many': {
    severity: 'error',
    explanation: 'With several SPF records at one name, receivers use none of them (RFC 7208, 4.5).',
  },
  'mail.dmarc_syntax': {
    severity: 'warning',
    explanation: 'Receivers ignore a malformed DMARC record, or its malformed parts (RFC 9989, 4.7).',
  },
  'mail.dmarc_missing': {
    severity: 'warning',
    explanation:
      'Without a DMARC policy, receivers do not reject mail that forges the domain, and large ones may refuse its own mail (RFC 9989).',
  },
  'mail.mx_without_address': {
    severity: 'error',
    explanation: 'Mail cannot be delivered to a mail server without an address (RFC 5321, 5.1).',
  },
  'mail.null_mx_beside_others': {
    severity: 'error',
    explanation:
      'A null MX says that the domain accepts no mail; it must be the only MX of its name (RFC 7505, 3).',
  },
  'mail.mta_sts': {
    severity: 'warning',
    explanation: 'Senders ignore the MTA-STS policy, so mail may be delivered without TLS (RFC 8461).',
  },
  'caa.syntax': {
    severity: 'info',
    explanation:
      'Certificate authorities read a malformed CAA record differently than intended (RFC 8659, 4).',
  },
  'caa.none': {
    severity: 'info',
    explanation: 'Without CAA, every certificate authority may issue certificates for the domain (RFC 8659).',
  },
  'address.private': {
    severity: 'warning',
    explanation:
      'A private or loopback address in a public zone is unreachable for others, or leads them to a machine in their own network (RFC 1918, RFC 4193).',
  },
  'ttl.short': {
    severity: 'info',
    explanation: 'Resolvers ask again nearly every time; a short outage of the name servers is felt at once.',
  },
  'ttl.long': {
    severity: 'info',
    explanation: 'A change takes up to this time to be seen; resolvers cap a TTL at 7 days (RFC 8767, 4).',
  },
  'rrset.ttl_differs': {
    severity: 'warning',
    explanation: 'All records of one name and type must have the same TTL (RFC 2181, 5.2).',
  },
  'target.missing': {
    severity: 'warning',
    explanation: 'The record points to a name that does not exist.',
  },
  'target.dangling': {
    severity: 'error',
    explanation:
      'The record points to a name of a hosting service that nobody uses there. Whoever registers it at the service can publish content under this domain (subdomain takeover).',
  },
  'delegation.mismatch': {
    severity: 'warning',
    explanation:
      'The parent zone names other name servers than the zone itself. Set the name servers at the registrar, or correct the NS records (RFC 1034, 4.2.2).',
  },
  'delegation.lame': {
    severity: 'error',
    explanation: 'A name server of the delegation does not answer for the zone (RFC 9499, lame delegation).',
  },
  'delegation.unreachable': {
    severity: 'error',
    explanation: 'A name server of the delegation does not answer at all; queries to it are lost.',
  },
  'delegation.glue_missing': {
    severity: 'error',
    explanation:
      'A name server within the zone cannot be found without an address in the parent zone (RFC 9471). Enter it at the registrar.',
  },
  'soa.differs': {
    severity: 'warning',
    explanation:
      'A name server has had an older version of the zone for more than an hour. Zone transfers to it probably fail.',
  },
  'dnssec.bogus': {
    severity: 'error',
    explanation: 'Resolvers that validate DNSSEC answer SERVFAIL for the whole domain (RFC 4035, 5).',
  },
  'dnssec.ds_without_key': {
    severity: 'error',
    explanation:
      'The parent zone has DS records, but the zone has no key for them, so resolvers that validate answer SERVFAIL (RFC 4035, 5.2). Correct the DS records at the registrar.',
  },
  'dnssec.key_without_ds': {
    severity: 'warning',
    explanation:
      'The zone is signed, but without a DS record in the parent zone nobody validates it. Enter the DS records at the registrar.',
  },
  'dnssec.expiring': {
    severity: 'warning',
    explanation:
      'Signatures are in the last eighth of their validity and should have been renewed. Once they expire, resolvers that validate answer SERVFAIL.',
  },
  'expiry.near': {
    severity: 'warning',
    explanation:
      'The registration ends soon. After that, the domain stops working and others may register it.',
  },
  'expiry.unknown': {
    severity: 'info',
    explanation: 'Without an expiry date, nobody is reminded to renew the registration.',
  },
  'registrar.unlocked': {
    severity: 'warning',
    explanation:
      'The registrar does not prohibit transfers; whoever has the transfer code can move the domain to another registrar (RFC 5731, 2.3).',
  },
} as const satisfies Record<string, Entry>

export const explanationOf = (code: string): string =>
  // Another version of the service may have stored a code that this one doesn't know.
  Object.hasOwn(CATALOGUE, code) ? CATALOGUE[code as HealthCode].explanation : ''

export type HealthCode = keyof typeof CATALOGUE
export const HEALTH_CODES = Object.keys(CATALOGUE) as HealthCode[]
