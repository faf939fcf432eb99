import t from 'tap'
import { addDomain, addManual } from '../../helpers/zone.ts'
import { startCli } from './program.ts'

/* Records of many domains at once. */
const { admin, domainId, zk } = await startCli(t)
const { id: other } = await addDomain(admin, await addManual(admin, 'second'), 'example.net')
for (const [id, name] of [
  [domainId, 'www'],
  [domainId, 'shop'],
  [other, 'www'],
] as const)
  await admin.post(`/api/domains/${id}/records`, { recordType: 'A', name, value: '192.0.2.10' })

const values = async (id: string) =>
  (await admin.get(`/api/domains/${id}/records?type=A`)).body.records.map(
    ({ value }: { value: string }) => value,
  )

void t.test('a value is replaced everywhere, or somewhere', async (t) => {
  const replace = 'replace 192.0.2.10 192.0.2.20'
  t.match(await zk(replace), {
    exit: 7,
    out: /example\.com: 0 to create, 2 to update.*shop.*was 192\.0\.2\.10.*example\.net: .*Total: 2 of 2 domains/s,
  })
  t.match(await zk(`${replace} --domain example.net --name www -y`), {
    exit: 0,
    out: /example\.net applied \(change /,
  })
  t.same([await values(domainId), await values(other)], [['192.0.2.10', '192.0.2.10'], ['192.0.2.20']])
  t.match(await zk('replace 192.0.2.0/24 198.51.100.0/24', { terminal: { answers: ['y'] } }), { exit: 0 })
  t.same(
    [await values(domainId), await values(other)],
    [['198.51.100.10', '198.51.100.10'], ['198.51.100.20']],
  )
  t.match(await zk(`${replace} -y`), { exit: 0, out: /Nothing to change/ })
  t.match(await zk('replace 192.0.2.10'), { exit: 2, err: /NEW value/ })
  t.match(await zk('replace --ttl 60'), { exit: 2, err: /OLD value/ })
  t.match(await zk('replace --type A --name shop --ttl 120 -y'), { exit: 0, out: /1 of 1 domains/ })
  const answer = await zk('replace 198.51.100.20 --ttl 60 --yes --json')
  t.match(JSON.parse(answer.out), { kind: 'replace', outcome: 'succeeded' })
})

void t.test('a template makes its records', async (t) => {
  t.match(await zk('templates'), { exit: 0, out: /^TEMPLATE.*\n.*^parked +/ms })
  t.match(await zk('templates apply parked example.com example.net -y'), {
    exit: 0,
    out: /v=spf1 -all.*example\.com applied.*example\.net applied/s,
  })
  t.match(await zk('templates apply parked example.com -y'), { exit: 0, out: /Nothing to change/ })
  await admin.post(`/api/domains/${other}/records`, {
    recordType: 'A',
    name: 'autodiscover',
    value: '192.0.2.1',
  })
  t.match(await zk('templates apply microsoft-365 example.net -y --json'), { exit: 4 }, 'nothing can be done')
  const { id: third } = await addDomain(admin, await addManual(admin, 'third'), 'example.org')
  await admin.post(`/api/domains/${third}/records`, {
    recordType: 'CNAME',
    name: 'old',
    value: 'example.net',
  })
  t.match(await zk('templates apply microsoft-365 example.net example.org -y'), {
    exit: 4,
    out: /x autodiscover CNAME autodiscover\.outlook\.com: .*example\.net blocked: @ MX .*example\.org applied/s,
    err: /3 of 5 changes/,
  })
  t.match(await zk('templates apply parked example.com --set x'), { exit: 2, err: /NAME=VALUE/ })
  t.match(await zk('templates apply parked example.com --set x=y'), { exit: 4 })
  t.match(await zk('templates apply nothing example.com'), { exit: 3 })
})

void t.test('an operation is undone as a whole', async (t) => {
  const add = (id: string) =>
    admin.post(`/api/domains/${id}/records`, { recordType: 'AAAA', name: 'undo', value: '2001:db8::1' })
  for (const id of [domainId, other]) await add(id)
  const replaced = await zk('replace 2001:db8::1 2001:db8::2 --yes --json')
  const { id } = JSON.parse(replaced.out)
  t.match(await zk('operations'), { exit: 0, out: new RegExp(`replace .* 2 of 2 +${id}`) })
  t.match(await zk(`operations undo ${id}`), {
    exit: 7,
    out: /example\.com: 0 to create, 1 to update.*2001:db8::1.*Total: 2 of 2 domains/s,
  })
  t.match(await zk(`operations undo ${id} -y`), { exit: 0, out: /example\.net applied \(change / })
  for (const one of [domainId, other]) {
    const { body } = await admin.get(`/api/domains/${one}/records?type=AAAA`)
    t.match(body.records, [{ value: '2001:db8::1' }])
  }
  t.match(await zk(`operations undo ${id} -y`), { exit: 0, out: /Nothing to change/ })
  t.match(await zk(`operations undo ${domainId} -y`), { exit: 3 })
})
