import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { TSIG_ALGORITHMS, type TsigAlgorithm } from '../../dns/wire/tsig.ts'
import { until } from '../helpers/until.ts'
import { freePort, supervised, type Supervised } from './supervised.ts'

/** What a key may do. */
type Right = 'all' | 'transfer' | 'update' | 'nothing'

export interface ServerKey {
  name: string
  algorithm: TsigAlgorithm
  secret: string
  right: Right
}

/** A real name server on a free loopback port, with zones that its keys may change. */
export interface NameServer {
  name: string
  port: number
  /** One that may do everything, for each algorithm that the server knows; the first is of SHA-256. */
  keys: ServerKey[]
  keyOf(right: Right): ServerKey
  /** All zones; the last one is signed by the server. */
  zones: string[]
  signedZone: string
  /** Lists some of the zones (RFC 9432). */
  catalog: string
  /** What `dig` prints of the server's answer. */
  dig(...question: string[]): Promise<string>
  /** Sends the lines by `nsupdate`, which is not ours. */
  nsupdate(lines: string[]): Promise<void>
  close(): Promise<void>
}

const run = promisify(execFile)
const ATTEMPTS = 5

const secretOf = (text: string) => Buffer.from(text.padEnd(64, '+')).toString('base64')
const keyName = (text: string) => `key-${text.replace(/\..*/, '')}`
const KEYS: ServerKey[] = [
  ...TSIG_ALGORITHMS.map((algorithm): ServerKey => ({
    name: keyName(algorithm),
    algorithm,
    secret: secretOf(algorithm),
    right: 'all',
  })),
  ...(['transfer', 'update', 'nothing'] as const).map((right): ServerKey => ({
    name: keyName(right),
    algorithm: 'hmac-sha256',
    secret: secretOf(right),
    right,
  })),
]

const CATALOG = 'catalog.invalid'
const zoneNames = (count: number) => Array.from({ length: count }, (_, i) => `z${i}.conformance.test`)

const zoneFile = (records: string[]) =>
  ['$TTL 3600', '@ SOA ns.host.invalid. admin.host.invalid. 1 3600 600 86400 300', ...records, ''].join('\n')

interface Program {
  command: string
  args(directory: string): string[]
  configuration(directory: string, port: number, zones: string[], signed: string): string
  configurationFile: string
}

const names = (right: Right) => KEYS.filter((key) => key.right === right).map(({ name }) => name)
const bindMay = (...rights: Right[]) =>
  rights
    .flatMap(names)
    .map((name) => `key "${name}";`)
    .join(' ')

const BIND: Program = {
  command: 'named',
  configurationFile: 'named.conf',
  args: (directory) => ['-g', '-c', join(directory, 'named.conf')],
  configuration: (directory, port, zones, signed) => `
options {
  directory "${directory}/zones"; pid-file none; session-keyfile "${directory}/session.key";
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; dnssec-validation no; notify no; allow-transfer { none; };
};
controls { };
${KEYS.map(({ name, algorithm, secret }) => `key "${name}" { algorithm ${algorithm}; secret "${secret}"; };`).join('\n')}
${[...zones, CATALOG]
  .map(
    (zone) => `zone "${zone}" {
  type primary; file "${zone}.zone"; ${zone === signed ? 'dnssec-policy default; inline-signing yes;' : ''}
  allow-transfer { ${bindMay('all', 'transfer')} }; allow-update { ${bindMay('all', 'update')} };
};`,
  )
  .join('\n')}`,
}

const knotAcl = (id: string, actions: string, ...rights: Right[]) =>
  `  - id: ${id}\n    key: [${rights.flatMap(names).join(', ')}]\n    action: [${actions}]\n`

