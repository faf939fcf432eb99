import t from 'tap'
import { startZone } from '../../helpers/zone.ts'

/* A reverse zone of less than a /24, as RFC 2317 has it: from its delegation to the PTR in it. */
const parent = await startZone(t, { name: '2.0.192.in-addr.arpa' })
const child = await startZone(t, { app: parent, name: '0/25.2.0.192.in-addr.arpa' })

void t.test('is delegated, pointed into, and filled', async (t) => {
  await parent.add('NS', '0/25', 'ns1.example.net')
  const alias = await parent.admin.post(parent.url, {
    recordType: 'CNAME',
    name: '1',
    value: '1.0/25.2.0.192.in-addr.arpa',
  })
  t.match(alias, { status: 201, body: { value: '1.0/25.2.0.192.in-addr.arpa' } })
  t.same(parent.there('1', 'CNAME'), ['1.0/25.2.0.192.in-addr.arpa.'])
  await child.add('PTR', '1', 'host.example.net')
  t.same(child.there('1', 'PTR'), ['host.example.net.'])
  const exported = await child.admin.get(`${child.url}/export`)
  t.equal(exported.headers['content-disposition'], 'attachment; filename="0-25.2.0.192.in-addr.arpa.zone"')
  t.match(exported.body, /^1\t\d+\tIN\tPTR\thost\.example\.net\.$/m)
})
