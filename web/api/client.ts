import { bodyParts, createCalls, readBody, type Call } from '../../clients/typescript/calls.ts'
import { compareClocks } from './clock.ts'
import { intentionOf, keyOf, settle } from './intentions.ts'
import { ApiProblem, problemOf, Unreachable } from './problems.ts'
import { factorMissing } from './session/required-factor.ts'
import type { ConsoleApi } from './schema.d.ts'
import { accessToken, anotherToken } from './session/session.ts'

/** Paths that sign in: they need no token and must not wait for a session. */
const OPEN = /^\/api\/(site|auth\/(login|passkey\/(options|login)|oauth\/providers))$/

/** The only `fetch` for data. Adds the access token, and retries once with a new one after a 401. */
async function send(request: Request): Promise<Response> {
  const isOpen = request.headers.has('authorization') || OPEN.test(new URL(request.url).pathname)
  const bearer = isOpen ? null : await accessToken()
  const intention = bearer === null ? null : await intentionOf(request)
  if (intention !== null) request.headers.set('idempotency-key', keyOf(intention))
  const answer = await withToken(request, bearer)
  if (intention !== null) settle(intention, answer)
  return answer
}

async function withToken(request: Request, bearer: string | null): Promise<Response> {
  // A request body can be read only once.
  const again = bearer === null ? null : request.clone()
  const answer = await ask(request, bearer)
  if (answer.status !== 401 || bearer === null || again === null || (await isAboutPassword(answer)))
    return answer
  const other = await anotherToken(bearer)
  return other === null ? answer : ask(again, other)
}

/** A 401 can also mean a wrong password in the body; a new token would not help. */
async function isAboutPassword(answer: Response): Promise<boolean> {
  const { code } = await problemOf(answer.clone())
  return code === 'invalid_credentials'
}

async function ask(request: Request, bearer: string | null): Promise<Response> {
  request.headers.set('zonekeeper-client', 'console')
  if (bearer !== null) request.headers.set('authorization', `Bearer ${bearer}`)
  const askedAt = Date.now()
  try {
    const answer = await fetch(request)
    compareClocks(answer, askedAt)
    return answer
  } catch (cause) {
    if (request.signal.aborted) throw cause
    throw new Unreachable(cause)
  }
}

async function answerTo({ method, address, body, headers, signal }: Call): Promise<unknown> {
  const { headers: bodyHeaders, ...parts } = bodyParts(body)
  const answer = await send(
    new Request(location.origin + address, {
      method,
      ...parts,
      headers: { ...bodyHeaders, ...headers },
      ...(signal && { signal }),
    }),
  )
  if (answer.ok) return readBody(answer)
  const problem = await problemOf(answer)
  if (problem.status === 403 && problem.code === 'second_factor_required') factorMissing.set(true)
  throw new ApiProblem(problem)
}

/** The console's API. Calls resolve with the body of the answer, and reject with ApiProblem or Unreachable. */
export const api = createCalls<ConsoleApi>(answerTo)
