import { registrableDomain } from '../../../dns/names/domain-names.ts'
import { DAY_MS, daysBetween } from '../../domains/service.ts'
import { finding, type Finding } from '../checking/finding.ts'

/** Days before the expiry from which it is near, and from which it is an error. */
const NEAR_DAYS = 30
const URGENT_DAYS = 7
const LOCKS: ReadonlySet<string> = new Set(['clientTransferProhibited', 'serverTransferProhibited'])

interface Registered {
  name: string
  expires_at: Date | null
  epp_status: readonly string[]
}

/** Whether the domain itself is registered at a registry; reverse zones and zones of subdomains aren't. */
export const isRegistrable = (name: string): boolean =>
  registrableDomain(name) === name && !name.endsWith('.arpa')

/** Expiry and transfer lock, from what the registry said last. */
export function registrationFindings(domain: Registered, now: Date): Finding[] {
  if (!isRegistrable(domain.name)) return []
  return [...expiryOf(domain.expires_at, now), ...lockOf(domain)]
}

function expiryOf(expiresAt: Date | null, now: Date): Finding[] {
  const about = { name: '@', type: null }
  if (expiresAt === null) {
    const detail = 'The expiry date is not known. Look it up, or enter it in the settings of the domain.'
    return [finding({ ...about, code: 'expiry.unknown', detail })]
  }
  const left = expiresAt.getTime() - now.getTime()
  if (left > NEAR_DAYS * DAY_MS) return []
  const days = daysBetween(now, expiresAt)
  const severity = left > URGENT_DAYS * DAY_MS ? 'warning' : 'error'
  const at = expiresAt.toISOString()
  const detail = left > 0 ? `The registration expires at ${at}.` : `The registration expired at ${at}.`
  return [finding({ ...about, code: 'expiry.near', severity, detail, params: { expiresAt: at, days } })]
}

/** Registries without EPP status publish no lock, so nothing is known about it. */
function lockOf({ epp_status: status }: Registered): Finding[] {
  if (status.length === 0 || status.some((code) => LOCKS.has(code))) return []
  const detail =
    'The registration has neither the status clientTransferProhibited nor serverTransferProhibited.'
  return [finding({ code: 'registrar.unlocked', name: '@', type: null, detail, params: { status } })]
}
