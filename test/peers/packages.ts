import { execFile } from 'node:child_process'
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { inherited } from '../helpers/environment.ts'
import { CHECKOUT } from './zonekeeper.ts'

const run = promisify(execFile)

interface Owner {
  teardown(end: () => unknown): void
}

/** How this machine reaches a registry. */
const NETWORK = ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY']
const networked = (): NodeJS.ProcessEnv => ({
  ...inherited(),
  ...Object.fromEntries(NETWORK.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
})

/** npm gives up slowly, and silently. */
const PATIENCE_MS = 90_000

/** Packs these folders of the checkout, and installs them into an empty project, whose folder it answers. */
export async function installPacked(t: Owner, folders: string[]): Promise<string> {
  const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-packed-'))
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  const tarballs: string[] = []
  for (const folder of folders) {
    const options = { cwd: path.join(CHECKOUT, folder), env: networked(), timeout: PATIENCE_MS }
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', home], options)
    // What prepack says comes first.
    const [{ filename }] = JSON.parse(stdout.slice(stdout.search(/^\[/m))) as [{ filename: string }]
    tarballs.push(`./${filename}`)
  }
  writeFileSync(path.join(home, 'package.json'), '{"private": true}')
  await run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], {
    cwd: home,
    env: networked(),
    timeout: PATIENCE_MS,
  })
  return home
}

/** Installs what a lock file (of npm, version 3) names into an empty project, by its hashes; answers its folder. */
export async function installLocked(t: Owner, lock: URL): Promise<string> {
  const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-locked-'))
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  const text = readFileSync(lock, 'utf8')
  const { packages } = JSON.parse(text) as { packages: Record<string, object> }
  writeFileSync(path.join(home, 'package-lock.json'), text)
  writeFileSync(path.join(home, 'package.json'), JSON.stringify(packages['']))
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: home,
    env: networked(),
    timeout: PATIENCE_MS,
  })
  return home
}

/** The files that a folder of the checkout would be packed with, by name. */
export async function packedFiles(folder: string): Promise<string[]> {
  const options = { cwd: path.join(CHECKOUT, folder), env: networked(), timeout: PATIENCE_MS }
  const { stdout } = await run('npm', ['pack', '--json', '--dry-run'], options)
  const [{ files }] = JSON.parse(stdout.slice(stdout.search(/^\[/m))) as [{ files: { path: string }[] }]
  return files.map(({ path: name }) => name)
}

/** The Node of the machine, not that of the checkout; where there is none, the one that runs this. */
export async function plainNode(): Promise<{ node: string; version: string }> {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter)
  const found = folders
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => path.join(folder, 'node'))
    .find((file) => isProgram(file))
  const node = found ?? process.execPath
  const { stdout } = await run(node, ['--version'])
  return { node, version: stdout.trim() }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
