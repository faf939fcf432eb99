import { txtToText } from '../../../dns/types/txt.ts'
import { finding } from '../checking/finding.ts'
import { ofType, type NodeCheck } from './zone.ts'

/** RFC 8461 section 3.1. */
const RECORD = /^v=STSv1;\s*id=[A-Za-z0-9]{1,32}\s*(;\s*[A-Za-z0-9][A-Za-z0-9_.-]*=[!-:<>-~]+\s*)*;?\s*$/

/** An MTA-STS record that senders can't use, or without the host that has the policy. */
export const mtaSts: NodeCheck = ({ name, records }, { name: zone, known }) => {
  const policies = ofType(records, 'TXT')
    .map(({ value }) => txtToText(value))
    .filter((text) => /^v=STSv1/i.test(text))
  const about = { code: 'mail.mta_sts', name, type: 'TXT' } as const
  const [policy] = policies
  if (name !== '_mta-sts' || policy === undefined) return []
  if (policies.length > 1) {
    const detail = 'There are several MTA-STS records, so senders use none of them (RFC 8461, 3.1).'
    return [finding({ ...about, subject: 'many', detail, params: { problem: 'many' } })]
  }
  if (!RECORD.test(policy)) {
    const detail = 'The MTA-STS record must have the form "v=STSv1; id=20260101;" (RFC 8461, 3.1).'
    return [finding({ ...about, subject: 'syntax', detail, params: { problem: 'syntax' } })]
  }
  const host = `mta-sts.${zone}`
  if (known.some((record) => record.name === 'mta-sts' || record.name === '*')) return []
  const detail = `The record announces a policy, but ${host}, which serves it, does not exist (RFC 8461, 3.2).`
  return [finding({ ...about, subject: 'host', detail, params: { problem: 'host', host } })]
}
