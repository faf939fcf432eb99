import { DomainNotFound } from '../domain-names.ts'
import { printable } from '../printable.ts'
import { ZonekeeperError } from '../typescript/problem.ts'

/** What the program ends with; docs/cli.md tells it to the authors of scripts. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  notAllowed: 5,
  different: 6,
  notConfirmed: 7,
} as const
export type Exit = (typeof EXIT)[keyof typeof EXIT]

/** Ends the program with these words and this code. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exit: Exit

  constructor(exit: Exit, message: string) {
    super(message)
    this.exit = exit
  }
}

/** Words and code for whatever was thrown; null where it is a fault of the program itself. */
export function explain(error: unknown, url: string): Failure | null {
  if (error instanceof Failure) return error
  if (error instanceof DomainNotFound)
    return new Failure(error.ids.length === 0 ? EXIT.notFound : EXIT.usage, error.message)
  if (error instanceof ZonekeeperError) return new Failure(exitOf(error), wordsOf(error, url))
  const code = networkCode(error)
  return code === null ? null : new Failure(EXIT.failed, unreachable(code, url))
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
  if (!problem) return `${message} (${status} from ${url}): is the URL that of Zonekeeper?`
  // The detail names a single fault already.
  const faults = errors.length > 1 ? errors.map(({ path, message: what }) => `${path}: ${what}`) : []
  const conflicts = (problem as { conflicts?: { detail: string }[] }).conflicts ?? []
  return [message, ...faults, ...conflicts.map(({ detail }) => detail)].map(printable).join('\n  ')
}

/** fetch rejects with a TypeError whose cause says what is wrong. */
function networkCode(error: unknown): string | null {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return null
  const { code, message } = error.cause as NodeJS.ErrnoException
  return code ?? message
}

const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/

function unreachable(code: string, url: string): string {
  const { host } = new URL(url)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `There is no host ${host}: is the URL right?`
  if (code === 'ECONNREFUSED') return `Nobody listens at ${url}: is the service running?`
  if (code.includes('redirect'))
    return `${url} leads elsewhere: use the address where it ends, most often https://`
  if (UNTRUSTED.test(code))
    return `The certificate of ${host} is not trusted (${code}). NODE_EXTRA_CA_CERTS names a file with your own authority`
  if (code.includes('SSL') || code === 'EPROTO') return `${host} does not speak TLS there: is it http://?`
  return `No answer from ${url} (${code})`
}
