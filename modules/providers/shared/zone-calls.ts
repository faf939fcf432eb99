import { ApiClient, type Api } from '../client/client.ts'
import {
  ProviderError,
  tooLarge,
  unlessMissing,
  unlessThere,
  type AdapterContext,
  type DnsAdapter,
  type NewZone,
  type Zone,
} from '../contract.ts'
import type { Account } from './define-provider.ts'

/** A list: in pages, or as one answer. */
export type Pages<T> = AsyncIterable<readonly T[]> | Promise<readonly T[]>

/** What every shape needs to know about a provider: how to open its API, and how it handles zones. */
export interface ZoneCalls<C, A> {
  /** Opens the API, usually an `ApiClient`, which the other calls get. Makes no call itself. */
  api(account: Account<C>): A
  /** Missing: reads the first page of zones. */
  verify?(api: A): Promise<unknown>
  /** All zones; with `name`, at least those of that name. */
  listZones(api: A, name?: string): Pages<Zone>
  /** At least the zones of that name; `not_found` means none. Missing: searches `listZones`. */
  findZones?(api: A, name: string): Promise<readonly Zone[]>
  createZone?(api: A, zone: NewZone): Promise<Zone>
  /** A `not_found` is a success. */
  deleteZone?(api: A, zone: Zone): Promise<unknown>
  /** Methods that the shape lacks, or that replace one of its own. */
  others?(api: A): Partial<DnsAdapter>
}

type ZoneMethods = Pick<DnsAdapter, 'verify' | 'listZones' | 'findZones' | 'createZone' | 'deleteZone'>

/** The methods of an adapter that concern zones. */
export function zoneMethods<A extends { context: AdapterContext }>(
  api: A,
  calls: ZoneCalls<never, A>,
): ZoneMethods {
  const listZones = (name?: string) => pagesOf(calls.listZones(api, name), api.context)
  const findZones = async (name: string): Promise<Zone[]> => {
    if (calls.findZones === undefined) {
      const zones: Zone[] = []
      for await (const page of listZones(name)) zones.push(...page.filter((zone) => zone.name === name))
      return zones
    }
    const zones = (await unlessMissing(calls.findZones(api, name))) ?? []
    return zones.filter((zone) => zone.name === name)
  }
  return {
    listZones: () => listZones(),
    findZones,
    async verify() {
      if (calls.verify !== undefined) await calls.verify(api)
      else for await (const _ of listZones()) return
    },
    async createZone(zone) {
      if (calls.createZone === undefined) throw zonesAreFixed()
      return await unlessThere(calls.createZone(api, zone), () => findZones(zone.name))
    },
    async deleteZone(zone) {
      if (calls.deleteZone === undefined) throw zonesAreFixed()
      await unlessMissing(calls.deleteZone(api, zone))
    },
  }
}

const zonesAreFixed = () =>
  new ProviderError('rejected', 'This provider does not let the service create or delete this zone')

/** The list page by page. Rejects with `too_large` beyond `maxZoneRecords`. */
export async function* pagesOf<T>(
  pages: Pages<T>,
  { maxZoneRecords }: Pick<AdapterContext, 'maxZoneRecords'>,
): AsyncGenerator<T[]> {
  let count = 0
  for await (const page of 'then' in pages ? [await pages] : pages) {
    count += page.length
    if (count > maxZoneRecords) throw tooLarge(maxZoneRecords)
    yield [...page]
  }
}

/** The HTTP client of an account. `api`: authentication and error mapping of the provider. */
export const clientOf = (
  { provider, url, isOwnAddress, context }: Account,
  api: Omit<Api, 'provider' | 'url' | 'isOwnAddress'>,
): ApiClient => new ApiClient({ provider, url, isOwnAddress, ...api }, context)

/** A token that authenticates each request (RFC 6750). */
export const bearer = (token: string): Pick<Api, 'secrets' | 'authenticate'> => ({
  secrets: [token],
  authenticate: () => ({ authorization: `Bearer ${token}` }),
})
