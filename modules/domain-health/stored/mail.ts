import { checkMailPolicy } from '../../../dns/mail-policy/mail-policy.ts'
import type { PolicyWarning } from '../../../dns/mail-policy/policy-warning.ts'
import { isSpf, mergeSpf } from '../../../dns/mail-policy/spf-merge.ts'
import type { PolicyRule } from '../../../dns/text/codes.ts'
import { txtFromText, txtToText } from '../../../dns/types/txt.ts'
import type { ChangeBody } from '../../records/service.ts'
import { finding, type Finding } from '../checking/finding.ts'
import {
  deleteOf,
  ofType,
  rrsetsOf,
  updateOf,
  type NodeCheck,
  type StoredRecord,
  type ZoneCheck,
} from './zone.ts'

/** Rules that make an SPF record fail or be ignored; the others are matters of taste or of caution. */
const SPF_FAILS: ReadonlySet<PolicyRule> = new Set([
  'spf_version',
  'spf_mechanism',
  'spf_all_argument',
  'spf_colon',
  'spf_version_twice',
  'spf_qualifier',
  'spf_domain',
  'spf_network',
  'spf_address',
  'spf_prefix',
  'spf_repeated',
])

/** SPF and DMARC records that receivers can't use. */
export const mailPolicies: NodeCheck = ({ name, records }) =>
  ofType(records, 'TXT').flatMap((record) => {
    const about = { name, type: 'TXT', subject: record.value }
    return checkMailPolicy(name, record.value).flatMap((warning): Finding[] => {
      const { rule } = warning.params
      const given = { ...about, detail: warning.message, params: warning.params }
      if (rule === 'spf_lookups') return [finding({ ...given, code: 'mail.spf_lookups' })]
      // One record can break the same rule in several places.
      const subject = `${record.value} ${warning.message}`
      if (SPF_FAILS.has(rule))
        return [finding({ ...given, subject, code: 'mail.spf_syntax', fix: fixOfSpf(record, warning) })]
      if (warning.code !== 'dmarc' || rule === 'dmarc_tag') return []
      return [finding({ ...given, subject, code: 'mail.dmarc_syntax', fix: fixOfDmarc(record, rule) })]
    })
  })

/** "include=example.com" can only mean "include:example.com". */
function fixOfSpf(record: StoredRecord, { params }: PolicyWarning): ChangeBody[] | null {
  if (params.rule !== 'spf_colon') return null
  const term = String(params['term'])
  const text = txtToText(record.value)
  return [updateOf(record, { value: txtFromText(text.replace(term, () => term.replace('=', ':'))) })]
}

/** A record without a policy asks for reports at most, as with `p=none` (RFC 9989, 4.7). */
function fixOfDmarc(record: StoredRecord, rule: PolicyRule): ChangeBody[] | null {
  if (rule !== 'dmarc_policy') return null
  const text = txtToText(record.value).trim().replace(/;$/, '')
  const [version = '', ...tags] = text.split(';')
  return [updateOf(record, { value: txtFromText([version, ' p=none', ...tags].join(';')) })]
}

/** Several SPF records at one name. */
export const oneSpf: NodeCheck = ({ name, records }) =>
  rrsetsOf(ofType(records, 'TXT')).flatMap((rrset) => {
    const policies = rrset.filter(({ value }) => isSpf(txtToText(value)))
    if (policies.length < 2) return []
    const detail = `There are ${policies.length} SPF records at this name.`
    const params = { count: policies.length }
    return [finding({ code: 'mail.spf_many', name, type: 'TXT', detail, params, fix: mergeAll(policies) })]
  })

/** One record in place of all; null if their meanings contradict. */
function mergeAll([first, ...others]: StoredRecord[]): ChangeBody[] | null {
  if (!first) return null
  const merged = others.reduce<string | null>(
    (text, { value }) => (text === null ? null : mergeSpf(text, txtToText(value))),
    txtToText(first.value),
  )
  if (merged === null) return null
  const value = txtFromText(merged)
  return [...(value === first.value ? [] : [updateOf(first, { value })]), ...others.map(deleteOf)]
}

const isDmarc = ({ value }: StoredRecord) => /^v\s*=\s*DMARC1\b/i.test(txtToText(value).trim())
const isNullMx = ({ value }: StoredRecord) => value.endsWith(' .')

/** A domain that sends or accepts mail and has no DMARC policy. */
export const dmarcPresent: ZoneCheck = ({ name, isRegistrable, known }) => {
  const apex = known.filter((record) => record.name === '@')
  const at = known.filter((record) => record.name === '_dmarc')
  const accepts = ofType(apex, 'MX').some((record) => !isNullMx(record))
  const sends = ofType(apex, 'TXT').some(({ value }) => isSpf(txtToText(value)))
  const isPresent = ofType(at, 'CNAME', 'NS').length > 0 || ofType(at, 'TXT').some(isDmarc)
  // Below a registered domain, the policy of that domain applies.
  if (!isRegistrable || !(accepts || sends) || isPresent) return []
  const create = { action: 'create', recordType: 'TXT', name: '_dmarc', value: 'v=DMARC1; p=none' }
  return [
    finding({
      code: 'mail.dmarc_missing',
      name: '_dmarc',
      type: 'TXT',
      detail: `There is no DMARC policy at _dmarc.${name}.`,
      params: { host: `_dmarc.${name}` },
      fix: [create as ChangeBody],
    }),
  ]
}

/** A null MX with other MX records. */
export const loneNullMx: NodeCheck = ({ name, records }) =>
  rrsetsOf(ofType(records, 'MX')).flatMap((rrset) => {
    const none = rrset.filter(isNullMx)
    if (none.length === 0 || none.length === rrset.length) return []
    const detail = 'This name has a null MX ("0 .") and other MX records.'
    const fix = none.map(deleteOf)
    return [finding({ code: 'mail.null_mx_beside_others', name, type: 'MX', detail, fix })]
  })
