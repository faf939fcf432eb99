import alidns from '../../modules/providers/adapters/alidns/index.ts'
import azure from '../../modules/providers/adapters/azure/index.ts'
import bunny from '../../modules/providers/adapters/bunny/index.ts'
import cloudflare from '../../modules/providers/adapters/cloudflare/index.ts'
import desec from '../../modules/providers/adapters/desec/index.ts'
import digitalocean from '../../modules/providers/adapters/digitalocean/index.ts'
import dnsimple from '../../modules/providers/adapters/dnsimple/index.ts'
import dnspod from '../../modules/providers/adapters/dnspod/index.ts'
import gandi from '../../modules/providers/adapters/gandi/index.ts'
import gcore from '../../modules/providers/adapters/gcore/index.ts'
import godaddy from '../../modules/providers/adapters/godaddy/index.ts'
import google from '../../modules/providers/adapters/google/index.ts'
import hetzner from '../../modules/providers/adapters/hetzner/index.ts'
import huawei from '../../modules/providers/adapters/huawei/index.ts'
import inwx from '../../modules/providers/adapters/inwx/index.ts'
import ionos from '../../modules/providers/adapters/ionos/index.ts'
import linode from '../../modules/providers/adapters/linode/index.ts'
import namecheap from '../../modules/providers/adapters/namecheap/index.ts'
import namecom from '../../modules/providers/adapters/namecom/index.ts'
import netcup from '../../modules/providers/adapters/netcup/index.ts'
import njalla from '../../modules/providers/adapters/njalla/index.ts'
import ns1 from '../../modules/providers/adapters/ns1/index.ts'
import ovh from '../../modules/providers/adapters/ovh/index.ts'
import porkbun from '../../modules/providers/adapters/porkbun/index.ts'
import route53 from '../../modules/providers/adapters/route53/index.ts'
import scaleway from '../../modules/providers/adapters/scaleway/index.ts'
import technitium from '../../modules/providers/adapters/technitium/index.ts'
import volcengine from '../../modules/providers/adapters/volcengine/index.ts'
import vultr from '../../modules/providers/adapters/vultr/index.ts'
import type { Provider } from '../../modules/providers/contract.ts'
import type { Subject } from './suite/subject.ts'
import alidnsDialect from './simulators/alidns.ts'
import azureDialect from './simulators/azure.ts'
import bunnyDialect from './simulators/bunny.ts'
import cloudflareDialect from './simulators/cloudflare.ts'
import desecDialect from './simulators/desec.ts'
import digitaloceanDialect from './simulators/digitalocean.ts'
import dnsimpleDialect from './simulators/dnsimple.ts'
import dnspodDialect from './simulators/dnspod.ts'
import gandiDialect from './simulators/gandi.ts'
import gcoreDialect from './simulators/gcore.ts'
import godaddyDialect from './simulators/godaddy.ts'
import googleDialect from './simulators/google.ts'
import hetznerDialect from './simulators/hetzner.ts'
import huaweiDialect from './simulators/huawei.ts'
import inwxDialect from './simulators/inwx.ts'
import ionosDialect from './simulators/ionos.ts'
import linodeDialect from './simulators/linode.ts'
import namecheapDialect from './simulators/namecheap.ts'
import namecomDialect from './simulators/namecom.ts'
import netcupDialect from './simulators/netcup.ts'
import njallaDialect from './simulators/njalla.ts'
import ns1Dialect from './simulators/ns1.ts'
import ovhDialect from './simulators/ovh.ts'
import porkbunDialect from './simulators/porkbun.ts'
import route53Dialect from './simulators/route53.ts'
import scalewayDialect from './simulators/scaleway.ts'
import type { SimulatorServer } from './simulators/server.ts'
import technitiumDialect from './simulators/technitium.ts'
import volcengineDialect from './simulators/volcengine.ts'
import vultrDialect from './simulators/vultr.ts'
import type { Dialect, SimulatedZone } from './simulators/dialect.ts'
import { subjectOf } from './simulators/simulated-subject.ts'
import { startSimulator } from './simulators/simulator.ts'

/** A provider whose API is simulated. */
export interface SimulatedProvider {
  provider: Provider
  start(): Promise<{ sim: SimulatorServer; subject: Subject }>
}

const host = <S extends SimulatorServer>(
  provider: Provider,
  startSim: () => Promise<S>,
  makeSubject: (provider: Provider, sim: S) => Promise<Subject>,
): SimulatedProvider => ({
  provider,
  async start() {
    const sim = await startSim()
    return { sim, subject: await makeSubject(provider, sim) }
  },
})

const simulated = <Z extends SimulatedZone, K extends object>(
  provider: Provider,
  dialect: Dialect<Z, K>,
): SimulatedProvider => host(provider, () => startSimulator(dialect), subjectOf)

/** All providers of which there is a simulator, but PowerDNS. */
export const SIMULATED = {
  cloudflare: simulated(cloudflare, cloudflareDialect),
  route53: simulated(route53, route53Dialect),
  digitalocean: simulated(digitalocean, digitaloceanDialect),
  hetzner: simulated(hetzner, hetznerDialect),
  dnspod: simulated(dnspod, dnspodDialect),
  alidns: simulated(alidns, alidnsDialect),
  huawei: simulated(huawei, huaweiDialect),
  desec: simulated(desec, desecDialect),
  google: simulated(google, googleDialect),
  azure: simulated(azure, azureDialect),
  gandi: simulated(gandi, gandiDialect),
  godaddy: simulated(godaddy, godaddyDialect),
  namecheap: simulated(namecheap, namecheapDialect),
  porkbun: simulated(porkbun, porkbunDialect),
  vultr: simulated(vultr, vultrDialect),
  linode: simulated(linode, linodeDialect),
  ovh: simulated(ovh, ovhDialect),
  technitium: simulated(technitium, technitiumDialect),
  scaleway: simulated(scaleway, scalewayDialect),
  bunny: simulated(bunny, bunnyDialect),
  ionos: simulated(ionos, ionosDialect),
  netcup: simulated(netcup, netcupDialect),
  inwx: simulated(inwx, inwxDialect),
  njalla: simulated(njalla, njallaDialect),
  volcengine: simulated(volcengine, volcengineDialect),
  dnsimple: simulated(dnsimple, dnsimpleDialect),
  gcore: simulated(gcore, gcoreDialect),
  namecom: simulated(namecom, namecomDialect),
  ns1: simulated(ns1, ns1Dialect),
} satisfies Record<string, SimulatedProvider>
