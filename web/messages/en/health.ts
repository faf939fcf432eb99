import type { Schemas } from '../../api/schema.d.ts'
import { pluralOf } from '../formats.ts'
import type { ReasonWords } from '../reasons.ts'

const plural = pluralOf('en-US')

export const health = {
  title: 'Health',
  about: 'Problems found by the last check of each domain. All domains are checked every night.',
  filters: 'Filters',
  severity: { error: 'Error', warning: 'Warning', info: 'Information' },
  severityOf: 'Severity',
  anySeverity: 'Any severity',
  groups: { error: 'Errors', warning: 'Warnings', info: 'Information' },
  code: 'Problem',
  anyCode: 'Any problem',
  domain: 'Domain',
  record: 'Record',
  wholeDomain: 'whole domain',
  since: 'Since',
  sinceWhen: (when: string) => `since ${when}`,
  none: 'No problems found.',
  noneFound: 'No problems match the filter.',
  neverChecked: 'This domain has not been checked yet.',
  checked: (when: string) => `Checked ${when}.`,
  check: 'Check now',
  checking: 'Asking name servers and resolvers. This can take a minute.',
  checkAll: 'Check all domains',
  begun: (count: number) =>
    plural(count, { one: '# domain will be checked', other: '# domains will be checked' }),
  omitted: (code: string, count: number) =>
    plural(count, { one: `${code}: # more`, other: `${code}: # more` }),
  notChecked: 'Not checked',
  fix: 'Review fix',
  fixTitle: (code: string) => `Fix: ${code}`,
  fixAbout: 'These changes would remove the problem.',
  fixAction: (count: number) => plural(count, { one: 'Apply # change', other: 'Apply # changes' }),
  fixed: 'Applied. The domain is being checked again.',
  codes: {
    'mail.spf_syntax': 'Malformed SPF record',
    'mail.spf_lookups': 'SPF needs too many lookups',
    'mail.spf_many': 'Several SPF records',
    'mail.dmarc_syntax': 'Malformed DMARC record',
    'mail.dmarc_missing': 'No DMARC policy',
    'mail.mx_without_address': 'Mail server without an address',
    'mail.null_mx_beside_others': 'Null MX next to other MX records',
    'mail.mta_sts': 'MTA-STS policy is ignored',
    'caa.syntax': 'Malformed CAA record',
    'caa.none': 'No CAA record',
    'address.private': 'Private address',
    'ttl.short': 'Very short TTL',
    'ttl.long': 'Very long TTL',
    'rrset.ttl_differs': 'Different TTLs in one RRset',
    'target.missing': 'Target does not exist',
    'target.dangling': 'Target can be taken over',
    'delegation.mismatch': 'Delegation differs from the zone',
    'delegation.lame': 'Lame name server',
    'delegation.unreachable': 'Unreachable name server',
    'delegation.glue_missing': 'Missing glue',
    'soa.differs': 'Name server has an old zone',
    'dnssec.bogus': 'Invalid DNSSEC signatures',
    'dnssec.ds_without_key': 'DS without matching key',
    'dnssec.key_without_ds': 'Signed without DS',
    'dnssec.expiring': 'DNSSEC signatures about to expire',
    'expiry.near': 'Registration ends soon',
    'expiry.unknown': 'Expiry date unknown',
    'registrar.unlocked': 'No transfer lock',
  } satisfies Record<Schemas['HealthCode'], string> as Record<Schemas['HealthCode'], string>,
  /** By code; the service sends the English ones. */
  explanations: {} as Readonly<Record<string, string>>,
  /** By code, where the service's text is not used. */
  details: {
    'expiry.near': 'The registration ends on {expiresAt}.',
    'dnssec.expiring': 'A signature of key {tag} expires on {expiresAt}.',
  } as ReasonWords,
  /** Why something was not checked, by reason; the service sends the English texts. */
  unknown: {} as Readonly<Record<string, string>>,
}
