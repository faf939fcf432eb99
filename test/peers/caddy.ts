import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { until } from '../helpers/until.ts'
import { freePort, startProgram } from './processes.ts'
import { CHECKOUT } from './zonekeeper.ts'

interface Owner {
  teardown(end: () => unknown): void
}

/**
 * The reverse proxy configuration that we ship, run by the real Caddy on a free loopback port; its only
 * difference from production is that it speaks http. Answers its address.
 */
export async function startCaddy(t: Owner, upstream: string, port?: number): Promise<string> {
  const own = port ?? (await freePort())
  const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-caddy-'))
  t.teardown(() => rmSync(work, { recursive: true, force: true }))
  const env = {
    ...process.env,
    DOMAIN: `http://127.0.0.1:${own}`,
    UPSTREAM: upstream,
    HOME: work,
    XDG_DATA_HOME: work,
    XDG_CONFIG_HOME: work,
  }
  const caddyfile = path.join(CHECKOUT, 'deploy/Caddyfile')
  const adapted = execFileSync('caddy', ['adapt', '--config', caddyfile], { env, stdio: 'pipe' }).toString()
  // A Caddyfile's site listens on all addresses.
  const config = path.join(work, 'caddy.json')
  writeFileSync(config, adapted.replace(`":${own}"`, `"127.0.0.1:${own}"`))
  const caddy = await startProgram(['caddy', 'run', '--config', config], { env })
  t.teardown(() => caddy.stop())
  const url = `http://127.0.0.1:${own}`
  await until('Caddy answers', () => fetch(url).catch(() => null))
  return url
}
