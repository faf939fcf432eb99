import { Type } from '@sinclair/typebox'
import { rrsetKey } from '../../../../dns/names/rrset.ts'
import { isCode } from '../../client/client.ts'
import { ProviderError, unlessMissing, type DnsAdapter, type Zone } from '../../contract.ts'
import type { Account } from '../../shared/define-provider.ts'
import { toPages, toRRset } from '../../shared/records/edited-records.ts'
import { zoneMethods, type ZoneCalls } from '../../shared/zone-calls.ts'
import { Answered, NetcupApi } from './client.ts'
import type { Credentials } from './index.ts'
import { readTtl, readZone } from './records.ts'
import { applyEdits } from './writes.ts'

const Domains = Answered(Type.Array(Type.Object({ domainname: Type.String() })))

const NOT_A_RESELLER = '4020'

const zones: ZoneCalls<Credentials, NetcupApi> = {
  api: (account) => new NetcupApi(account),

  verify: (api) => api.logIn(),

  async *listZones(api) {
    if (api.domains.length === 0) yield await allZones(api)
    for (const name of api.domains) yield await findZones(api, name)
  },

  findZones,
}

/**
 * netcup's API of the customer control panel (https://ccp.netcup.net/run/webservice/servers/endpoint.php). Only whole zones
 * can be read, one TTL applies to all records of a zone, and one call writes many records: no shape has all of this.
 */
export function open(account: Account<Credentials>): DnsAdapter {
  const api = zones.api(account)
  return {
    ...zoneMethods(api, zones),
    async *listRRsets(zone) {
      yield* toPages(await readZone(api, zone))
    },
    async readRRset(zone, name, type) {
      const { held } = await readZone(api, zone)
      return toRRset(held.filter((one) => rrsetKey(one) === rrsetKey({ name, type })))
    },
    apply: (zone, edits) => applyEdits(api, zone, edits),
  }
}

async function findZones(api: NetcupApi, name: string): Promise<Zone[]> {
  const ttl = await unlessMissing(readTtl(api, name))
  return ttl === null ? [] : [{ ...toZone(name), ttl }]
}

async function allZones(api: NetcupApi): Promise<Zone[]> {
  try {
    const { responsedata } = await api.read('listallDomains', Domains)
    return responsedata.map(({ domainname }) => toZone(domainname))
  } catch (error) {
    if (!isCode(error, NOT_A_RESELLER)) throw error
    const message = 'netcup lists domains for resellers only; enter yours in the field "Domains"'
    throw new ProviderError('forbidden', message, { cause: error })
  }
}

const toZone = (name: string): Zone => ({ id: name, name: name.toLowerCase() })
