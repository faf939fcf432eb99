import t from 'tap'
import { startCli } from './program.ts'

/* Who may what: tokens, permissions of others, channels and the audit trail. */
const { admin, addUser, domainId, zk } = await startCli(t)
await addUser('ada')

async function tokenOf(
  permissions: string[],
  name = 'access',
): Promise<{ id: string; env: NodeJS.ProcessEnv }> {
  const { body } = await admin.post('/api/auth/me/tokens', { name, permissions })
  return { id: body.id, env: { ZONEKEEPER_TOKEN: body.token } }
}
const all = await tokenOf([
  'domains:read',
  'assignments:read',
  'assignments:write',
  'tokens:read',
  'tokens:revoke',
  'channels:read',
  'channels:write',
  'audit:read',
])
const { env } = all

void t.test('tokens are listed and revoked, by name if it is clear', async (t) => {
  const [one, two, three] = [
    await tokenOf(['ddns:update'], 'router'),
    await tokenOf(['ddns:update'], 'twin'),
    await tokenOf(['ddns:update'], 'twin'),
  ]
  t.match(await zk('tokens', { env }), { exit: 0, out: /^ID.*\n[^]*router {2}zkp_/ })
  t.match(await zk('tokens revoke router', { env }), { exit: 7 }, 'not without being asked')
  t.match(await zk('tokens revoke twin --yes', { env }), { exit: 2, err: new RegExp(two.id) })
  t.match(await zk('tokens revoke nobody --yes', { env }), { exit: 3 })
  t.match(await zk('tokens revoke router --yes', { env }), { exit: 0 })
  t.match(await zk(`tokens revoke ${three.id} --yes`, { env }), { exit: 0 })
  const left = JSON.parse((await zk('tokens --json', { env })).out) as { id: string }[]
  const isLeft = ({ id }: { id: string }) => left.some((token) => token.id === id)
  t.same([one, two, three].map(isLeft), [false, true, false])
  t.match(await zk('tokens'), { exit: 5 }, 'not without the permission')
})

void t.test('permissions are granted, listed, changed and revoked', async (t) => {
  const grant = 'assignments grant example.com ada --permission write --names *.dev --type a'
  t.match(await zk(grant, { env }), { exit: 7 })
  const made = JSON.parse((await zk(`${grant} --yes --json`, { env })).out)
  t.match(made, {
    username: 'ada',
    permission: 'write',
    subdomainPattern: '*.dev',
    recordTypes: ['A'],
    domainId,
  })
  t.match(await zk('assignments --domain example.com', { env }), {
    out: /ada +\*\.dev\.example\.com +write +A/,
  })
  const changed = await zk(`assignments change ${made.id} --permission read --all-types --yes --json`, {
    env,
  })
  t.match(JSON.parse(changed.out), { permission: 'read', recordTypes: null })
  t.match(await zk(`assignments revoke ${made.id} --yes`, { env }), {
    exit: 0,
    err: /ada may no longer read/,
  })
  t.same(JSON.parse((await zk('assignments --json', { env })).out), [])
})

void t.test('channels are added from JSON, disabled, and removed', async (t) => {
  const channel = {
    channel: 'webhook',
    name: 'Hook',
    config: { url: 'https://hooks.example.net/1' },
    events: ['*'],
  }
  const added = await zk('channels add -', { env, input: JSON.stringify({ ...channel, enabled: true }) })
  t.match(added, { exit: 0, out: /Hook added/ })
  t.match(await zk('channels disable Hook', { env }), { out: /Hook disabled/ })
  t.match(await zk('channels', { env }), { out: /Hook {2}webhook {2}no/ })
  t.match(await zk('channels deliveries Hook --json', { env }), { exit: 0, out: '[]\n' })
  t.match(await zk('channels add -', { env, input: '{' }), { exit: 2 })
  t.match(await zk('channels rm Hook --yes', { env }), { exit: 0 })
  t.match(await zk('channels rm Hook --yes', { env }), { exit: 3 })
})

void t.test('the audit trail is filtered and cut', async (t) => {
  const entries = JSON.parse((await zk('audit --action token.* --number 2 --json', { env })).out)
  t.equal(entries.length, 2)
  t.match(entries, [{ action: /^token\./ }, { action: /^token\./ }])
  t.match(await zk('audit --actor ada', { env }), { exit: 0, out: '' })
})
