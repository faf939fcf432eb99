import t from 'tap'
import { addDomain } from '../../helpers/zone.ts'
import { PERMISSIONS, startCli } from './program.ts'

/* Domains under review: what a write says, and change requests from opening to approval. */
const { admin, addUser, signIn, domainId, zk: zkOfAdmin } = await startCli(t)
await addUser('grace')
const grace = await signIn('grace')
const given = await admin.post('/api/assignments', { userId: grace.userId, domainId, permission: 'write' })
if (given.status !== 201) throw new Error(JSON.stringify(given.body))
await admin.put(`/api/domains/${domainId}`, { reviewPolicy: 'everyone' })

async function programOf(who: typeof admin, permissions: readonly string[]) {
  const { body } = await who.post('/api/auth/me/tokens', { name: 'requests', permissions })
  return (command: string | string[], more: Parameters<typeof zkOfAdmin>[1] = {}) =>
    zkOfAdmin(command, { ...more, env: { ZONEKEEPER_TOKEN: body.token as string } })
}
const zk = await programOf(admin, [...PERMISSIONS, 'changes:review'])
const zkOfGrace = await programOf(grace, [...PERMISSIONS, 'changes:review'])

const here = async (): Promise<string[]> =>
  (await admin.get(`/api/domains/${domainId}/records?limit=1000`)).body.records
    .map(({ name, value }: Record<string, string>) => `${name} ${value}`)
    .sort()

void t.test('a write that needs a review says so, and can become a request', async (t) => {
  const add = ['records', 'add', 'example.com', 'www', 'A', '192.0.2.1', '-y']
  const refused = await zk(add)
  t.match(refused, { exit: 8, err: /need the approval of a second person.*--request-review/s })
  const [, planId = ''] = /--plan (\S+)/.exec(refused.err) ?? []
  const opened = await zk(['requests', 'open', 'example.com', '--plan', planId, '--title', 'The web server'])
  t.match(opened, { exit: 0, out: /example\.com: The web server\nopen, revision 1, by root.*\+ {2}www /s })

  const asked = await zk([...add, '--request-review', 'Another way'])
  t.match(asked, { exit: 0, out: /change request \S+ waits for approval/ })
  const told = JSON.parse((await zk([...add, '--json', '--request-review', 'As JSON'])).out)
  t.match(told, { title: 'As JSON', status: 'open', created: 1 })
  t.same(await here(), [])
  for (const how of [
    ['import', 'example.com', '-', '-y'],
    ['restore', 'example.com', new Date().toISOString(), '-y'],
  ])
    t.match(await zk(how, { input: 'www A 192.0.2.1' }), { exit: how[0] === 'import' ? 8 : 0 }, how.join(' '))
})

void t.test('a request is shown, commented on, edited, approved', async (t) => {
  const open = ['requests', 'open', 'example.com', '--add', 'app A 192.0.2.2', '--title', 'App']
  const { id } = JSON.parse((await zkOfGrace([...open, '--reason', 'It opens on Monday', '--json'])).out)
  t.match(await zk('requests --can-approve'), { exit: 0, out: new RegExp(`open +grace .*App +${id}`) })
  t.match(await zkOfGrace('requests --can-approve'), { out: /^(?!.*App)/s })
  t.match(await zk('requests list --domain example.com --author grace --status rejected --json'), {
    out: '[]\n',
  })
  t.match(await zk(['requests', 'comment', id, 'Which host?\u001b[2J']), {
    exit: 0,
    out: /Why: It opens on Monday.*root commented: Which host\?\\u001b\[2J/s,
  })
  t.match(await zkOfGrace(['requests', 'edit', id, '--set', 'app A 192.0.2.3', '--title', 'The app']), {
    exit: 0,
    out: /The app\nopen, revision 2.*192\.0\.2\.3.*grace edited/s,
  })
  t.match(await zkOfGrace(`requests approve ${id} -y`), { exit: 4 }, 'not by its author')
  t.match(await zk(`requests approve ${id}`), { exit: 7, out: /192\.0\.2\.3/, err: /add --yes/ })
  t.match(await zk(`requests approve ${id} --revision 1 -y`), { exit: 4, err: /revision 2/ })
  t.same(await here(), [])
  t.match(await zk(`requests approve ${id} -y`), { exit: 0, out: /Done\. To revert it: .*change \S+/ })
  t.same(await here(), ['app 192.0.2.3'])
  t.match(await zk(`requests approve ${id} -y`), { exit: 4 })
  t.match(await zk(`requests show ${id}`), {
    exit: 0,
    out: /applied, revision 2.*Change \S+ in the history/s,
  })
})

void t.test('a request ends in other ways, too', async (t) => {
  const ask = async (line: string) => {
    const { out } = await zkOfGrace([
      'requests',
      'open',
      'example.com',
      '--set',
      line,
      '--title',
      line,
      '--json',
    ])
    return JSON.parse(out).id as string
  }
  const rejected = await ask('one A 192.0.2.4')
  t.match(await zk(`requests reject ${rejected}`), { exit: 2, err: /--reason/ })
  t.match(await zk(`requests reject ${rejected} --reason no`), { exit: 0, out: /: rejected/ })
  const withdrawn = await ask('two A 192.0.2.4')
  t.match(await zk(`requests withdraw ${withdrawn}`), { exit: 5 })
  t.match(await zkOfGrace(`requests withdraw ${withdrawn}`), { exit: 0, out: /: withdrawn/ })
  t.match(await zk('requests show first'), { exit: 2, err: /id of a change request/ })
  t.match(await zk(`requests show ${domainId}`), { exit: 3 })

  const late = await ask('app A 192.0.2.9')
  const urgent = ['records', 'set', 'example.com', 'app', 'A', '192.0.2.5', '-y', '--emergency', 'It is down']
  t.match(await zkOfGrace(urgent), { exit: 5 }, 'only the owner and administrators bypass a review')
  t.match(await zk(urgent), { exit: 0, out: /Done/ })
  t.match(await zk(`requests approve ${late} -y`), { exit: 4, err: /requests edit/ })
  t.match(await zkOfGrace(`requests edit ${late}`), { exit: 0, out: /open, revision 2/ })
  t.match(await zk(`requests approve ${late} -y`), { exit: 0 })
  t.same(await here(), ['app 192.0.2.9'])
})

void t.test('a zone file can be asked for, and conflicts open nothing', async (t) => {
  const file = ['requests', 'open', 'example.com', '-', '--title', 'A file']
  t.match(await zk(file, { input: 'file 300 IN A 192.0.2.6' }), { exit: 0, out: /\+ {2}file/ })
  t.match(await zk(file, { input: 'file 300 IN A 192.0.2.256' }), { exit: 4 })
  t.match(await zk(['requests', 'open', 'example.com', '--title', 'Nothing']), {
    exit: 2,
    err: /Give a FILE/,
  })
  const exists = ['requests', 'open', 'example.com', '--add', 'app A 192.0.2.9', '--title', 'Again']
  t.match(await zk(exists), { exit: 4, err: /already exists/ })
  await addDomain(
    admin,
    (await admin.get('/api/provider-configs')).body.providerConfigs[0].id,
    'free.example',
  )
  const free = [
    'records',
    'add',
    'free.example',
    'www',
    'A',
    '192.0.2.1',
    '-y',
    '--request-review',
    'Not needed',
  ]
  t.match(await zk(free), { exit: 0, out: /Done/ }, 'without a policy it is applied')
})
