import t from 'tap'
import desec from '../../modules/providers/adapters/desec/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import { desecPeer } from '../conformance/peers/desec-peer.ts'
import { startFakeDesec } from '../conformance/simulators/desec.ts'

void t.test('fake deSEC', async (t) => {
  const fake = await startFakeDesec()
  t.teardown(() => fake.close())
  await conformance(t, 'all that every adapter must do', () => desecPeer(desec, fake))
})
