import t from 'tap'
import digitalocean from '../../modules/providers/adapters/digitalocean/index.ts'
import { conformance } from './conformance.ts'
import { digitalOceanPeer } from './digitalocean-peer.ts'
import { startFakeDigitalOcean } from './fakes/digitalocean.ts'

void t.test('fake DigitalOcean', async (t) => {
  const fake = await startFakeDigitalOcean()
  t.teardown(() => fake.close())
  await conformance(t, 'all that every adapter must do', () => digitalOceanPeer(digitalocean, fake))
})
