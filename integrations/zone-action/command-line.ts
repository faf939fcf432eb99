import { execFile } from 'node:child_process'
import path from 'node:path'
import { printable } from '../../clients/printable.ts'
import type { Plan } from '../../clients/typescript/index.ts'
import type { Settings } from './settings.ts'
import type { ZoneFile } from './zone-files.ts'

/** What a zone file would change, with notes on what is left out; or why that is unknown, in lines. */
export type ZonePlan = ZoneFile &
  ({ plan: Plan; notes: string[]; failure: null } | { plan: null; failure: string })

/** What became of a zone, in the words of the command line. */
export interface Applied {
  isDone: boolean
  said: string
}

const PROGRAM = path.join(import.meta.dirname, '../../clients/cli/zonekeeper.js')
/** Of a plan as JSON: a zone file has at most 20,000 records. */
const MAX_OUTPUT_BYTES = 256 * 1024 ** 2
const PASSED_ON = [
  'PATH',
  'NODE_EXTRA_CA_CERTS',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'NODE_USE_ENV_PROXY',
]

/** Plans a zone file with `zonekeeper diff`. The plan is kept for an hour. */
export async function planZone(settings: Settings, zone: ZoneFile): Promise<ZonePlan> {
  const { out, err } = await run(settings, ['diff', zone.file, zone.domain, '--json'])
  // Also with conflicts, which the exit code reports.
  if (out.startsWith('{')) {
    const { plan } = JSON.parse(out) as { plan: Plan }
    const notes = linesOf(err)
      .split('\n')
      .filter((line) => line !== '')
    return { ...zone, plan, notes, failure: null }
  }
  return { ...zone, plan: null, failure: linesOf(err) }
}

/** Applies a kept plan as it is, or nothing if it would now do something else. */
export async function applyZone(settings: Settings, domain: string, planId: string): Promise<Applied> {
  const title = `Zone file of ${domain}, ${settings.host.repository}@${settings.commit.slice(0, 12)}`
  const review = settings.requestReview ? ['--request-review', title] : []
  const { code, out, err } = await run(settings, ['apply', domain, planId, ...review])
  return { isDone: code === 0, said: linesOf(code === 0 ? out : err) }
}

const linesOf = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => printable(line.trim()))
    .join('\n')

function run({ url, token }: Settings, args: string[]): Promise<{ code: number; out: string; err: string }> {
  const passed = PASSED_ON.flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  )
  const env = { ...Object.fromEntries(passed), ZONEKEEPER_URL: url, ZONEKEEPER_TOKEN: token, NO_COLOR: '1' }
  const options = { env: env as NodeJS.ProcessEnv, maxBuffer: MAX_OUTPUT_BYTES }
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], options, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    )
  })
}
