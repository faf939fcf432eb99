import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { parse } from 'yaml'
import { inherited } from '../../test/helpers/environment.ts'
import { addDomain, startZone } from '../../test/helpers/zone.ts'
import { HOST_TOKEN, startHost } from './fake-host.ts'

/* The action's script as a runner starts it, with the command line, against the service and a code host of the test's own. */
t.setTimeout(240_000)
const zone = await startZone(t)
const { admin, fake, configId } = zone
const url = await zone.app.listen({ port: 0, host: '127.0.0.1' })
fake.createZone('example.net')
const { id: secondId } = await addDomain(admin, configId, 'example.net')
const host = await startHost(t)
const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-zones-'))
t.teardown(() => rmSync(home, { recursive: true, force: true }))

const made = await admin.post('/api/auth/me/tokens', {
  name: 'zones',
  permissions: ['domains:read', 'records:read', 'records:write'],
  restrictions: { domainIds: [zone.domainId, secondId] },
})
const { token } = made.body as { token: string }
const COMMIT = 'c'.repeat(40)
const MARKER = '<!-- zonekeeper-plan zones -->\n'

let workspaces = 0
/** A checkout with these files in `zones`. */
function checkout(files: Record<string, string>): string {
  const workspace = path.join(home, String(workspaces++))
  mkdirSync(path.join(workspace, 'zones'), { recursive: true })
  for (const [name, content] of Object.entries(files))
    writeFileSync(path.join(workspace, 'zones', name), content)
  return workspace
}

interface Ran {
  code: number
  said: string
  summary: string
  output: string
}

/** Runs the script as action.yml does. */
async function run(
  workspace: string,
  mode: string,
  env: Record<string, string> = {},
  fork = false,
): Promise<Ran> {
  const [event, summaryFile, outputFile] = ['event.json', 'summary', 'output'].map((name) =>
    path.join(workspace, name),
  ) as [string, string, string]
  const repo = { full_name: fork ? 'stranger/zones' : 'team/zones' }
  writeFileSync(event, JSON.stringify({ pull_request: { number: 7, head: { repo } } }))
  const isPlan = mode === 'plan'
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts')], {
    cwd: home,
    env: {
      ...inherited(),
      MODE: mode,
      ZONES: 'zones',
      MAX_DELETIONS: '10',
      REQUEST_REVIEW: 'false',
      ZONEKEEPER_URL: url,
      ZONEKEEPER_TOKEN: token,
      GITHUB_TOKEN: HOST_TOKEN,
      GITHUB_API_URL: host.url,
      GITHUB_REPOSITORY: 'team/zones',
      GITHUB_SHA: COMMIT,
      GITHUB_WORKSPACE: workspace,
      GITHUB_EVENT_NAME: isPlan ? 'pull_request' : 'push',
      GITHUB_EVENT_PATH: event,
      GITHUB_REF: isPlan ? 'refs/pull/7/merge' : 'refs/heads/main',
      GITHUB_STEP_SUMMARY: summaryFile,
      GITHUB_OUTPUT: outputFile,
      ...env,
    },
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  const ran = { code: code as number, said: out + err, summary: read(summaryFile), output: read(outputFile) }
  rmSync(summaryFile, { force: true })
  for (const secret of [token, HOST_TOKEN]) t.notOk((ran.said + ran.summary).includes(secret), 'no secrets')
  return ran
}

t.beforeEach(() => {
  host.newest = COMMIT
  host.onRef = () => Promise.resolve()
  host.refuses = null
  host.requests.length = 0
  host.comments.length = 0
})

const addresses = (name: string) => zone.there(name, 'A')

void t.test('a pull request has one comment with the plan, which is updated', async (t) => {
  await zone.add('A', 'old', '192.0.2.9')
  // A stranger's, with our first line, and more than a page of others.
  for (let id = 1; id <= 120; id++)
    host.comments.push({ id, body: id === 1 ? `${MARKER}mine` : 'x', user: { login: 'stranger' } })
  const workspace = checkout({
    'example.com.zone': 'www 300 IN A 192.0.2.1\nwww 300 IN A 192.0.2.2\n',
    'example.net.yaml': 'mail:\n  type: A\n  value: 192.0.2.3\n',
    'README.md': 'ignored',
  })
  const first = await run(workspace, 'plan')
  t.equal(first.code, 0, first.said)
  t.match(first.output, /^changes=4$/m)
  t.equal(host.comments.length, 121)
  const { body } = host.comments[120] as { body: string }
  t.ok(body.startsWith(MARKER))
  for (const line of ['- old 300 A 192.0.2.9', '+ www 300 A 192.0.2.1', '+ mail 3600 A 192.0.2.3'])
    t.match(body, `\n${line}\n`)
  t.match(first.summary, '+ www 300 A 192.0.2.1')
  t.match(first.said, /^::stop-commands::(\S+)\n[^]*\n::\1::\n$/, 'no line is a command to the runner')

  writeFileSync(path.join(workspace, 'zones/example.com.zone'), 'old 300 IN A 192.0.2.9\n')
  t.equal((await run(workspace, 'plan')).code, 0)
  t.equal(host.comments.length, 121)
  t.notMatch(host.comments[120]?.body, 'www 300 A')
  t.equal(host.comments[0]?.body, `${MARKER}mine`, "a stranger's comment is left alone")
  t.same(addresses('www'), [], 'nothing was changed')
  t.same(addresses('old'), ['192.0.2.9'])
})

