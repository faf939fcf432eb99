import t from 'tap'
import { addPowerDns, contentsAt, startFake } from '../../helpers/zone.ts'
import { startCli } from './program.ts'

/* A domain is served from a second provider. */
const { admin, domainId, zk } = await startCli(t)
const other = await startFake(t)
other.createZone('example.com')
await addPowerDns(admin, other, 'second')
await admin.post(`/api/domains/${domainId}/records`, { recordType: 'A', name: 'www', value: '192.0.2.1' })

void t.test('a mirror is added, compared, synced and removed', async (t) => {
  t.match(await zk('mirrors add example.com second --wait'), { exit: 0, out: /PowerDNS in_step/ })
  t.same(contentsAt(other, 'example.com', 'www', 'A'), ['192.0.2.1'])
  t.match(await zk('mirrors list example.com'), { exit: 0, out: /PowerDNS +in_step/ })
  t.match(await zk('mirrors compare example.com powerdns'), { exit: 0, out: /^0 to create/ })
  t.match(await zk('mirrors sync example.com powerdns -y'), { exit: 0, out: /in_step/ })
  t.match(await zk('mirrors compare example.com elsewhere'), { exit: 3 })
  t.match(await zk('mirrors rm example.com powerdns'), { exit: 7 })
  t.match(await zk('mirrors rm example.com powerdns -y'), { exit: 0 })
  t.match(JSON.parse((await zk('mirrors list example.com --json')).out), [])
})
