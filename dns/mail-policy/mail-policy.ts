import { warningsOf, type PolicyWarning } from './policy-warning.ts'
import { checkDkim } from './dkim.ts'
import { checkDmarc } from './dmarc.ts'
import { checkSpf } from './spf.ts'
import { txtToText } from '../types/txt.ts'
import { splitLabels } from '../wire/wire-name.ts'

/**
 * Warnings about a TXT record that is an SPF (RFC 7208), DMARC (RFC 9989) or DKIM (RFC 6376) policy; `[]` if
 * there are none or the record is something else. `owner` is relative to the zone, `txt` a canonical value.
 */
export function checkMailPolicy(owner: string, txt: string): PolicyWarning[] {
  const text = txtToText(txt).trim()
  const labels = splitLabels(owner.toLowerCase())
  // A selector's key: "mail._domainkey", "mail._domainkey.sub" (RFC 6376 section 3.6.2.1).
  if (labels.indexOf('_domainkey') > 0) return checkDkim(text)
  if (labels.includes('_dmarc')) return checkDmarc(text, labels.includes('_report'))
  if (/^v\s*=\s*DMARC1\b/i.test(text)) {
    const sentence = 'receivers only look for a policy at the name "_dmarc" (RFC 7489, 6.1).'
    return [warningsOf('dmarc')('dmarc_name', sentence)]
  }
  return /^v=spf1/i.test(text) ? checkSpf(text) : []
}
