import manual from './adapters/manual/index.ts'
import powerdns from './adapters/powerdns/index.ts'
import type { Provider } from './contract.ts'

/** Every kind of DNS host that the service speaks to, in the order of the catalogue. */
export const providers: readonly Provider[] = [manual, powerdns]

const byId = new Map(providers.map((provider) => [provider.id, provider]))
const byKey = new Map(providers.map((provider) => [provider.key, provider]))

export const providerById = (id: string): Provider | undefined => byId.get(id)

/** Throws for a key that only an older or newer version of the service knew. */
export function providerByKey(key: string): Provider {
  const provider = byKey.get(key)
  if (!provider) throw new Error(`This version of the service has no DNS provider "${key}"`)
  return provider
}
