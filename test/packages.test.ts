import { execFileSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { parse } from 'yaml'

/* The names under which the clients are published, how they are, and that no text runs a name that nobody owns. */
const ROOT = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

interface Step {
  uses?: string
  name?: string
  run?: string
}
interface Job {
  permissions: Record<string, string>
  environment?: string
  steps: Step[]
}
const workflow = parse(read('.github/workflows/release.yml')) as {
  permissions: object
  jobs: { pack: Job; publish: Job }
}
const stepOf = ({ steps }: Job, name: string) => steps.find((step) => step.name === name)?.run ?? ''

void t.test('each client is a public package of our scope, with provenance', (t) => {
  const names = globSync('clients/*/package.json', { cwd: ROOT })
    .sort()
    .map((file) => {
      const manifest = JSON.parse(read(file)) as { name: string; license: string; publishConfig: object }
      t.same(manifest.publishConfig, {
        access: 'public',
        provenance: true,
        registry: 'https://registry.npmjs.org/',
      })
      t.equal(manifest.license, 'MIT')
      t.notOk('private' in manifest)
      return manifest.name
    })
  t.same(names, ['@zonekeeper/cli', '@zonekeeper/mcp', '@zonekeeper/client'])
  t.match(JSON.parse(read('package.json')), { private: true }, 'the service is not published')
  const packed = /for folder in ([\w ]+);/.exec(stepOf(workflow.jobs.pack, 'Pack'))?.[1]?.split(' ')
  const folders = globSync('clients/*/package.json', { cwd: ROOT }).map(
    (file) => file.split(path.sep)[1] ?? '',
  )
  t.same(
    packed?.sort((a, b) => a.localeCompare(b)),
    folders.sort((a, b) => a.localeCompare(b)),
  )
  t.end()
})

void t.test('the job that publishes builds nothing, and the one that builds may not publish', (t) => {
  const { pack, publish } = workflow.jobs
  t.same(workflow.permissions, {})
  t.same(pack.permissions, { contents: 'read' })
  t.same(publish.permissions, { 'id-token': 'write' })
  t.equal(publish.environment, 'npm')
  for (const { uses = '', run = '' } of [...pack.steps, ...publish.steps]) {
    if (uses !== '') t.match(uses, /@[0-9a-f]{40}$/, uses)
    t.notMatch(run, '${{', 'nothing of an event is part of a command')
  }
  t.notMatch(publish.steps.map(({ run, uses }) => `${run} ${uses}`).join('\n'), /npm (ci|install)|checkout/)
  t.notMatch(read('.github/workflows/release.yml'), /secrets\./)
  t.end()
})

void t.test('what the registry has already is not published again', (t) => {
  const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-release-'))
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  mkdirSync(path.join(home, 'packages'))
  for (const name of ['new', 'old']) {
    mkdirSync(path.join(home, 'package'), { recursive: true })
    writeFileSync(
      path.join(home, 'package/package.json'),
      JSON.stringify({ name: `@zonekeeper/${name}`, version: '1.2.3' }),
    )
    execFileSync('tar', ['-czf', `packages/zonekeeper-${name}-1.2.3.tgz`, 'package'], { cwd: home })
  }
  const npm = path.join(home, 'npm')
  writeFileSync(
    npm,
    '#!/bin/sh\necho "npm $*" >> calls\n[ "$1" != view ] || [ "$2" = @zonekeeper/old@1.2.3 ]\n',
  )
  chmodSync(npm, 0o755)
  const env = { PATH: [home, path.dirname(process.execPath), process.env['PATH']].join(':') }
  const script = stepOf(workflow.jobs.publish, 'Publish')
  execFileSync('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd: home, env, stdio: 'pipe' })
  t.same(readFileSync(path.join(home, 'calls'), 'utf8').trim().split('\n'), [
    'npm view @zonekeeper/new@1.2.3 version',
    'npm publish ./packages/zonekeeper-new-1.2.3.tgz --access public --provenance --ignore-scripts',
    'npm view @zonekeeper/old@1.2.3 version',
  ])
  t.end()
})

/** What follows the command, up to the end of the command or of the text around it. */
const RUNS =
  /\b(?:npx|bunx|pip install|npm (?:exec|x|install|i|add|create|init)|pnpm (?:dlx|add)|yarn (?:dlx|add))\b([^\n`'"|&;)]*)/g
const OURS = /^(@zonekeeper\/[\w-]+(@[\w.-]+)?|\.{1,2}\/\S*|-\S*)$/

/** Returns the packages that a text runs or installs and that are neither of our scope nor files. */
const foreignIn = (text: string): string[] =>
  [...text.matchAll(RUNS)].flatMap(([, rest = '']) => {
    // The words of a sentence follow the end of the command.
    const words =
      rest
        .split(/[.,:](?:\s|$)/)[0]
        ?.trim()
        .split(/\s+/) ?? []
    return words.filter((word) => word !== '' && !OURS.test(word))
  })

void t.test('no text runs or installs a package by a name without our scope', (t) => {
  const cases: [string, string[]][] = [
    ['run `npx zonekeeper mcp`', ['zonekeeper', 'mcp']],
    ['npx --yes zonekeeper-mcp\n', ['zonekeeper-mcp']],
    ['npm install -g zonekeeper-cli', ['zonekeeper-cli']],
    ['npm install --global @zonekeeper/cli@1.0.0, then', []],
    ['npx @zonekeeper/mcp', []],
    ['npm install ./zonekeeper-cli-0.1.0.tgz', []],
  ]
  for (const [text, found] of cases) t.same(foreignIn(text), found, text)
  const texts = globSync(
    ['*.md', '{docs,deploy,integrations,clients}/**/*.md', 'web/**/*.{ts,tsx}', 'clients/**/*.ts'],
    { cwd: ROOT, exclude: (file) => /(^|\/)(node_modules|dist)(\/|$)/.test(file) },
  )
  t.ok(texts.length > 100)
  t.ok(texts.includes('docs/cli.md') && texts.includes('README.md'))
  for (const file of texts) t.same(foreignIn(read(file)), [], file)
  t.end()
})
