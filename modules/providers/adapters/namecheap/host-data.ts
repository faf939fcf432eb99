import { rrsetKey } from '../../../../dns/names/rrset.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText, txtToText } from '../../../../dns/types/txt.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { Zone } from '../../contract.ts'
import type { HeldSet, Spell } from '../../shared/edited-set.ts'
import { plainValues, type ListedSet } from '../../shared/listed-sets.ts'
import type { RawHost } from './client.ts'

/** As Namecheap has it of all hosts that are no MX. */
const NO_PREFERENCE = '10'

/** The data of a host, which has no name and TTL of its own yet where it is made. */
export const spell: Spell<RawHost> = (type) => ({
  read: (host) => (isActive(host) ? readContent(type, host) : null),
  write: (value) => ({ '@Name': '', '@Type': type, '@TTL': '', ...writeContent(type, value) }),
})

const isActive = (host: RawHost): boolean => host['@IsActive']?.toLowerCase() !== 'false'

/** The canonical value; null when it is none of that type. */
function readContent(type: RecordType, { '@Address': address, '@MXPref': preference }: RawHost) {
  if (type === 'TXT') return txtFromText(address)
  return typeOf(type).read(type === 'MX' ? `${preference} ${address}` : address)
}

function writeContent(type: RecordType, value: string) {
  const rdata = type === 'TXT' ? txtToText(value) : typeOf(type).write(value)
  if (type !== 'MX') return { '@Address': rdata, '@MXPref': NO_PREFERENCE }
  const [preference = '', host = ''] = rdata.split(' ')
  return { '@Address': host, '@MXPref': preference }
}

/** The hosts as sets; without those whose names can't be read. */
export function toSets(hosts: readonly RawHost[], zone: Zone): ListedSet<RawHost>[] {
  const named = hosts.flatMap((host) => {
    const name = readOwner(host['@Name'], zone.name)
    return name === null ? [] : [{ name, type: host['@Type'], host }]
  })
  return [...Map.groupBy(named, rrsetKey).values()].flatMap((group) => {
    const [first] = group
    const all = group.map(({ host }) => host)
    return first === undefined ? [] : [{ name: first.name, type: first.type, ...setOf(all) }]
  })
}

/** Where TTLs differ, the smallest is safe (RFC 2181 section 5.2). */
const setOf = (hosts: readonly RawHost[]): HeldSet<RawHost> => ({
  ttl: Math.min(...hosts.map((host) => Number(host['@TTL']))),
  values: plainValues(hosts),
})

/** All hosts of a zone, as they are sent: what is not sent is no more. */
export const writeHosts = (hosts: readonly RawHost[]): Record<string, string> =>
  Object.fromEntries(
    hosts.flatMap((host, at) => [
      [`HostName${at + 1}`, host['@Name']],
      [`RecordType${at + 1}`, host['@Type']],
      [`Address${at + 1}`, host['@Address']],
      [`MXPref${at + 1}`, host['@MXPref']],
      [`TTL${at + 1}`, host['@TTL']],
    ]),
  )
