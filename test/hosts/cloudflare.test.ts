import t from 'tap'
import { cloudflarePeer } from '../conformance/peers/cloudflare-peer.ts'
import { conformance } from '../conformance/suite/index.ts'
import cloudflare from '../../modules/providers/adapters/cloudflare/index.ts'
import { startCloudflareSimulator } from '../conformance/simulators/cloudflare.ts'

void t.test('Cloudflare', async (t) => {
  const sim = await startCloudflareSimulator()
  t.teardown(() => sim.close())
  await conformance(t, 'conformance', () => cloudflarePeer(cloudflare, sim))
})
