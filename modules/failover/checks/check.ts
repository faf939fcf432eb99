import { OutboundError } from '../../../plugins/outbound/http-exchange.ts'
import type { Dns } from '../../../plugins/outbound/dns/index.ts'
import type { Probe } from '../../../plugins/outbound/probe.ts'
import type { StoredProbe } from '../../../db/tables/index.ts'
import { checkDns } from './dns.ts'
import { checkHttp } from './http.ts'
import { failed, passed, type CheckResult } from './result.ts'

export interface CheckTools {
  probe: Probe
  dns: Dns
}

/** Checks one target, an address or a name. Never rejects. */
async function checkTarget(
  tools: CheckTools,
  probe: StoredProbe,
  target: string,
  signal: AbortSignal,
): Promise<CheckResult> {
  const begun = performance.now()
  try {
    const result = await callTarget(tools, probe, target, signal)
    return { ...result, ms: result.ok === true ? Math.round(performance.now() - begun) : null }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const { kind, message } = error
    if (kind === 'aborted') return { ...failed('timeout', message), ok: null }
    if (kind === 'blocked') return { ...failed('blocked', message), ok: null }
    return failed(kind === 'timeout' ? 'timeout' : 'unreachable', message)
  }
}

async function callTarget(
  tools: CheckTools,
  probe: StoredProbe,
  target: string,
  signal: AbortSignal,
): Promise<CheckResult> {
  if (probe.kind === 'http') return checkHttp(tools.probe, probe, target, signal)
  if (probe.kind === 'dns') return checkDns(tools.dns, probe, target, signal)
  const { port, timeoutSeconds } = probe
  await tools.probe.tcp({ host: target, port, timeoutMs: timeoutSeconds * 1000, signal })
  return passed()
}

/** Checks all targets of an alternative; it works if all of them do. */
export async function checkTargets(
  tools: CheckTools,
  probe: StoredProbe,
  targets: readonly string[],
  signal: AbortSignal,
): Promise<CheckResult> {
  const results = await Promise.all(targets.map((target) => checkTarget(tools, probe, target, signal)))
  const expiries = results.flatMap(({ certificateExpires }) => certificateExpires ?? [])
  const certificateExpires =
    expiries.length === 0 ? null : new Date(Math.min(...expiries.map((date) => date.getTime())))
  const worst = results.find(({ ok }) => ok === false) ?? results.find(({ ok }) => ok === null)
  if (worst) return { ...worst, certificateExpires }
  return passed({ ms: Math.max(...results.map(({ ms }) => ms ?? 0)), certificateExpires })
}
