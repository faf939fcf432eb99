import t from 'tap'
import digitalocean from '../../modules/providers/adapters/digitalocean/index.ts'
import { conformance } from '../providers/conformance.ts'
import { digitalOceanPeer } from '../providers/digitalocean-peer.ts'
import { startFakeDigitalOcean } from '../providers/fakes/digitalocean.ts'

void t.test('fake DigitalOcean', async (t) => {
  const fake = await startFakeDigitalOcean()
  t.teardown(() => fake.close())
  await conformance(t, 'all that every adapter must do', () => digitalOceanPeer(digitalocean, fake))
})
