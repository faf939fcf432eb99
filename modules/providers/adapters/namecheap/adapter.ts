import { rrsetKey } from '../../../../dns/names/rrset.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { AdapterContext } from '../../context.ts'
import { ProviderError, tooLarge, unlessMissing } from '../../contract.ts'
import type { ChangeOutcome, DnsAdapter, RRset, RRsetEdit, RRsetPage, Zone } from '../../contract.ts'
import { allDone, editedSet, NO_SET } from '../../shared/edited-set.ts'
import { isCode } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import { toPage, toRRset } from '../../shared/listed-sets.ts'
import type { Credentials } from './account.ts'
import { DomainRead, DomainsRead, HostsRead, HostsWritten, NamecheapApi, type RawHost } from './client.ts'
import { spell, toSets, writeHosts } from './host-data.ts'

const DOMAINS_A_PAGE = 100

/** "Domain is not associated with your account". */
const NOT_OURS = '2016166'

/** What a zone is at Namecheap. */
interface Held {
  hosts: RawHost[]
  /** Where mail goes; MX are served with `MX` alone. */
  emailType: string
}

/** Makes no call. */
export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new NamecheapAdapter(new NamecheapApi(credentials, context))

/** Namecheap: all hosts of a zone, read and written by one call each. */
class NamecheapAdapter implements DnsAdapter {
  readonly #api: NamecheapApi

  constructor(api: NamecheapApi) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#domainPage(1)
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.client.context
    const read = (page: number) => this.#domainPage(page)
    for await (const zones of byNumber(read, { size: DOMAINS_A_PAGE, max })) yield zones
  }

  async #domainPage(page: number): Promise<{ items: Zone[]; total: number }> {
    const form = { Page: page, PageSize: DOMAINS_A_PAGE }
    const { DomainGetListResult: list, Paging } = await this.#api.read('getList', form, DomainsRead)
    const domains = typeof list === 'string' ? [] : list.Domain
    const items = domains.map((domain) => toZone(domain['@Name'], domain['@IsOurDNS'] ?? 'true'))
    return { items, total: Number(Paging.TotalItems) }
  }

  async findZones(name: string): Promise<Zone[]> {
    const call = this.#api.read('getInfo', { DomainName: name }, DomainRead)
    const found = await unlessMissing(call).catch((error: unknown) => {
      if (isCode(error, NOT_OURS)) return null
      throw error
    })
    if (found === null) return []
    const { '@DomainName': own, DnsDetails: dns } = found.DomainGetInfoResult
    const zone = toZone(own, dns['@IsUsingOurDNS'])
    const servers = (dns.Nameserver ?? []).flatMap((server) => readName(server) ?? [])
    // Those of somebody else don't serve this zone.
    return [{ ...zone, ...(zone.status === 'active' && servers.length > 0 && { nameServers: servers }) }]
  }

  async createZone(): Promise<Zone> {
    throw new ProviderError('rejected', 'Namecheap has zones of domains that are registered there alone')
  }

  async deleteZone(): Promise<void> {
    throw new ProviderError('rejected', 'A zone of Namecheap goes with its domain')
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    const { hosts } = await this.#read(zone)
    yield toPage(toSets(hosts, zone), spell, ({ '@Address': address }) => address)
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    const { hosts } = await this.#read(zone)
    const found = toSets(hosts, zone).find((set) => rrsetKey(set) === rrsetKey({ name, type }))
    return found === undefined ? null : toRRset(found, spell)
  }

  async #read(zone: Zone): Promise<Held> {
    const { DomainDNSGetHostsResult: found } = await this.#api.read('dns.getHosts', placeOf(zone), HostsRead)
    const hosts = found.host ?? found.Host ?? []
    const { maxZoneRecords: max } = this.#api.client.context
    if (hosts.length > max) throw tooLarge(max)
    return { hosts, emailType: found['@EmailType'] }
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    if (edits.length === 0) return []
    const { hosts, emailType } = await this.#read(zone)
    const wanted = edited(hosts, zone, edits)
    if (wanted !== null) await this.#write(zone, { hosts: wanted, emailType: emailFor(edits, emailType) })
    return allDone(edits)
  }

  async #write(zone: Zone, { hosts, emailType }: Held): Promise<void> {
    if (hosts.length === 0)
      throw new ProviderError('rejected', 'Namecheap keeps no zone without records: leave one')
    const form = { ...placeOf(zone), EmailType: emailType, ...writeHosts(hosts) }
    const { DomainDNSSetHostsResult: done } = await this.#api.write('dns.setHosts', form, HostsWritten)
    if (done['@IsSuccess'].toLowerCase() !== 'true')
      throw new ProviderError('unavailable', 'Namecheap says that it did not do this, and not why', {
        outcome: 'unknown',
      })
  }
}

/** All hosts as the edits want them; null when they are so already. What no edit is about stays to the letter. */
function edited(hosts: RawHost[], zone: Zone, edits: RRsetEdit[]): RawHost[] | null {
  const sets = new Map(toSets(hosts, zone).map((set) => [rrsetKey(set), set]))
  const gone = new Set<RawHost>()
  const added: RawHost[] = []
  let isSame = true
  for (const edit of edits) {
    const held = sets.get(rrsetKey(edit)) ?? NO_SET
    const wanted = editedSet(edit, held, spell)
    if (wanted === null) continue
    isSame = false
    for (const { rdata } of held.values) gone.add(rdata)
    const own = { '@Name': edit.name, '@Type': edit.type, '@TTL': String(wanted.ttl) }
    added.push(...wanted.values.map(({ rdata }) => ({ ...rdata, ...own })))
  }
  return isSame ? null : [...hosts.filter((host) => !gone.has(host)), ...added]
}

/** With an MX of ours, mail goes there. */
function emailFor(edits: RRsetEdit[], emailType: string): string {
  const hasMail = edits.some(
    ({ type, changes }) => type === 'MX' && changes.some(({ action }) => action !== 'remove'),
  )
  return hasMail ? 'MX' : emailType
}

/** The label that is registered, and the suffix below which it is: domains of Namecheap are such alone. */
function placeOf({ id }: Zone): { SLD: string; TLD: string } {
  const [SLD = '', TLD = ''] = id.split(/\.(.*)/)
  return { SLD, TLD }
}

const toZone = (name: string, isOurs: string): Zone => ({
  id: name,
  name: name.toLowerCase(),
  status: isOurs.toLowerCase() === 'true' ? 'active' : 'pending',
})
