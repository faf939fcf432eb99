import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)
const WRK = '/usr/bin/wrk'

/** Sends the requests itself, because autocannon takes more of the processors that the server needs. */
export const generator = existsSync(WRK) ? 'wrk' : 'autocannon'

interface Load {
  requestsPerSecond: number
  /** Milliseconds. */
  median: number
}

/**
 * Sends requests of one kind for some seconds. Rejects if one fails, because a fast error is not a result.
 */
export function load(
  url: string,
  headers: Record<string, string>,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Load> {
  return (generator === 'wrk' ? byWrk : byAutocannon)(url, headers, connections, seconds)
}

async function byWrk(
  url: string,
  headers: Record<string, string>,
  connections: number,
  seconds: number,
): Promise<Load> {
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const { stdout } = await run(WRK, ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...lines, url])
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]
  const [, median, unit] = /50%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? []
  if (rate === undefined || median === undefined || /Non-2xx|Socket errors/.test(stdout)) {
    throw new Error(`wrk on ${url}:\n${stdout}`)
  }
  const factor = unit === 'us' ? 0.001 : unit === 's' ? 1000 : 1
  return { requestsPerSecond: Number(rate), median: Number(median) * factor }
}

async function byAutocannon(
  url: string,
  headers: Record<string, string>,
  connections: number,
  seconds: number,
): Promise<Load> {
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  const { stdout } = await run('autocannon', ['--json', `-c${connections}`, `-d${seconds}`, ...lines, url])
  const result = JSON.parse(stdout) as {
    non2xx: number
    errors: number
    requests: { average: number }
    latency: { p50: number }
  }
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} errors on ${url}`)
  return { requestsPerSecond: result.requests.average, median: result.latency.p50 }
}
