import { checkValue } from '../../../dns/types/index.ts'
import { finding } from '../checking/finding.ts'
import { ofType, type NodeCheck, type ZoneCheck } from './zone.ts'

/** An issuer in a canonical CAA value: `0 issue "letsencrypt.org; …"`. */
const ISSUER = /^\d+ issue(?:wild|mail|vmc)? "([^";]*)/

/** CAA records that authorities don't read as intended. */
export const caaSyntax: NodeCheck = ({ name, records }) =>
  ofType(records, 'CAA').flatMap((record) => {
    const reason = whyWrong(record.value)
    if (reason === null) return []
    const params = { value: record.value }
    return [finding({ code: 'caa.syntax', name, type: 'CAA', subject: record.value, detail: reason, params })]
  })

function whyWrong(value: string): string | null {
  const checked = checkValue('CAA', value)
  if (!checked.ok) return `${checked.errors[0]?.message ?? 'The CAA is not valid'}.`
  const issuer = ISSUER.exec(value)?.[1]?.trim() ?? ''
  if (issuer === '' || issuer.includes('.')) return null
  return `"${issuer}" is not the domain name of a certificate authority, so it allows none (RFC 8659, 4.2).`
}

/** A domain that lets every authority issue certificates. */
export const caaPresent: ZoneCheck = ({ name, isRegistrable, known }) => {
  const apex = known.filter((record) => record.name === '@')
  // Below a registered domain, the CAA of that domain applies (RFC 8659 section 3).
  if (!isRegistrable || ofType(apex, 'CAA').length > 0) return []
  return [finding({ code: 'caa.none', name: '@', type: 'CAA', detail: `${name} has no CAA record.` })]
}
