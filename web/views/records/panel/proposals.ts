import { absoluteName } from '../../../../dns/names/names.ts'
import type { Around } from '../../../zone/hints.ts'
import type { Option } from '../../../ui/fields/Choice.tsx'

/** Maximum number of suggestions that the field filters itself; more are filtered here. */
const OFFERED = 200

/** Servers of well-known mail providers with their usual priorities. */
const MAIL_HOSTS: readonly [host: string, who: string, priority: number][] = [
  ['smtp.google.com', 'Google Workspace', 1],
  ['in1-smtp.messagingengine.com', 'Fastmail', 10],
  ['in2-smtp.messagingengine.com', 'Fastmail', 20],
  ['mx1.qiye.aliyun.com', 'Alibaba Mail', 5],
  ['mx2.qiye.aliyun.com', 'Alibaba Mail', 10],
  ['mx3.qiye.aliyun.com', 'Alibaba Mail', 15],
]

/** Names of certificate authorities in CAA records. */
const AUTHORITIES: readonly [issuer: string, who: string][] = [
  ['letsencrypt.org', "Let's Encrypt"],
  ['pki.goog', 'Google Trust Services'],
  ['sectigo.com', 'Sectigo, ZeroSSL'],
  ['digicert.com', 'DigiCert'],
  ['globalsign.com', 'GlobalSign'],
  ['amazon.com', 'Amazon'],
  ['ssl.com', 'SSL.com'],
]

/** Types that a name must have to be suggested. */
const TARGETS: Record<string, readonly string[]> = {
  CNAME: ['A', 'AAAA', 'CNAME', 'ALIAS'],
  MX: ['A', 'AAAA'],
  NS: ['A', 'AAAA'],
  SRV: ['A', 'AAAA'],
}

/** Usual priority of a known mail server. */
export const priorityOf = (host: string): number | null =>
  MAIL_HOSTS.find(([one]) => one === host)?.[2] ?? null

/** Suggestions for a field: names in the zone, mail servers, authorities. */
export function proposalsFor(
  recordType: string,
  { name, kind }: { name: string; kind: string },
  typed: string,
  { domain, types }: Around,
): Option[] {
  if (recordType === 'CAA' && name === 'value')
    return AUTHORITIES.map(([id, note]) => ({ id, text: id, note }))
  const wanted = TARGETS[recordType]
  if (kind !== 'name' || !wanted) return []
  const hosts = recordType === 'MX' ? MAIL_HOSTS.map(([id, note]) => ({ id, text: id, note })) : []
  const own = [...types]
    .filter(([, has]) => wanted.some((type) => has.has(type)))
    .map(([one]) => absoluteName(one, domain))
    .map((id) => ({ id, text: id }))
  const all = [...hosts, ...own]
  if (all.length <= OFFERED) return all
  return all.filter(({ text }) => text.toLowerCase().includes(typed.toLowerCase())).slice(0, OFFERED)
}
