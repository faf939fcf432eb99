import t from 'tap'
import { PERMISSIONS, startCli } from './program.ts'

/* Changes at a time, and changes that are reverted unless they are confirmed. */
const { admin, domainId, zk: zkOfCli } = await startCli(t)
const { body } = await admin.post('/api/auth/me/tokens', {
  name: 'later',
  permissions: [...PERMISSIONS, 'changes:apply', 'changes:review'],
})
const zk = (command: string | string[]) =>
  zkOfCli(command, { env: { ZONEKEEPER_TOKEN: body.token as string } })
const here = async (): Promise<string[]> =>
  (await admin.get(`/api/domains/${domainId}/records?limit=1000`)).body.records.map(
    ({ name }: { name: string }) => name,
  )
const at = new Date(Date.now() + 3_600_000).toISOString()

void t.test('a change is scheduled, listed and cancelled', async (t) => {
  const scheduled = await zk(`records add example.com later A 192.0.2.1 --at ${at} -y`)
  t.match(scheduled, { exit: 0, out: /Scheduled for .*changes cancel example\.com \S+/ })
  const [, change = ''] = /changes cancel example\.com (\S+)/.exec(scheduled.out) ?? []
  t.match(await zk('changes scheduled example.com'), { exit: 0, out: new RegExp(`later A .*${change}`) })
  t.match(await zk(`changes cancel example.com ${change}`), { exit: 0, out: /: cancelled/ })
  t.match(await zk(`changes cancel example.com ${change}`), { exit: 4 })
  t.notMatch((await zk('changes scheduled example.com')).out, change)
  t.same(await here(), [])
  t.match(await zk('records add example.com later A 192.0.2.1 --at friday -y'), { exit: 2 })
  t.match(await zk('records add example.com later A 192.0.2.1 --at 2020-01-01T00:00:00Z -y'), { exit: 4 })
})

void t.test('a scheduled change is applied before its time', async (t) => {
  const scheduled = await zk(`records add example.com early A 192.0.2.1 --at ${at} -y`)
  const [, change = ''] = /changes cancel example\.com (\S+)/.exec(scheduled.out) ?? []
  t.match(await zk(`changes apply example.com ${change}`), { exit: 0, out: /: applied/ })
  t.same(await here(), ['early'])
  t.match(await zk(`changes apply example.com ${change}`), { exit: 4 })
})

void t.test('a change is confirmed', async (t) => {
  const applied = await zk('records add example.com kept A 192.0.2.1 --confirm-within 5 -y')
  t.match(applied, { exit: 0, out: /reverted at \S+ unless you confirm it/ })
  const [, change = ''] = /changes confirm example\.com (\S+)/.exec(applied.out) ?? []
  t.match(await zk(`changes confirm example.com ${change}`), { exit: 0, out: /: confirmed/ })
  t.match(await zk(`changes confirm example.com ${change}`), { exit: 4 })
  t.match(await zk('records add example.com no A 192.0.2.1 --confirm-within 0 -y'), { exit: 2 })
  const json = await zk('records add example.com json A 192.0.2.1 --confirm-within 5 -y --json')
  t.match(JSON.parse(json.out), { applied: true, confirmBy: String })
})

void t.test('a request has a time and a confirmation', async (t) => {
  const open = ['requests', 'open', 'example.com', '--add', 'asked A 192.0.2.2', '--title', 'Asked', '--json']
  const { id, ...asked } = JSON.parse((await zk([...open, '--at', at, '--confirm-within', '5'])).out)
  t.match(asked, { applyAt: at, confirmWithin: 5 })
  t.match(await zk(`requests apply ${id}`), { exit: 4 }, 'not before it is approved')
  t.match(await zk(`requests withdraw ${id}`), { exit: 0 })
})

void t.test('changes of many domains can wait', async (t) => {
  const replaced = await zk(['replace', '192.0.2.1', '192.0.2.9', '--at', at, '-y'])
  t.match(replaced, { exit: 0, out: /example\.com scheduled/ })
  t.match(await zk('changes scheduled example.com'), { out: /192\.0\.2\.9/ })
})
