import t from 'tap'
import { cloudflarePeer } from '../conformance/peers/cloudflare-peer.ts'
import { conformance } from '../conformance/suite/index.ts'
import cloudflare from '../../modules/providers/adapters/cloudflare/index.ts'
import { startFakeCloudflare } from '../conformance/simulators/cloudflare.ts'

void t.test('fake Cloudflare', async (t) => {
  const fake = await startFakeCloudflare()
  t.teardown(() => fake.close())
  await conformance(t, 'all that every adapter must do', () => cloudflarePeer(cloudflare, fake))
})
