import t from 'tap'
import vultr from '../../modules/providers/adapters/vultr/index.ts'
import { add, edit, rrset, start } from '../conformance/suite/peer.ts'
import { conformance } from '../conformance/suite/index.ts'
import { startFakeVultr } from '../conformance/simulators/vultr.ts'
import { vultrPeer } from '../conformance/peers/vultr-peer.ts'

void t.test('fake Vultr', async (t) => {
  const fake = await startFakeVultr()
  t.teardown(() => fake.close())
  const makePeer = () => vultrPeer(vultr, fake)
  await conformance(t, 'all that every adapter must do', makePeer)

  await t.test('CAA: whole in its data, and without spaces', async (t) => {
    const { peer, apply, list } = await start(t, makePeer)
    const values = ['0 issue "letsencrypt.org"', '128 issuewild ";"']
    await apply([edit('@', 'CAA', values.map(add))])
    t.same(await peer.dump(), [rrset('@', 'CAA', values)])
    t.match((await list()).rrsets, [{ type: 'CAA' }, { type: 'NS' }])
    const spaced = [edit('@', 'CAA', [add('0 issue "letsencrypt.org; validationmethods=dns-01"')])]
    t.match(vultr.audit?.('example.com', spaced), [{ code: 'caa_space' }])
  })
})
