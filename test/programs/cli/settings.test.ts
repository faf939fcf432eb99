import t from 'tap'
import { addPowerDns, contentsAt, startFake } from '../../helpers/zone.ts'
import { startCli } from './program.ts'

/* What belongs to a domain itself, and its way to another provider. */
const { admin, domainId, zk } = await startCli(t)
const domain = async () => (await admin.get(`/api/domains/${domainId}`)).body

void t.test('settings are shown, and those given changed', async (t) => {
  const set =
    'domains settings example.com --group production --tag web --tag shop --default-ttl 600 --sync-every 60 --remind 30 --remind 7 --no-check-expiry --drift alert'
  t.equal((await zk(set)).exit, 0)
  t.match(await domain(), {
    groupName: 'production',
    tags: ['web', 'shop'],
    defaultTtl: 600,
    syncInterval: 60,
    expiryRemindDays: [30, 7],
    autoCheckExpiry: false,
    driftPolicy: 'alert',
  })
  t.match(await zk('domains settings example.com --drift adopt --sync-every never --without-tags'), {
    exit: 0,
    err: '',
  })
  t.match(await domain(), { groupName: 'production', tags: { length: 0 }, syncInterval: null })
  t.match((await zk('domains settings example.com')).out, /^groupName +production\n[^]*syncInterval +never\n/)
  t.equal((await zk('domains settings example.com --default-ttl 0')).exit, 4)
  t.equal((await zk('domains settings example.com --review sometimes')).exit, 2)
})

void t.test('records get a comment, and are disabled and enabled', async (t) => {
  await zk('records add example.com www A 192.0.2.1 192.0.2.2 --yes')
  await zk('records add example.com www TXT hello --yes')
  const www = async (type: string) =>
    (await admin.get(`/api/domains/${domainId}/records?search=www&type=${type}`)).body.records
  t.equal(
    (await zk(['records', 'comment', 'example.com', 'www', 'the shop', '--type', 'a', '--yes'])).exit,
    0,
  )
  t.match(await www('A'), [{ comment: 'the shop' }, { comment: 'the shop' }])
  t.match(await www('TXT'), [{ comment: '' }])
  t.equal((await zk('records disable example.com www A 192.0.2.2')).exit, 7)
  t.equal((await zk('records disable example.com www A 192.0.2.2 --yes')).exit, 0)
  const enabled = (records: { value: string; enabled: boolean }[]) =>
    Object.fromEntries(records.map((one) => [one.value, one.enabled]))
  t.same(enabled(await www('A')), { '192.0.2.1': true, '192.0.2.2': false })
  const { id } = (await www('A')).find(({ value }: { value: string }) => value === '192.0.2.2')
  t.equal((await zk(`records enable example.com ${id} --yes`)).exit, 0)
  t.same(enabled(await www('A')), { '192.0.2.1': true, '192.0.2.2': true })
  t.equal((await zk('records enable example.com nowhere --yes')).exit, 3)
})

void t.test('DNSSEC is refused in words where the provider has none', async (t) => {
  t.match(await zk('dnssec example.com'), { exit: 3 })
  t.match(await zk('dnssec example.com on'), { exit: 7 })
  t.match(await zk('dnssec example.com maybe'), { exit: 2 })
})

void t.test('a domain is copied, then switched', async (t) => {
  const fake = await startFake(t)
  const configId = await addPowerDns(admin, fake, 'elsewhere')
  await admin.put(`/api/provider-configs/${configId}`, { nameServers: ['ns1.example.net'] })
  t.match(await zk('domains copy example.com --to nowhere --yes'), { exit: 3 })
  const dry = await zk('domains copy example.com --to elsewhere --create-zone --dry-run')
  t.match(dry, { exit: 0, err: '' })
  const before = (await domain()).providerConfigId
  t.equal((await zk('domains copy example.com --to elsewhere --create-zone --yes')).exit, 0)
  t.same(contentsAt(fake, 'example.com', 'www', 'A'), ['192.0.2.1', '192.0.2.2'])
  t.equal((await domain()).providerConfigId, before, 'it stays where it is')
  t.equal((await zk('domains switch example.com --to elsewhere')).exit, 7)
  const switched = await zk('domains switch example.com --to elsewhere --force --yes')
  t.match(switched, { exit: 0, out: /^example\.com switched/ })
  t.equal((await domain()).providerConfigName, 'elsewhere')
})
