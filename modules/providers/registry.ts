import fp from 'fastify-plugin'
import alidns from './adapters/alidns/index.ts'
import azure from './adapters/azure/index.ts'
import bunny from './adapters/bunny/index.ts'
import cloudflare from './adapters/cloudflare/index.ts'
import desec from './adapters/desec/index.ts'
import digitalocean from './adapters/digitalocean/index.ts'
import dnsimple from './adapters/dnsimple/index.ts'
import dnspod from './adapters/dnspod/index.ts'
import gandi from './adapters/gandi/index.ts'
import gcore from './adapters/gcore/index.ts'
import godaddy from './adapters/godaddy/index.ts'
import google from './adapters/google/index.ts'
import hetzner from './adapters/hetzner/index.ts'
import huawei from './adapters/huawei/index.ts'
import ionos from './adapters/ionos/index.ts'
import inwx from './adapters/inwx/index.ts'
import linode from './adapters/linode/index.ts'
import manual from './adapters/manual/index.ts'
import namecheap from './adapters/namecheap/index.ts'
import namecom from './adapters/namecom/index.ts'
import netcup from './adapters/netcup/index.ts'
import njalla from './adapters/njalla/index.ts'
import ns1 from './adapters/ns1/index.ts'
import ovh from './adapters/ovh/index.ts'
import porkbun from './adapters/porkbun/index.ts'
import powerdns from './adapters/powerdns/index.ts'
import rfc2136 from './adapters/rfc2136/index.ts'
import route53 from './adapters/route53/index.ts'
import volcengine from './adapters/volcengine/index.ts'
import vultr from './adapters/vultr/index.ts'
import scaleway from './adapters/scaleway/index.ts'
import technitium from './adapters/technitium/index.ts'
import type { Provider } from './contract.ts'

/** The kinds of DNS providers that the service supports. */
export interface ProviderRegistry {
  /** In the order of the catalogue. */
  all: readonly Provider[]
  byId(id: string): Provider | undefined
  /** Throws for a key that only another version of the service knows. */
  byKey(key: string): Provider
}

declare module 'fastify' {
  interface FastifyInstance {
    providerRegistry: ProviderRegistry
  }
}

export const PROVIDERS: readonly Provider[] = [
  manual,
  powerdns,
  rfc2136,
  cloudflare,
  desec,
  digitalocean,
  hetzner,
  dnspod,
  gandi,
  alidns,
  route53,
  huawei,
  google,
  godaddy,
  ovh,
  vultr,
  azure,
  namecheap,
  linode,
  porkbun,
  technitium,
  scaleway,
  bunny,
  ionos,
  inwx,
  netcup,
  njalla,
  volcengine,
  dnsimple,
  gcore,
  namecom,
  ns1,
]

function registryOf(all: readonly Provider[]): ProviderRegistry {
  const byId = new Map(all.map((provider) => [provider.id, provider]))
  const byKey = new Map(all.map((provider) => [provider.key, provider]))
  return {
    all,
    byId: (id) => byId.get(id),
    byKey(key) {
      const provider = byKey.get(key)
      if (!provider) throw new Error(`This version of the service has no DNS provider "${key}"`)
      return provider
    },
  }
}

export default fp<{ providers: readonly Provider[] }>(
  async (app, { providers }) => {
    app.decorate('providerRegistry', registryOf(providers))
  },
  { name: 'provider-registry' },
)
