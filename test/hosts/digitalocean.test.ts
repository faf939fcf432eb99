import t from 'tap'
import digitalocean from '../../modules/providers/adapters/digitalocean/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import { digitalOceanPeer } from '../conformance/peers/digitalocean-peer.ts'
import { startFakeDigitalOcean } from '../conformance/simulators/digitalocean.ts'

void t.test('fake DigitalOcean', async (t) => {
  const fake = await startFakeDigitalOcean()
  t.teardown(() => fake.close())
  await conformance(t, 'all that every adapter must do', () => digitalOceanPeer(digitalocean, fake))
})
