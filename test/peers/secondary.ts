import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../helpers/until.ts'
import { dig, type NameServer } from './name-servers.ts'
import { freePort, supervised } from './supervised.ts'

/** An NSD that has a zone from its primary by transfers. */
export interface Secondary {
  port: number
  /** What `dig` prints of its answer. */
  dig(...question: string[]): Promise<string>
  /** Has it ask the primary whether there is something new. */
  refresh(): Promise<void>
  close(): Promise<void>
}

const run = promisify(execFile)

/** Of the zone, with the key of the primary that may transfer alone. */
export async function startNsd(primary: NameServer, zone: string): Promise<Secondary> {
  const directory = await mkdtemp(join(tmpdir(), 'zonekeeper-nsd-'))
  const port = await freePort()
  const { name, algorithm, secret } = primary.keyOf('transfer')
  const configuration = join(directory, 'nsd.conf')
  await writeFile(
    configuration,
    `
server:
  ip-address: 127.0.0.1@${port}
  server-count: 1
  database: ""
  minimal-responses: yes
  username: ""
  chroot: ""
  pidfile: ""
  zonesdir: "${directory}"
  xfrdir: "${directory}"
  xfrdfile: "${directory}/xfrd.state"
  zonelistfile: "${directory}/zone.list"
remote-control:
  control-enable: yes
  control-interface: "${directory}/control"
key:
  name: "${name}"
  algorithm: ${algorithm}
  secret: "${secret}"
zone:
  name: "${zone}"
  zonefile: "${zone}.zone"
  request-xfr: 127.0.0.1@${primary.port} ${name}
`,
  )
  const child = supervised(directory, 'nsd', ['-d', '-c', configuration])
  const secondary = {
    port,
    dig: (...question: string[]) => dig(port, question),
    async refresh() {
      await run('nsd-control', ['-c', configuration, 'transfer', zone])
    },
    close: () => child.stop(),
  }
  await until('the secondary has the zone, or has ended', async () => {
    if (!child.isRunning()) throw new Error(`NSD does not start:\n${child.log()}`)
    // dig also says there how often it has tried.
    return / \d+ \d+ \d+ \d+ \d+$/m.test(await secondary.dig('+short', zone, 'SOA').catch(() => ''))
  })
  return secondary
}
