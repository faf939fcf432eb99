import alidns from '../../modules/providers/adapters/alidns/index.ts'
import azure from '../../modules/providers/adapters/azure/index.ts'
import bunny from '../../modules/providers/adapters/bunny/index.ts'
import cloudflare from '../../modules/providers/adapters/cloudflare/index.ts'
import desec from '../../modules/providers/adapters/desec/index.ts'
import digitalocean from '../../modules/providers/adapters/digitalocean/index.ts'
import dnspod from '../../modules/providers/adapters/dnspod/index.ts'
import gandi from '../../modules/providers/adapters/gandi/index.ts'
import godaddy from '../../modules/providers/adapters/godaddy/index.ts'
import google from '../../modules/providers/adapters/google/index.ts'
import hetzner from '../../modules/providers/adapters/hetzner/index.ts'
import huawei from '../../modules/providers/adapters/huawei/index.ts'
import inwx from '../../modules/providers/adapters/inwx/index.ts'
import ionos from '../../modules/providers/adapters/ionos/index.ts'
import linode from '../../modules/providers/adapters/linode/index.ts'
import namecheap from '../../modules/providers/adapters/namecheap/index.ts'
import netcup from '../../modules/providers/adapters/netcup/index.ts'
import njalla from '../../modules/providers/adapters/njalla/index.ts'
import ovh from '../../modules/providers/adapters/ovh/index.ts'
import porkbun from '../../modules/providers/adapters/porkbun/index.ts'
import route53 from '../../modules/providers/adapters/route53/index.ts'
import scaleway from '../../modules/providers/adapters/scaleway/index.ts'
import technitium from '../../modules/providers/adapters/technitium/index.ts'
import volcengine from '../../modules/providers/adapters/volcengine/index.ts'
import vultr from '../../modules/providers/adapters/vultr/index.ts'
import type { Provider } from '../../modules/providers/contract.ts'
import { alidnsPeer } from '../../test/conformance/peers/alidns-peer.ts'
import { azurePeer } from '../../test/conformance/peers/azure-peer.ts'
import { cloudflarePeer } from '../../test/conformance/peers/cloudflare-peer.ts'
import type { Peer } from '../../test/conformance/suite/peer.ts'
import { desecPeer } from '../../test/conformance/peers/desec-peer.ts'
import { dnspodPeer } from '../../test/conformance/peers/dnspod-peer.ts'
import { startFakeAlidns } from '../../test/conformance/simulators/alidns.ts'
import { startFakeAzure } from '../../test/conformance/simulators/azure.ts'
import bunnyDialect from '../../test/conformance/simulators/bunny.ts'
import { startFakeCloudflare } from '../../test/conformance/simulators/cloudflare.ts'
import { startFakeDesec } from '../../test/conformance/simulators/desec.ts'
import digitaloceanDialect from '../../test/conformance/simulators/digitalocean.ts'
import { startFakeDnspod } from '../../test/conformance/simulators/dnspod.ts'
import { startFakeGandi } from '../../test/conformance/simulators/gandi.ts'
import { startFakeGoDaddy } from '../../test/conformance/simulators/godaddy.ts'
import { startFakeGoogle } from '../../test/conformance/simulators/google.ts'
import { startFakeHetzner } from '../../test/conformance/simulators/hetzner.ts'
import { startFakeHuawei } from '../../test/conformance/simulators/huawei.ts'
import inwxDialect from '../../test/conformance/simulators/inwx.ts'
import ionosDialect from '../../test/conformance/simulators/ionos.ts'
import linodeDialect from '../../test/conformance/simulators/linode.ts'
import { startFakeNamecheap } from '../../test/conformance/simulators/namecheap.ts'
import netcupDialect from '../../test/conformance/simulators/netcup.ts'
import njallaDialect from '../../test/conformance/simulators/njalla.ts'
import { startFakeOvh } from '../../test/conformance/simulators/ovh.ts'
import porkbunDialect from '../../test/conformance/simulators/porkbun.ts'
import { startFakeRoute53 } from '../../test/conformance/simulators/route53.ts'
import { startFakeScaleway } from '../../test/conformance/simulators/scaleway.ts'
import type { SimulatorServer } from '../../test/conformance/simulators/server.ts'
import { startFakeTechnitium } from '../../test/conformance/simulators/technitium.ts'
import { startFakeVolcengine } from '../../test/conformance/simulators/volcengine.ts'
import vultrDialect from '../../test/conformance/simulators/vultr.ts'
import { gandiPeer } from '../../test/conformance/peers/gandi-peer.ts'
import { goDaddyPeer } from '../../test/conformance/peers/godaddy-peer.ts'
import { googlePeer } from '../../test/conformance/peers/google-peer.ts'
import { hetznerPeer } from '../../test/conformance/peers/hetzner-peer.ts'
import { huaweiPeer } from '../../test/conformance/peers/huawei-peer.ts'
import { namecheapPeer } from '../../test/conformance/peers/namecheap-peer.ts'
import { ovhPeer } from '../../test/conformance/peers/ovh-peer.ts'
import { route53Peer } from '../../test/conformance/peers/route53-peer.ts'
import { scalewayPeer } from '../../test/conformance/peers/scaleway-peer.ts'
import { technitiumPeer } from '../../test/conformance/peers/technitium-peer.ts'
import { volcenginePeer } from '../../test/conformance/peers/volcengine-peer.ts'
import type { Dialect, Keys, SimulatedZone } from '../../test/conformance/simulators/dialect.ts'
import { peerOf } from '../../test/conformance/simulators/simulated-peer.ts'
import { startSimulator } from '../../test/conformance/simulators/simulator.ts'

