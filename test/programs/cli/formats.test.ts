import { spawnSync } from 'node:child_process'
import t from 'tap'
import { parse } from 'yaml'
import type { Command } from 'commander'
import { createProgram } from '../../../clients/cli/program.ts'
import { Session } from '../../../clients/cli/session.ts'
import { startCli } from './program.ts'

/* The same answers as tables, JSON and YAML, and the manual page from the same source as the help. */
const { zk } = await startCli(t)
await zk('records add example.com www A 192.0.2.1 192.0.2.2 --yes')
await zk(['records', 'add', 'example.com', 'odd', 'TXT', 'no: "yes" # & *x', '--yes'])

void t.test('YAML and JSON say the same', async (t) => {
  for (const command of [
    'domains',
    'domains list --search example',
    'domains show example.com',
    'domains settings example.com',
    'records list example.com',
    'records list example.com --type MX',
    'search 192.0.2.1',
    'operations',
    'whoami',
    'history example.com',
    'plan example.com --add x=A=192.0.2.9',
  ]) {
    const words = command.split(' ').map((word) => word.replaceAll('=', ' '))
    const shown = await zk([...words, '--output', 'json'])
    t.equal(shown.err, '', command)
    const json = JSON.parse(shown.out)
    const yaml = parse((await zk([...words, '--output', 'yaml'])).out)
    const same = (value: unknown) =>
      JSON.stringify(value, (key, one) =>
        /^plan(Id|ExpiresAt)$|^(lastUsedAt|recordId)$/.test(key) ? '' : one,
      )
    t.equal(same(yaml), same(json), command)
    if (!command.startsWith('plan'))
      t.same(
        JSON.parse(same(JSON.parse((await zk([...words, '--json'])).out))),
        JSON.parse(same(json)),
        command,
      )
  }
  t.match((await zk('domains --output table --json')).out, /^NAME/, 'the later word counts')
  t.equal((await zk('domains --output xml')).exit, 2)
})

void t.test('export still takes a file for --output', async (t) => {
  t.match((await zk('export example.com --json')).out, /IN\s+SOA|www/)
})

const program = createProgram(
  new Session({ env: {}, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr }),
)
const leaves = (command: Command, path: string[] = []): string[][] =>
  command.commands.length === 0
    ? [path]
    : command.commands.flatMap((one) => leaves(one, [...path, one.name()]))

void t.test('the manual page has every command and option', async (t) => {
  const page = (await zk('man')).out
  t.match(page, /^\.TH ZONEKEEPER 1 /)
  const plain = page.replaceAll(/\\f[BIR]/g, '').replaceAll('\\-', '-')
  for (const path of leaves(program).filter(([name]) => name !== 'complete'))
    t.ok(plain.includes(`\nzonekeeper ${path.join(' ')}`), path.join(' '))
  const options = (command: Command): string[] => [
    ...command.options.map(({ flags }) => flags),
    ...command.commands.flatMap(options),
  ]
  for (const flags of new Set(options(program)))
    t.ok(plain.includes(`\n${flags.replaceAll(/[<>]/g, '')}\n`), flags)
  t.notMatch(page, /^['.](?!TH|SH|TP|PP|RS|RE|B )/m, 'no line is a request by accident')
  t.notOk(plain.includes('zonekeeper complete '))
  const read = spawnSync('man', ['-l', '-'], {
    input: page,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  })
  if (read.status === 0) t.match(read.stdout, /zonekeeper\s+watch/)
})
