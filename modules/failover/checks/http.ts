import { isIPv6 } from 'node:net'
import type { StoredProbe } from '../../../db/tables/index.ts'
import type { Probe } from '../../../plugins/outbound/probe.ts'
import { failed, passed, type CheckResult } from './result.ts'

/** Of the body, in which the text is looked for. */
export const MAX_BODY_BYTES = 64 * 1024
const DAY_MS = 86_400_000

/** Asks a web server at the target for a path, with the Host header of the monitor, and compares the answer. */
export async function checkHttp(
  probe: Probe,
  wanted: Extract<StoredProbe, { kind: 'http' }>,
  target: string,
  signal: AbortSignal,
): Promise<CheckResult> {
  const { port, tls, path, status, contains, certificateDays, verifyCertificate } = wanted
  const answer = await probe.http({
    host: target,
    port,
    tls,
    hostName: hostHeader(wanted),
    path,
    verifyCertificate,
    timeoutMs: wanted.timeoutSeconds * 1000,
    // Without a text to look for, the status is enough.
    maxBytes: contains === null ? 1 : MAX_BODY_BYTES,
    signal,
  })
  const expires = answer.certificateExpires
  const peer = `${target}:${port}`
  const isExpected =
    status.length > 0 ? status.includes(answer.status) : answer.status >= 200 && answer.status < 400
  if (!isExpected) return failed('status', `${peer} answered ${answer.status}`, expires)
  // A plain search: no pattern that a user could make slow.
  if (contains !== null && !answer.body.includes(contains))
    return failed('text', `${peer} answered ${answer.status} without the text`, expires)
  const isExpiring =
    certificateDays !== null && expires !== null && expires.getTime() - Date.now() < certificateDays * DAY_MS
  if (isExpiring)
    return failed(
      'certificate',
      `The certificate of ${peer} expires on ${expires.toISOString().slice(0, 10)}`,
      expires,
    )
  return passed({ certificateExpires: expires })
}

function hostHeader({ host, port, tls }: { host: string; port: number; tls: boolean }): string {
  const name = isIPv6(host) ? `[${host}]` : host
  return port === (tls ? 443 : 80) ? name : `${name}:${port}`
}