/** A DNS provider played by a simulator. */
export interface Host {
  provider: Provider
  /** Records, or sets of one record each, that the real one answers at once. */
  pageSize: number
  start(): Promise<{ fake: SimulatorServer; peer: Peer }>
}

const host = <F extends SimulatorServer>(
  provider: Provider,
  pageSize: number,
  startFake: () => Promise<F>,
  makePeer: (provider: Provider, fake: F) => Promise<Peer>,
): Host => ({
  provider,
  pageSize,
  async start() {
    const fake = await startFake()
    return { fake, peer: await makePeer(provider, fake) }
  },
})

const simulated = <Z extends SimulatedZone, K extends Keys>(
  provider: Provider,
  pageSize: number,
  dialect: Dialect<Z, K>,
): Host => host(provider, pageSize, () => startSimulator(dialect), peerOf)

export const HOSTS: Host[] = [
  host(cloudflare, 1_000, startFakeCloudflare, cloudflarePeer),
  host(route53, 300, startFakeRoute53, route53Peer),
  simulated(digitalocean, 200, digitaloceanDialect),
  host(hetzner, 100, startFakeHetzner, hetznerPeer),
  host(dnspod, 3_000, startFakeDnspod, dnspodPeer),
  host(alidns, 500, startFakeAlidns, alidnsPeer),
  host(huawei, 500, startFakeHuawei, huaweiPeer),
  host(desec, 500, startFakeDesec, desecPeer),
  host(google, 1_000, startFakeGoogle, googlePeer),
  host(azure, 1_000, startFakeAzure, azurePeer),
  host(gandi, 100, startFakeGandi, gandiPeer),
  host(godaddy, 500, startFakeGoDaddy, goDaddyPeer),
  host(namecheap, Infinity, startFakeNamecheap, namecheapPeer),
  simulated(porkbun, Infinity, porkbunDialect),
  simulated(vultr, 500, vultrDialect),
  simulated(linode, 500, linodeDialect),
  host(ovh, 50, startFakeOvh, ovhPeer),
  host(technitium, Infinity, startFakeTechnitium, technitiumPeer),
  host(scaleway, 1_000, startFakeScaleway, scalewayPeer),
  simulated(bunny, Infinity, bunnyDialect),
  simulated(ionos, Infinity, ionosDialect),
  simulated(netcup, Infinity, netcupDialect),
  simulated(inwx, Infinity, inwxDialect),
  simulated(njalla, Infinity, njallaDialect),
  host(volcengine, 500, startFakeVolcengine, volcenginePeer),
]
