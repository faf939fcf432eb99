import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import t from 'tap'
import { inherited } from '../helpers/environment.ts'
import { startCli } from '../programs/cli/program.ts'
import { installPacked, packedFiles } from './packages.ts'
import { CHECKOUT } from './zonekeeper.ts'

/* What the packages of clients/ hold, and the tools for assistants as their users have them. */
t.setTimeout(240_000)

interface Manifest {
  name: string
  bin?: Record<string, string>
  exports?: { '.': { types: string; default: string } }
  dependencies?: Record<string, string>
}

for (const [folder, also] of [
  ['clients/typescript', []],
  ['clients/cli', ['clients', 'dns']],
  ['clients/mcp', ['clients', 'dns']],
] as const)
  void t.test(`${folder}: what runs, its README and its license, and nothing else`, async (t) => {
    const files = await packedFiles(folder)
    const manifest = JSON.parse(readFileSync(path.join(CHECKOUT, folder, 'package.json'), 'utf8')) as Manifest
    const others = files.filter((file) => !file.startsWith('dist/'))
    const man = folder === 'clients/cli' ? ['man/zonekeeper.1'] : []
    t.same(others.sort(), ['LICENSE', 'README.md', ...man, 'package.json'])
    // Relative to the checkout, or to the folder where the package is compiled from that alone.
    const root = also.length === 0 ? folder : '.'
    for (const file of files.filter((one) => one.startsWith('dist/') && !one.endsWith('.json'))) {
      const source = file.slice('dist/'.length).replace(/(\.d)?\.(ts|js)$/, '')
      const from = ['.ts', '.js'].some((end) => existsSync(path.join(CHECKOUT, root, source + end)))
      t.ok(from, `${file} is compiled from a file of now; else remove ${folder}/dist`)
      if (also.length > 0)
        t.ok(
          also.some((one) => source.startsWith(`${one}/`)),
          file,
        )
    }
    const { bin = {}, exports } = manifest
    const entries = [...Object.values(bin), ...Object.values(exports?.['.'] ?? {})]
    t.ok(entries.length > 0)
    for (const entry of entries) t.ok(files.includes(entry.replace(/^\.\//, '')), entry)
    const service = JSON.parse(readFileSync(path.join(CHECKOUT, 'package.json'), 'utf8')) as Manifest
    for (const [name, version] of Object.entries(manifest.dependencies ?? {}))
      t.equal(version, service.dependencies?.[name], `${name} as it is tested here`)
  })

void t.test('@zonekeeper/mcp, installed: its tools plan what they are asked', async (t) => {
  const home = await installPacked(t, ['clients/mcp'])
  const { url, token } = await startCli(t)
  const command = path.join(home, 'node_modules/.bin/zonekeeper-mcp')
  const env = {
    HOME: home,
    PATH: [path.dirname(process.execPath), process.env['PATH']].join(':'),
    ZONEKEEPER_URL: url,
    ZONEKEEPER_TOKEN: token,
  }
  const run = promisify(execFile)
  const { stdout } = await run(command, ['--version'], { env })
  t.match(stdout, /^\d+\.\d+\.\d+\n$/)
  const missing = run(command, [], { env: { ...inherited(), ...env, ZONEKEEPER_TOKEN: '' } })
  await t.rejects(missing, { code: 5, stderr: /^zonekeeper-mcp: No token/ })

  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command, env }))
  t.teardown(() => client.close())
  const { tools } = await client.listTools()
  t.ok(tools.some(({ name }) => name === 'apply_plan'))
  const changes = [{ action: 'create', type: 'A', name: 'packed', value: '192.0.2.1' }]
  const args = { domain: 'example.com', changes }
  const answer = await client.callTool({ name: 'plan_changes', arguments: args })
  t.match(JSON.stringify(answer), /planId/)
})
