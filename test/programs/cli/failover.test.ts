import t from 'tap'
import { startCli } from './program.ts'

/* Failover monitors by the command line; checks are not waited for. */
const { admin, domainId, zk, database } = await startCli(t)
await admin.post(`/api/domains/${domainId}/records`, {
  recordType: 'A',
  name: 'www',
  value: '127.0.0.2',
  ttl: 3600,
})
const there = async () =>
  (await admin.get(`/api/domains/${domainId}/records?search=www`)).body.records[0].value as string
const add = 'failover add example.com www a --primary 127.0.0.2 --backup 127.0.0.3'.split(' ')

void t.test('a monitor is set up, listed and shown', async (t) => {
  t.match(await zk(add), { exit: 2 }, 'needs a check')
  t.match(await zk([...add, '--http', 'ftp://www.example.com']), { exit: 2 })
  t.match(await zk([...add, '--tcp', 'many']), { exit: 2 })
  const made = await zk([
    ...add,
    '--http',
    'http://www.example.com:1/health?x=1',
    '--interval',
    '60',
    '--json',
  ])
  t.equal(made.exit, 0, made.err)
  const monitor = JSON.parse(made.out)
  t.match(monitor, {
    name: 'www',
    recordType: 'A',
    intervalSeconds: 60,
    check: { kind: 'http', host: 'www.example.com', port: 1, path: '/health?x=1', tls: false },
  })
  t.match(await zk('failover'), { exit: 0, out: new RegExp(`www\\.example\\.com.*${monitor.id}`) })
  t.match(await zk(`failover show ${monitor.id}`), {
    exit: 0,
    out: /\* primary 127\.0\.0\.2.*backup 127\.0\.0\.3.*Warning: .*3600/s,
  })
})

void t.test('it is switched by hand, resumed and removed', async (t) => {
  const [{ id }] = JSON.parse((await zk('failover list example.com --json')).out)
  t.match(await zk(`failover switch ${id} backup`), { exit: 7 }, 'asks first')
  const switched = await zk(`failover switch ${id} backup --force -y`)
  t.match(switched, { exit: 0, out: /paused \(hand\)/ }, switched.err)
  t.equal(await there(), '127.0.0.3')
  t.match(await zk(`failover resume ${id}`), { exit: 0 })
  t.match(await zk(`failover pause ${id}`), { exit: 0, out: /paused \(hand\)/ })
  t.match(await zk(`failover rm ${id} -y`), { exit: 0, out: 'Removed.\n' })
  t.same(await database.db.selectFrom('failover_monitors').select('id').execute(), [])
  t.equal(await there(), '127.0.0.3', 'the records stay')
})
