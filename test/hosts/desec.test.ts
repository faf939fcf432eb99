import t from 'tap'
import desec from '../../modules/providers/adapters/desec/index.ts'
import { conformance } from '../providers/conformance.ts'
import { desecPeer } from '../providers/desec-peer.ts'
import { startFakeDesec } from '../providers/fakes/desec.ts'

void t.test('fake deSEC', async (t) => {
  const fake = await startFakeDesec()
  t.teardown(() => fake.close())
  await conformance(t, 'all that every adapter must do', () => desecPeer(desec, fake))
})
