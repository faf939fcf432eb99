import { finding, type Finding } from '../checking/finding.ts'
import type { AskedServer } from './delegation.ts'

/** Servers with an old serial, by address: since when each has that serial. */
export type Behind = Record<string, { serial: number; since: string }>

const LATE_MS = 3_600_000

/** Serial arithmetic of RFC 1982. */
const isOlder = (one: number, other: number) => one !== other && (other - one) >>> 0 < 2 ** 31

/** Servers that have had the same old serial for more than an hour; `behind` is what to remember until the next check. */
export function serialFindings(
  asked: readonly AskedServer[],
  before: Behind,
  now: Date,
): { findings: Finding[]; behind: Behind } {
  const serials = asked.flatMap(({ serial }) => serial ?? [])
  const newest = serials.reduce((one, other) => (isOlder(one, other) ? other : one), serials[0] ?? 0)
  const behind: Behind = {}
  const findings: Finding[] = []
  for (const { name, server, serial } of asked) {
    if (serial === null || !isOlder(serial, newest)) continue
    const { address } = server
    const known = before[address]
    const since = known?.serial === serial ? known.since : now.toISOString()
    behind[address] = { serial, since }
    if (now.getTime() - Date.parse(since) < LATE_MS) continue
    const detail = `${name} (${address}) has serial ${serial}, others have ${newest}.`
    const params = { server: name, address, serial, newest, since }
    findings.push(
      finding({ code: 'soa.differs', name: '@', type: 'SOA', subject: `${name} ${address}`, detail, params }),
    )
  }
  return { findings, behind }
}
