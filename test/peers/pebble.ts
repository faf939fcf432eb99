import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { until } from '../helpers/until.ts'
import { freePort, startProgram } from './processes.ts'

export interface Pebble {
  directoryUrl: string
  /** A file with what its address is certified by. */
  certificate: string
}

/**
 * A certificate authority for tests (package pebble) on a free loopback port, which asks this DNS server alone, or
 * `believing` everybody asks none.
 */
export async function startPebble(
  t: { teardown(end: () => unknown): void },
  dnsPort: number,
  { believing = false }: { believing?: boolean } = {},
): Promise<Pebble> {
  const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-pebble-'))
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  const [certificate, privateKey, config] = ['cert.pem', 'key.pem', 'config.json'].map((name) =>
    path.join(home, name),
  ) as [string, string, string]
  execFileSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 2 -subj /CN=pebble
      -addext subjectAltName=IP:127.0.0.1 -keyout ${privateKey} -out ${certificate}`.split(/\s+/),
    { stdio: 'pipe' },
  )
  const [port, management, http, tls] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate,
    privateKey,
    httpPort: http,
    tlsPort: tls,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  }
  writeFileSync(config, JSON.stringify({ pebble }))
  const program = await startProgram(['pebble', '-config', config, '-dnsserver', `127.0.0.1:${dnsPort}`], {
    cwd: home,
    // Without its pauses, and with every name proven anew.
    env: {
      ...process.env,
      PEBBLE_VA_NOSLEEP: '1',
      PEBBLE_WFE_NONCEREJECT: '0',
      PEBBLE_AUTHZREUSE: '0',
      PEBBLE_VA_ALWAYS_VALID: believing ? '1' : '0',
    },
  })
  t.teardown(() => program.stop())
  await until('pebble listens', () => program.output().includes(`Listening on: 127.0.0.1:${port}`))
  return { directoryUrl: `https://127.0.0.1:${port}/dir`, certificate }
}
