import t from 'tap'
import { cloudflarePeer } from './cloudflare-peer.ts'
import { conformance } from './conformance.ts'
import cloudflare from '../../modules/providers/adapters/cloudflare/index.ts'
import { startFakeCloudflare } from './fakes/cloudflare.ts'

void t.test('fake Cloudflare', async (t) => {
  const fake = await startFakeCloudflare()
  t.teardown(() => fake.close())
  await conformance(t, 'all that every adapter must do', () => cloudflarePeer(cloudflare, fake))
})
