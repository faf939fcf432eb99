import { DomainNotFound } from '../domain-names.ts'
import { printable } from '../printable.ts'
import { ZonekeeperError } from '../typescript/problem.ts'

/** Exit codes, documented in docs/cli.md for scripts. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  notAllowed: 5,
  different: 6,
  notConfirmed: 7,
  needsReview: 8,
} as const
export type Exit = (typeof EXIT)[keyof typeof EXIT]

/** Ends the program with this message and exit code. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exit: Exit

  constructor(exit: Exit, message: string) {
    super(message)
    this.exit = exit
  }
}

/** Returns message and exit code for an error; null for a bug of the program. */
export function explain(error: unknown, url: string): CliError | null {
  if (error instanceof CliError) return error
  if (error instanceof DomainNotFound)
    return new CliError(error.ids.length === 0 ? EXIT.notFound : EXIT.usage, error.message)
  if (error instanceof ZonekeeperError) return new CliError(exitOf(error), wordsOf(error, url))
  const code = networkCode(error)
  return code === null ? null : new CliError(EXIT.failed, unreachable(code, url))
}

const EXITS: Partial<Record<number, Exit>> = {
  400: EXIT.refused,
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  409: EXIT.refused,
  412: EXIT.refused,
  413: EXIT.refused,
}

const exitOf = ({ status, problem }: ZonekeeperError): Exit => (problem && EXITS[status]) ?? EXIT.failed

function wordsOf({ status, problem, message, errors }: ZonekeeperError, url: string): string {
  if (!problem) return `${message} (HTTP ${status} from ${url}). Check that the URL is that of Zonekeeper.`
  // A single fault is already in the detail.
  const faults = errors.length > 1 ? errors.map(({ path, message: what }) => `${path}: ${what}`) : []
  const conflicts = (problem as { conflicts?: { detail: string }[] }).conflicts ?? []
  return [message, ...faults, ...conflicts.map(({ detail }) => detail)].map(printable).join('\n  ')
}

/** Returns the reason of a failed fetch, which rejects with a TypeError that has a cause. */
function networkCode(error: unknown): string | null {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return null
  const { code, message } = error.cause as NodeJS.ErrnoException
  return code ?? message
}

const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/

function unreachable(code: string, url: string): string {
  const { host } = new URL(url)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `Host ${host} not found. Check the URL.`
  if (code === 'ECONNREFUSED') return `Connection to ${url} refused. Check that the service is running.`
  if (code.includes('redirect')) return `${url} redirects. Use the final URL, usually with https://.`
  if (UNTRUSTED.test(code))
    return `The certificate of ${host} is not trusted (${code}). Set NODE_EXTRA_CA_CERTS to the file of your certificate authority.`
  if (code.includes('SSL') || code === 'EPROTO') return `${host} does not use TLS on this port. Try http://.`
  return `No answer from ${url} (${code})`
}
