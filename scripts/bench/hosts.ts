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
import { alidnsPeer } from '../../test/providers/alidns-peer.ts'
import { azurePeer } from '../../test/providers/azure-peer.ts'
import { bunnyPeer } from '../../test/providers/bunny-peer.ts'
import { cloudflarePeer } from '../../test/providers/cloudflare-peer.ts'
import type { Peer } from '../../test/providers/conformance-peer.ts'
import { desecPeer } from '../../test/providers/desec-peer.ts'
import { digitalOceanPeer } from '../../test/providers/digitalocean-peer.ts'
import { dnspodPeer } from '../../test/providers/dnspod-peer.ts'
import { startFakeAlidns } from '../../test/providers/fakes/alidns.ts'
import { startFakeAzure } from '../../test/providers/fakes/azure.ts'
import { startFakeBunny } from '../../test/providers/fakes/bunny.ts'
import { startFakeCloudflare } from '../../test/providers/fakes/cloudflare.ts'
import { startFakeDesec } from '../../test/providers/fakes/desec.ts'
import { startFakeDigitalOcean } from '../../test/providers/fakes/digitalocean.ts'
import { startFakeDnspod } from '../../test/providers/fakes/dnspod.ts'
import { startFakeGandi } from '../../test/providers/fakes/gandi.ts'
import { startFakeGoDaddy } from '../../test/providers/fakes/godaddy.ts'
import { startFakeGoogle } from '../../test/providers/fakes/google.ts'
import { startFakeHetzner } from '../../test/providers/fakes/hetzner.ts'
import { startFakeHuawei } from '../../test/providers/fakes/huawei.ts'
import { startFakeInwx } from '../../test/providers/fakes/inwx.ts'
import { startFakeIonos } from '../../test/providers/fakes/ionos.ts'
import { startFakeLinode } from '../../test/providers/fakes/linode.ts'
import { startFakeNamecheap } from '../../test/providers/fakes/namecheap.ts'
import { startFakeNetcup } from '../../test/providers/fakes/netcup.ts'
import { startFakeNjalla } from '../../test/providers/fakes/njalla.ts'
import { startFakeOvh } from '../../test/providers/fakes/ovh.ts'
import { startFakePorkbun } from '../../test/providers/fakes/porkbun.ts'
import { startFakeRoute53 } from '../../test/providers/fakes/route53.ts'
import { startFakeScaleway } from '../../test/providers/fakes/scaleway.ts'
import type { FakeServer } from '../../test/providers/fakes/server.ts'
import { startFakeTechnitium } from '../../test/providers/fakes/technitium.ts'
import { startFakeVolcengine } from '../../test/providers/fakes/volcengine.ts'
import { startFakeVultr } from '../../test/providers/fakes/vultr.ts'
import { gandiPeer } from '../../test/providers/gandi-peer.ts'
import { goDaddyPeer } from '../../test/providers/godaddy-peer.ts'
import { googlePeer } from '../../test/providers/google-peer.ts'
import { hetznerPeer } from '../../test/providers/hetzner-peer.ts'
import { huaweiPeer } from '../../test/providers/huawei-peer.ts'
import { inwxPeer } from '../../test/providers/inwx-peer.ts'
import { ionosPeer } from '../../test/providers/ionos-peer.ts'
import { linodePeer } from '../../test/providers/linode-peer.ts'
import { namecheapPeer } from '../../test/providers/namecheap-peer.ts'
import { netcupPeer } from '../../test/providers/netcup-peer.ts'
import { njallaPeer } from '../../test/providers/njalla-peer.ts'
import { ovhPeer } from '../../test/providers/ovh-peer.ts'
import { porkbunPeer } from '../../test/providers/porkbun-peer.ts'
import { route53Peer } from '../../test/providers/route53-peer.ts'
import { scalewayPeer } from '../../test/providers/scaleway-peer.ts'
import { technitiumPeer } from '../../test/providers/technitium-peer.ts'
import { volcenginePeer } from '../../test/providers/volcengine-peer.ts'
import { vultrPeer } from '../../test/providers/vultr-peer.ts'

/** A DNS host whose API is played by a server of ours. */
export interface Host {
  provider: Provider
  /** Records, or sets of one record each, that the real one answers at once. */
  pageSize: number
  start(): Promise<{ fake: FakeServer; peer: Peer }>
}

const host = <F extends FakeServer>(
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

export const HOSTS: Host[] = [
  host(cloudflare, 1_000, startFakeCloudflare, cloudflarePeer),
  host(route53, 300, startFakeRoute53, route53Peer),
  host(digitalocean, 200, startFakeDigitalOcean, digitalOceanPeer),
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
  host(porkbun, Infinity, startFakePorkbun, porkbunPeer),
  host(vultr, 500, startFakeVultr, vultrPeer),
  host(linode, 500, startFakeLinode, linodePeer),
  host(ovh, 50, startFakeOvh, ovhPeer),
  host(technitium, Infinity, startFakeTechnitium, technitiumPeer),
  host(scaleway, 1_000, startFakeScaleway, scalewayPeer),
  host(bunny, Infinity, startFakeBunny, bunnyPeer),
  host(ionos, Infinity, startFakeIonos, ionosPeer),
  host(netcup, Infinity, startFakeNetcup, netcupPeer),
  host(inwx, Infinity, startFakeInwx, inwxPeer),
  host(njalla, Infinity, startFakeNjalla, njallaPeer),
  host(volcengine, 500, startFakeVolcengine, volcenginePeer),
]
