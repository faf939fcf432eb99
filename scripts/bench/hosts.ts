import { SIMULATED, type SimulatedProvider } from '../../test/conformance/simulated-providers.ts'

/** A DNS provider played by a simulator. */
export interface Host extends SimulatedProvider {
  /** Records, or RRsets of one record each, that the real provider returns at once. */
  pageSize: number
}

const PAGE_SIZES: Record<keyof typeof SIMULATED, number> = {
  cloudflare: 1_000,
  route53: 300,
  digitalocean: 200,
  hetzner: 100,
  dnspod: 3_000,
  alidns: 500,
  huawei: 500,
  desec: 500,
  google: 1_000,
  azure: 1_000,
  gandi: 100,
  godaddy: 500,
  namecheap: Infinity,
  porkbun: Infinity,
  vultr: 500,
  linode: 500,
  ovh: 50,
  technitium: Infinity,
  scaleway: 1_000,
  bunny: Infinity,
  ionos: Infinity,
  netcup: Infinity,
  inwx: Infinity,
  njalla: Infinity,
  volcengine: 500,
  dnsimple: 100,
  gcore: 1_000,
  namecom: 1_000,
  ns1: Infinity,
}

export const HOSTS: Host[] = Object.entries(SIMULATED).map(([name, host]) => ({
  ...host,
  pageSize: PAGE_SIZES[name as keyof typeof SIMULATED],
}))
