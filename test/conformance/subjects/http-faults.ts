import { createServer, type AddressInfo } from 'node:net'
import { answerOf, type Reply } from '../simulators/answers.ts'
import type { Fault, SimulatorServer } from '../simulators/server.ts'
import { HTML_MARK, RETRY_AFTER, type FaultName, type SubjectFaults } from './subject-faults.ts'

/** What every provider says in its own way. */
export interface FaultForms {
  /** The key is refused. */
  unauthorized: Reply
  /** The key is good, and may not do this. */
  forbidden: Reply
  /** With Retry-After or without. */
  rateLimited: Reply
  /** By the provider itself. */
  failure: Reply
  /** The change is refused, for this reason. */
  refused: (reason: string) => Reply
}

/** Faults of a simulated HTTP API. `credentials`: good ones, with the secret and `apiUrl` among them. */
export async function httpFaults(
  server: SimulatorServer,
  credentials: Record<string, string> & { apiUrl: string },
  secret: string,
  forms: FaultForms,
): Promise<SubjectFaults> {
  const { pathname } = new URL(credentials.apiUrl)
  return {
    credentials,
    refused: { ...credentials, apiUrl: `http://127.0.0.1:${await closedPort()}${pathname}` },
    without: { half: 'the provider does a call whole or not at all' },
    set: (fault, on) => server.fail({ ...faultOf(fault, secret, forms), on, times: Infinity }),
    clear: () => server.heal(),
  }
}

function faultOf(name: FaultName, secret: string, forms: FaultForms): Fault {
  const answer = (given: Reply): Fault => ({ kind: 'answer', answer: answerOf(given) })
  const limited = answerOf(forms.rateLimited)
  const page = `<html><body>${HTML_MARK}</body></html>`
  const { 'retry-after': _, ...bare } = limited.headers ?? {}
  switch (name) {
    case 'silent':
    case 'silentAfter':
      return { kind: 'silent', applied: name === 'silentAfter' }
    case 'reset':
    case 'resetAfter':
      return { kind: 'reset', applied: name === 'resetAfter' }
    case 'cut':
      return { kind: 'cut' }
    case 'garbage':
      return { kind: 'garble', body: '{"result": [' }
    case 'html':
      return { kind: 'garble', body: page }
    case 'html502':
      return answer({ status: 502, headers: { 'content-type': 'text/html' }, body: page })
    case 'rateLimited':
      return answer({ ...limited, headers: { ...bare, 'retry-after': String(RETRY_AFTER) } })
    case 'rateLimitedBare':
      return answer({ ...limited, headers: bare })
    case 'echo':
      return answer(forms.refused(`Request with key ${secret} is refused\r\n\u001b[31m`))
    case 'half':
      throw new Error('The provider does a call whole or not at all')
    default:
      return answer(forms[name])
  }
}

/** A port where nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
