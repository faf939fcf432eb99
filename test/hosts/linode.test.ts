import t from 'tap'
import linode from '../../modules/providers/adapters/linode/index.ts'
import { add, edit, OTHER_TTL, replace, rrset, start } from '../conformance/suite/peer.ts'
import { conformance } from '../conformance/suite/index.ts'
import { startFakeLinode } from '../conformance/simulators/linode.ts'
import { linodePeer } from '../conformance/peers/linode-peer.ts'

const [SIP, OTHER] = ['10 60 5060 sip.example.net', '20 0 5061 other.example.net']

void t.test('fake Linode', async (t) => {
  const fake = await startFakeLinode()
  t.teardown(() => fake.close())
  const makePeer = () => linodePeer(linode, fake)
  await conformance(t, 'all that every adapter must do', makePeer)

  await t.test('SRV by service and protocol, CAA by tag and issuer', async (t) => {
    const { peer, adapter, zone, apply, list } = await start(t, makePeer)
    await apply([
      edit('_sip._tcp', 'SRV', [add(SIP), add(OTHER)]),
      edit('@', 'CAA', [add('0 issue "ca.example.net"')]),
    ])
    await apply([edit('_sip._tcp', 'SRV', [replace(OTHER, '5 0 5061 other.example.net')])])
    const wanted = [
      rrset('@', 'CAA', ['0 issue "ca.example.net"']),
      rrset('_sip._tcp', 'SRV', [SIP, '5 0 5061 other.example.net']),
    ]
    t.same(await peer.dump(), wanted)
    t.same((await list()).rrsets, wanted)
    t.match(await adapter.readRRset(zone, '_sip._tcp', 'SRV'), { members: { length: 2 } })
  })

  await t.test('a record that was made without its TTL gets it', async (t) => {
    const losing = await startFakeLinode({ losesTtl: true })
    t.teardown(() => losing.close())
    const { peer, apply } = await start(t, () => linodePeer(linode, losing))
    await apply([edit('www', 'A', [add('192.0.2.1')], OTHER_TTL)])
    t.same(await peer.dump(), [rrset('www', 'A', ['192.0.2.1'], OTHER_TTL)])
  })

  await t.test('what Linode has no fields for', (t) => {
    const refusal = (name: string, type: 'CAA' | 'SRV', value: string) =>
      linode.audit?.('example.com', [edit(name, type, [add(value)])])?.[0]?.code
    t.equal(refusal('@', 'CAA', '128 issue "ca.example.net"'), 'caa_plain')
    t.equal(refusal('@', 'CAA', '0 issue "ca.example.net; a=b"'), 'caa_plain')
    t.equal(refusal('@', 'CAA', '0 issuemail "ca.example.net"'), 'caa_plain')
    t.equal(refusal('_sip._tcp.deep', 'SRV', SIP ?? ''), 'srv_name')
    t.equal(refusal('_sip._sctp', 'SRV', SIP ?? ''), 'srv_name')
    t.equal(refusal('_sip._tcp', 'SRV', '0 0 0 .'), 'srv_target')
    t.equal(refusal('_sip._tcp', 'SRV', SIP ?? ''), undefined)
    t.end()
  })
})
