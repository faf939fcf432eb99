import { rrsetKey } from '../../../../dns/names/rrset.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText, txtToText } from '../../../../dns/types/txt.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import { isCode } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import { ProviderError, type RRsetEdit, type Zone } from '../../contract.ts'
import type { Account } from '../../shared/define-provider.ts'
import { plainValues, type ListedSet } from '../../shared/rrsets/listed-sets.ts'
import { wholeZone } from '../../shared/rrsets/whole-zone.ts'
import { nameServersOf } from '../../shared/zone-data.ts'
import { DomainRead, DomainsRead, HostsRead, HostsWritten, NamecheapApi, type RawHost } from './client.ts'
import type { Credentials } from './index.ts'

const DOMAINS_A_PAGE = 100

/** "Domain is not associated with your account". */
const NOT_OURS = '2016166'

/** Namecheap sets this preference on all hosts that are not MX. */
const NO_PREFERENCE = '10'

/** Namecheap: each call reads or writes all hosts of a zone. */
export const open = wholeZone({
  api: (account: Account<Credentials>) => new NamecheapApi(account),

  listZones: (api) =>
    byNumber(
      async (page) => {
        const form = { Page: page, PageSize: DOMAINS_A_PAGE }
        const { DomainGetListResult: list, Paging } = await api.read('getList', form, DomainsRead)
        const domains = typeof list === 'string' ? [] : list.Domain
        const items = domains.map((domain) => toZone(domain['@Name'], domain['@IsOurDNS'] ?? 'true'))
        return { items, total: Number(Paging.TotalItems) }
      },
      { size: DOMAINS_A_PAGE },
    ),

  async findZones(api, name) {
    const call = api.read('getInfo', { DomainName: name }, DomainRead)
    const found = await call.catch((error: unknown) => {
      if (isCode(error, NOT_OURS)) return null
      throw error
    })
    if (found === null) return []
    const { '@DomainName': own, DnsDetails: dns } = found.DomainGetInfoResult
    const zone = toZone(own, dns['@IsUsingOurDNS'])
    // Name servers of others do not serve this zone.
    return [{ ...zone, ...(zone.status === 'active' && nameServersOf(dns.Nameserver)) }]
  },

  async readZone(api, zone) {
    const { DomainDNSGetHostsResult: found } = await api.read('dns.getHosts', domainOf(zone), HostsRead)
    // `emailType`: where mail goes; MX records are served with `MX` only.
    return { records: found.host ?? found.Host ?? [], emailType: found['@EmailType'] }
  },

  toSets,

  spell: (type) => ({
    read: (host) => (isActive(host) ? readContent(type, host) : null),
    write: (value) => ({ '@Name': '', '@Type': type, '@TTL': '', ...writeContent(type, value) }),
  }),

  withOwner: (host, { name, type, ttl }) => ({ ...host, '@Name': name, '@Type': type, '@TTL': String(ttl) }),

  show: ({ '@Address': address }) => address,

  async writeZone(api, zone, { records, emailType }, edits) {
    if (records.length === 0)
      throw new ProviderError(
        'rejected',
        'Namecheap does not keep a zone without records; leave at least one',
      )
    const form = { ...domainOf(zone), EmailType: emailFor(edits, emailType), ...formOf(records) }
    const { DomainDNSSetHostsResult: done } = await api.write('dns.setHosts', form, HostsWritten)
    if (done['@IsSuccess'].toLowerCase() !== 'true')
      throw new ProviderError(
        'unavailable',
        'Namecheap reports that it did not apply this, without a reason',
        {
          outcome: 'unknown',
        },
      )
  },
})

/** Mail goes to the MX records as soon as this service writes one. */
function emailFor(edits: readonly RRsetEdit[], emailType: string): string {
  const hasMail = edits.some(
    ({ type, changes }) => type === 'MX' && changes.some(({ action }) => action !== 'remove'),
  )
  return hasMail ? 'MX' : emailType
}

/** The registered label and the suffix below which it is registered: Namecheap has no other domains. */
function domainOf({ id }: Zone): { SLD: string; TLD: string } {
  const [SLD = '', TLD = ''] = id.split(/\.(.*)/)
  return { SLD, TLD }
}

const toZone = (name: string, isOurs: string): Zone => ({
  id: name,
  name: name.toLowerCase(),
  status: isOurs.toLowerCase() === 'true' ? 'active' : 'pending',
})

const isActive = (host: RawHost): boolean => host['@IsActive']?.toLowerCase() !== 'false'

/** The canonical value; null: it is not of that type. */
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

/** The hosts as sets; leaves out those whose names can't be read. */
function toSets(hosts: readonly RawHost[], zone: Zone): ListedSet<RawHost>[] {
  const named = hosts.flatMap((host) => {
    const name = readOwner(host['@Name'], zone.name)
    return name === null ? [] : [{ name, type: host['@Type'], host }]
  })
  return [...Map.groupBy(named, rrsetKey).values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const all = group.map(({ host }) => host)
    // Where TTLs differ, the smallest is safe (RFC 2181 section 5.2).
    const ttl = Math.min(...all.map((host) => Number(host['@TTL'])))
    return [{ name: first.name, type: first.type, ttl, values: plainValues(all) }]
  })
}

/** All hosts of a zone, to send. Namecheap deletes those that are missing. */
const formOf = (hosts: readonly RawHost[]): Record<string, string> =>
  Object.fromEntries(
    hosts.flatMap((host, at) => [
      [`HostName${at + 1}`, host['@Name']],
      [`RecordType${at + 1}`, host['@Type']],
      [`Address${at + 1}`, host['@Address']],
      [`MXPref${at + 1}`, host['@MXPref']],
      [`TTL${at + 1}`, host['@TTL']],
    ]),
  )
