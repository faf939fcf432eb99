import t from 'tap'
import { cloudflarePeer } from '../providers/cloudflare-peer.ts'
import { conformance } from '../providers/conformance.ts'
import cloudflare from '../../modules/providers/adapters/cloudflare/index.ts'
import { startFakeCloudflare } from '../providers/fakes/cloudflare.ts'

void t.test('fake Cloudflare', async (t) => {
  const fake = await startFakeCloudflare()
  t.teardown(() => fake.close())
  await conformance(t, 'all that every adapter must do', () => cloudflarePeer(cloudflare, fake))
})