void t.test('what records and files say can not leave its block', async (t) => {
  const value = '"```` @everyone <!-- --> [x](http://y) ::error::z"'
  const workspace = checkout({ 'example.com.zone': `old 300 IN A 192.0.2.9\nnote 300 IN TXT ${value}\n` })
  t.equal((await run(workspace, 'plan')).code, 0)
  const lines = host.comments[0]?.body.split('\n') ?? []
  const [open = -1, ...more] = lines.flatMap((line, index) => (/^`{3,}/.test(line) ? [index] : []))
  t.equal(more.length, 1, 'one block, closed by ourselves')
  t.match(lines[open], /^`{5,}diff$/)
  t.ok(lines.slice(open + 1, more[0]).some((line) => line.includes('@everyone')))
  t.notMatch(lines.filter((_, index) => index < open || index > (more[0] ?? 0)).join('\n'), '@everyone')
})

void t.test('a plan too long for a comment is cut, and says so', async (t) => {
  const many = Array.from({ length: 2000 }, (_, n) => `host${n} 300 IN TXT "${'x'.repeat(100)}"\n`).join('')
  const ran = await run(checkout({ 'example.com.zone': `old 300 IN A 192.0.2.9\n${many}` }), 'plan')
  t.equal(ran.code, 0, ran.said.slice(-500))
  t.match(host.comments[0]?.body, /… and \d+ more lines/)
})

void t.test(
  'a faulty file, a conflict and a domain that is not ours are told in the comment, and fail',
  async (t) => {
    const files = {
      'example.com.zone': 'old 300 IN A 192.0.2.9\nx IN A nonsense\n',
      'example.net.zone': 'a 300 IN A 192.0.2.1\na 300 IN CNAME example.org.\n',
      'example.org.zone': 'a 300 IN A 192.0.2.1\n',
    }
    const { code, said } = await run(checkout(files), 'plan')
    t.equal(code, 1)
    t.match(said, /::error title=Zonekeeper::Not planned: example\.com, example\.net, example\.org\n$/)
    const body = host.comments[0]?.body
    t.match(body, /line 2: /)
    t.match(body, /^! conflict: /m)
    t.match(body, /Domain example\.org not found/)
  },
)

void t.test('after the merge it is planned again and applied; once more changes nothing', async (t) => {
  await admin.post(`/api/domains/${secondId}/records`, { recordType: 'A', name: 'b', value: '192.0.2.7' })
  const workspace = checkout({
    'example.com.zone': 'old 300 IN A 192.0.2.10\nwww 300 IN A 192.0.2.1\n',
    'example.net.zone': 'b IN A 192.0.2.7\n',
  })
  const { code, said, summary } = await run(workspace, 'apply', { MAX_DELETIONS: '0' })
  t.equal(code, 0, said)
  t.same(addresses('www'), ['192.0.2.1'])
  t.same(addresses('old'), ['192.0.2.10'], 'a value that is replaced is not a deletion')
  t.match(summary, /Done\./)
  t.same(host.comments, [])
  const writes = zone.writes()
  t.equal((await run(workspace, 'apply')).code, 0)
  t.equal(zone.writes(), writes)
  const { body } = await admin.get(`/api/domains/${zone.domainId}/changes?limit=1`)
  t.match(body.changes, [{ origin: 'cli' }])
})

void t.test('nothing is applied in any zone if one must not be', async (t) => {
  const second = 'new 300 IN A 192.0.2.77\nb IN A 192.0.2.7\n'
  const cases: [string, string, Record<string, string>, RegExp][] = [
    ['too much is deleted', 'www 300 IN A 192.0.2.1\n', { MAX_DELETIONS: '0' }, /deletes 1 records/],
    ['the file is empty', '; nothing\n', { MAX_DELETIONS: '99' }, /has no records/],
    ['the file is faulty', 'x IN A nonsense\n', {}, /line 1/],
  ]
  for (const [what, first, env, words] of cases) {
    const writes = zone.writes()
    const files = { 'example.com.zone': first, 'example.net.zone': second }
    const { code, said } = await run(checkout(files), 'apply', env)
    t.equal(code, 1, what)
    t.match(said, /Nothing was applied\./, what)
    t.match(said, words, what)
    t.equal(zone.writes(), writes, what)
  }
})

void t.test('an old run applies nothing, and neither does one whose plan is outdated', async (t) => {
  const workspace = checkout({ 'example.com.zone': 'www 300 IN A 192.0.2.1\n' })
  host.newest = 'd'.repeat(40)
  const old = await run(workspace, 'apply')
  t.match(old, { code: 1, said: /main has a newer commit/ })
  t.same(addresses('old'), ['192.0.2.10'])
  host.newest = COMMIT
  const { body } = await admin.get(`${zone.url}?limit=200`)
  const records = body.records as { id: string; name: string; version: number }[]
  const record = records.find(({ name }) => name === 'old')
  host.onRef = () => admin.put(`${zone.url}/${record?.id}`, { value: '192.0.2.11', version: record?.version })
  const outdated = await run(workspace, 'apply')
  t.match(outdated, { code: 1, said: /Not applied: example\.com/ })
  t.same(addresses('old'), ['192.0.2.11'], "somebody's change between the plan and its end stays")
})

void t.test('a domain under review gets a change request, or the job fails', async (t) => {
  await admin.put(`/api/domains/${zone.domainId}`, { reviewPolicy: 'everyone' })
  const workspace = checkout({ 'example.com.zone': 'www 300 IN A 192.0.2.1\nold 300 IN A 192.0.2.12\n' })
  t.match(await run(workspace, 'apply'), { code: 1, said: /Not applied: example\.com/ })
  const { code, said } = await run(workspace, 'apply', { REQUEST_REVIEW: 'true' })
  t.equal(code, 0, said)
  t.match(said, /change request \S+ waits/)
  t.same(addresses('old'), ['192.0.2.11'])
  const { body } = await admin.get('/api/change-requests?status=open')
  t.match(body.requests, [{ title: `Zone file of example.com, team/zones@${COMMIT.slice(0, 12)}` }])
  await admin.put(`/api/domains/${zone.domainId}`, { reviewPolicy: 'none' })
})

void t.test('what can not be done says why, before anything is asked', async (t) => {
  const good = { 'example.com.zone': 'www 300 IN A 192.0.2.1\n' }
  const linked = checkout({})
  writeFileSync(path.join(home, 'secret'), 'secret')
  symlinkSync(path.join(home, 'secret'), path.join(linked, 'zones/example.com.zone'))
  const outside = checkout(good)
  symlinkSync(path.join(outside, 'zones'), path.join(outside, 'linked'))
  const none = { ZONEKEEPER_TOKEN: '' }
  const event = { GITHUB_EVENT_NAME: 'pull_request' }
  const cases: [string, Promise<Ran>, RegExp][] = [
    ['from a fork', run(checkout(good), 'plan', none, true), /a fork gets no secrets/],
    ['no secret', run(checkout(good), 'plan', none), /Set the input token/],
    ['no mode', run(checkout(good), ''), /input mode/],
    ['apply of a pull request', run(checkout(good), 'apply', event), /only planned/],
    ['a link', run(linked, 'plan'), /Not a regular file/],
    ['a linked folder', run(outside, 'plan', { ZONES: 'linked' }), /does not exist/],
    ['another folder', run(outside, 'plan', { ZONES: '..' }), /does not exist/],
    ['no files', run(checkout({}), 'plan'), /No zone files/],
    ['not a name', run(checkout({ '@all.zone': '' }), 'plan'), /Not a domain/],
    ['twice', run(checkout({ 'a.org.zone': '', 'A.org.yaml': '' }), 'plan'), /Two files/],
    ['no number', run(checkout(good), 'plan', { MAX_DELETIONS: 'many' }), /not a number/],
  ]
  for (const [what, running, words] of cases) {
    const { code, said } = await running
    t.equal(code, 1, what)
    t.match(said, words, what)
    t.match(said, /^::error title=Zonekeeper::/, what)
  }
  t.same(host.requests, [])
})

void t.test('a comment that is refused fails the job and names the permission', async (t) => {
  host.refuses = 403
  const ran = await run(checkout({ 'example.com.zone': 'www 300 IN A 192.0.2.1\n' }), 'plan')
  t.match(ran, { code: 1, said: /pull-requests: write/, summary: /Zone plan/ })
})

void t.test('action.yml passes what the script reads; what others wrote is pinned to a commit', async (t) => {
  const read = (name: string) => readFileSync(path.join(import.meta.dirname, name), 'utf8')
  interface Step {
    uses?: string
    run?: string
    env?: Record<string, string>
  }
  const action = parse(read('action.yml')) as { inputs: object; runs: { steps: Step[] } }
  const { steps } = action.runs
  const settings = read('settings.ts')
  const passed = Object.keys(steps.at(-1)?.env ?? {}).filter((name) => name !== 'ACTION_FOLDER')
  for (const name of passed) t.match(settings, new RegExp(`\\b${name}\\b`))
  const used = Object.values(steps.at(-1)?.env ?? {}).flatMap(
    (value) => /inputs\.([\w-]+)/.exec(value)?.[1] ?? [],
  )
  t.same(used.sort(), Object.keys(action.inputs).sort(), 'each input is used')
  for (const { run: command = '' } of steps) t.notMatch(command, '${{', 'no input is part of a command')
  const pins = [...(read('action.yml') + read('README.md')).matchAll(/uses: (\S+)/g)].map(([, uses]) => uses)
  for (const uses of pins) t.match(uses, /@([0-9a-f]{40}|COMMIT)$/)
  const [, workflow = ''] = /```yaml\n([^]*?)```/.exec(read('README.md')) ?? []
  t.match(parse(workflow), {
    permissions: {},
    jobs: { plan: {}, apply: { permissions: { contents: 'read' } } },
  })
})