const KNOT: Program = {
  command: 'knotd',
  configurationFile: 'knot.conf',
  args: (directory) => ['-c', join(directory, 'knot.conf')],
  configuration: (directory, port, zones, signed) => `
server:
  rundir: ${directory}
  listen: 127.0.0.1@${port}
  tcp-workers: 2
  udp-workers: 1
  background-workers: 2
log:
  - target: stderr
    any: warning
database:
  storage: ${directory}/db
  journal-db-max-size: 64M
  kasp-db-max-size: 16M
  timer-db-max-size: 16M
key:
${KEYS.map(
  ({ name, algorithm, secret }) =>
    `  - id: ${name}\n    algorithm: ${algorithm.replace(/\..*/, '')}\n    secret: ${secret}`,
).join('\n')}
acl:
${knotAcl('transfers', 'transfer', 'all', 'transfer')}${knotAcl('updates', 'update', 'all', 'update')}
template:
  - id: default
    storage: ${directory}/zones
    file: "%s.zone"
    zonefile-sync: -1
    zonefile-load: difference
    journal-content: all
    acl: [transfers, updates]
zone:
${[...zones, CATALOG]
  .map((zone) => `  - domain: ${zone}\n${zone === signed ? '    dnssec-signing: on\n' : ''}`)
  .join('')}`,
}

export const startBind = (zones: number) => start('BIND', BIND, zones)
export const startKnot = (zones: number) => start('Knot', KNOT, zones)

async function start(name: string, program: Program, zoneCount: number): Promise<NameServer> {
  const zones = zoneNames(zoneCount)
  const signed = zones.at(-1) ?? ''
  const members = zones.slice(0, 3).map((zone, i) => `m${i}.zones PTR ${zone}.`)
  const catalog = zoneFile(['@ NS invalid.', 'version TXT "2"', ...members])
  for (let attempt = 1; ; attempt++) {
    const directory = await mkdtemp(join(tmpdir(), 'zonekeeper-dns-'))
    const port = await freePort()
    await Promise.all(['zones', 'db'].map((each) => mkdir(join(directory, each))))
    const plain = zoneFile(['@ NS ns.host.invalid.'])
    for (const zone of zones) await writeFile(join(directory, 'zones', `${zone}.zone`), plain)
    await writeFile(join(directory, 'zones', `${CATALOG}.zone`), catalog)
    await writeFile(
      join(directory, program.configurationFile),
      program.configuration(directory, port, zones, signed),
    )
    const child = supervised(directory, program.command, program.args(directory))
    if (await isReady(child, port, [...zones, CATALOG])) {
      const server = { name, port, zones, signedZone: signed, catalog: CATALOG, keys: keysOf('all') }
      const [first] = KEYS
      return {
        ...server,
        close: () => child.stop(),
        keyOf: (right) => keysOf(right)[0] as ServerKey,
        dig: (...question) => dig(port, question),
        nsupdate: (lines) => nsupdate(port, first as ServerKey, lines),
      }
    }
    await child.stop()
    // Another process may have taken the port between our asking for it and the server's start.
    const isTaken = /address (already )?in use/i.test(child.log())
    if (!isTaken || attempt === ATTEMPTS) throw new Error(`${name} does not start:\n${child.log()}`)
  }
}

const keysOf = (right: Right) => KEYS.filter((key) => key.right === right)

const isReady = (child: Supervised, port: number, zones: string[]) =>
  until('the server serves its zones, or has ended', async () => {
    if (!child.isRunning()) return { ready: false }
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      // BIND listens before it has read them, and answers SERVFAIL until then.
      const answers = await dig(port, ['+noall', '+comments', ...zones.flatMap((zone) => [zone, 'SOA'])])
      return answers.split('status: NOERROR').length > zones.length ? { ready: true } : null
    } catch {
      // Not yet.
      return null
    } finally {
      socket.destroy()
    }
  }).then(({ ready }) => ready)

export async function dig(port: number, question: string[]): Promise<string> {
  const server = ['@127.0.0.1', '-p', String(port), '+time=5', '+tries=2']
  const { stdout } = await run('dig', [...server, ...question], { maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

async function nsupdate(
  port: number,
  { name, algorithm, secret }: ServerKey,
  lines: string[],
): Promise<void> {
  const child = spawn('nsupdate', ['-v', '-y', `${algorithm}:${name}:${secret}`], {
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  child.stdin.end([`server 127.0.0.1 ${port}`, ...lines, 'send', ''].join('\n'))
  const [code] = (await once(child, 'exit')) as [number]
  if (code !== 0) throw new Error(`nsupdate: ${said}`)
}
