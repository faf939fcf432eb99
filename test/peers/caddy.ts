import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect } from 'node:tls'
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
  const url = `http://127.0.0.1:${port ?? (await freePort())}`
  await start(t, upstream, url)
  await until('Caddy answers', () => fetch(url).catch(() => null))
  return url
}

/** The same by https, with a certificate that Caddy makes itself: answers its address, and the file of its root. */
export async function startSecureCaddy(t: Owner, upstream: string): Promise<{ url: string; ca: string }> {
  const url = `https://127.0.0.1:${await freePort()}`
  const work = await start(t, upstream, url)
  const ca = path.join(work, 'caddy/pki/authorities/local/root.crt')
  await until('Caddy has its certificate', () => existsSync(ca))
  await until('Caddy answers', () => answersTls(url))
  return { url, ca }
}

const answersTls = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect({
      host: hostname,
      port: Number(port),
      servername: hostname,
      rejectUnauthorized: false,
    })
    socket.on('secureConnect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('secureConnect', () => socket.end())
  })

/** Runs it as that site. Answers where it keeps its data. */
async function start(t: Owner, upstream: string, site: string): Promise<string> {
  const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-caddy-'))
  t.teardown(() => rmSync(work, { recursive: true, force: true }))
  const env = {
    ...process.env,
    DOMAIN: site,
    UPSTREAM: upstream,
    HOME: work,
    XDG_DATA_HOME: work,
    XDG_CONFIG_HOME: work,
  }
  const caddyfile = path.join(CHECKOUT, 'deploy/compose/Caddyfile')
  const adapted = execFileSync('caddy', ['adapt', '--config', caddyfile], { env, stdio: 'pipe' }).toString()
  const config = JSON.parse(adapted) as CaddyConfig
  for (const server of Object.values(config.apps.http.servers)) {
    // A Caddyfile's site listens on all addresses, and one of https on port 80, too.
    server.listen = server.listen.map((address) => address.replace(/^:/, '127.0.0.1:'))
    server.automatic_https = { ...server.automatic_https, disable_redirects: true }
  }
  // Nor is anything told to the machine that runs the tests.
  config.apps.pki = { certificate_authorities: { local: { install_trust: false } } }
  const file = path.join(work, 'caddy.json')
  writeFileSync(file, JSON.stringify(config))
  const caddy = await startProgram(['caddy', 'run', '--config', file], { env })
  t.teardown(() => caddy.stop())
  return work
}

interface CaddyConfig {
  apps: {
    http: { servers: Record<string, { listen: string[]; automatic_https?: object }> }
    pki?: object
  }
}
