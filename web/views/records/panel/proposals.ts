import { absoluteName } from '../../../../dns/names/names.ts'
import type { Around } from '../../../zone/hints.ts'
import type { Option } from '../../../ui/fields/Choice.tsx'

/** The field itself looks through so many; of more only those that have what is typed are given to it. */
const OFFERED = 200

/** Servers of well-known mail hosts, with the priority that they are used with. */
const MAIL_HOSTS: readonly [host: string, who: string, priority: number][] = [
  ['smtp.google.com', 'Google Workspace', 1],
  ['in1-smtp.messagingengine.com', 'Fastmail', 10],
  ['in2-smtp.messagingengine.com', 'Fastmail', 20],
  ['mx1.qiye.aliyun.com', 'Alibaba Mail', 5],
  ['mx2.qiye.aliyun.com', 'Alibaba Mail', 10],
  ['mx3.qiye.aliyun.com', 'Alibaba Mail', 15],
]

/** What certificate authorities call themselves in CAA records. */
const AUTHORITIES: readonly [issuer: string, who: string][] = [
  ['letsencrypt.org', "Let's Encrypt"],
  ['pki.goog', 'Google Trust Services'],
  ['sectigo.com', 'Sectigo, ZeroSSL'],
  ['digicert.com', 'DigiCert'],
  ['globalsign.com', 'GlobalSign'],
  ['amazon.com', 'Amazon'],
  ['ssl.com', 'SSL.com'],
]

/** Which types a name of the zone must have to be offered to a type. */
const TARGETS: Record<string, readonly string[]> = {
  CNAME: ['A', 'AAAA', 'CNAME', 'ALIAS'],
  MX: ['A', 'AAAA'],
  NS: ['A', 'AAAA'],
  SRV: ['A', 'AAAA'],
}

/** The priority that a server of a mail host is used with. */
export const priorityOf = (host: string): number | null =>
  MAIL_HOSTS.find(([one]) => one === host)?.[2] ?? null

/** What may be meant in a field: names of the zone, servers of mail hosts, authorities. Empty: nothing is known. */
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
