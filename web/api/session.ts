import { ApiProblem, problemOf, Unreachable } from './problems.ts'
import type { Schemas } from './schema.d.ts'
import { changeSettings, settings } from './settings.ts'
import { Signal } from './signal.ts'

/**
 * Who is signed in. The tokens stay in this module: they are in no storage, address or log.
 *
 * `lapsed`: somebody was signed in and the session has ended while they worked; they sign in again above the page, and
 * calls that wait for it go on.
 */
export type Session =
  | { state: 'starting' | 'out'; user: null }
  | { state: 'in' | 'lapsed'; user: Schemas['UserSummary'] }

export const session = new Signal<Session>({ state: 'starting', user: null })

/** An answer that signs somebody in. */
interface SignedIn {
  accessToken: string
  /** Seconds. */
  expiresIn: number
  user: Schemas['UserSummary']
}

/** A token is renewed that long before it ends. */
const EARLY_MS = 60_000

let token: { value: string; endsAt: number } | null = null
/** Calls that wait until somebody has signed in again. */
let waiting: (() => void)[] = []

/** Tells the other tabs that somebody signed out, or that somebody else signed in. */
const tabs = new BroadcastChannel('zonekeeper-session')
tabs.addEventListener('message', ({ data }: MessageEvent<{ signedOut?: true; userId?: string }>) => {
  const known = session.get().user
  if (known === null) return
  if (data.signedOut) {
    forget()
    location.reload()
  } else if (known.id !== data.userId) {
    startAnew()
  } else if (session.get().state === 'lapsed') {
    // What does not work now is done by signing in here.
    renewed().catch(() => false)
  }
})

/** The page is made anew, so that nothing of who was signed in is left; it is not asked whether to stay. */
function startAnew(): void {
  session.set({ state: 'out', user: null })
  location.reload()
}

/** Nobody is signed in in this tab any more, and edits that were not applied are dropped. */
function forget(): void {
  token = null
  session.set({ state: 'out', user: null })
  try {
    sessionStorage.clear()
  } catch {
    // Storage is forbidden: nothing was kept in it.
  }
}

const post = (path: string, body?: object) =>
  fetch(path, {
    method: 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })

/**
 * Begins with the session that this browser had, if it had one. Rejects with Unreachable or ApiProblem when the service
 * can't say whether it still has.
 */
export async function startSession(): Promise<void> {
  if (!settings.get().hadSession) return session.set({ state: 'out', user: null })
  const isIn = await renewed().catch((error: unknown) => {
    if (error instanceof ApiProblem && (error.status === 401 || error.status === 403)) return false
    throw error
  })
  if (!isIn) session.set({ state: 'out', user: null })
}

export function signedIn({ accessToken, expiresIn, user }: SignedIn): void {
  const before = session.get().user
  token = { value: accessToken, endsAt: Date.now() + expiresIn * 1000 }
  changeSettings({ hadSession: true })
  if (before && before.id !== user.id) return startAnew()
  session.set({ state: 'in', user })
  tabs.postMessage({ userId: user.id })
  for (const goOn of waiting) goOn()
  waiting = []
}

/** Ends the session here and in every tab; what was kept of it is dropped with the page. */
export async function signOut(): Promise<void> {
  const headers = token ? { authorization: `Bearer ${token.value}` } : {}
  changeSettings({ hadSession: false })
  forget()
  tabs.postMessage({ signedOut: true })
  await fetch('/api/auth/logout', { method: 'POST', headers }).catch(() => null)
  location.assign('/sign-in')
}

/**
 * The access token that is good now; renewed when it ends soon. Waits while somebody signs in again; null when nobody
 * is signed in. Rejects with Unreachable.
 */
export async function accessToken(): Promise<string | null> {
  if (token && token.endsAt - EARLY_MS > Date.now()) return token.value
  const { state } = session.get()
  if (state === 'starting' || state === 'out') return null
  return state === 'in' && (await renewed()) ? (token?.value ?? null) : signedInAgain()
}

/** After a 401: another token than the one that was refused, as `accessToken`. */
export async function anotherToken(refused: string): Promise<string | null> {
  if (token?.value === refused) token = null
  return accessToken()
}

function signedInAgain(): Promise<string | null> {
  const { user } = session.get()
  if (user) session.set({ state: 'lapsed', user })
  return new Promise((resolve) => waiting.push(() => resolve(token?.value ?? null)))
}

let renewal: Promise<boolean> | null = null

/** One renewal at a time, in this tab and in all: the cookie is another after each. False when the session is over. */
function renewed(): Promise<boolean> {
  // No locks on plain http but localhost: then the service's ten seconds of grace must do.
  const locks = navigator.locks as LockManager | undefined
  renewal ??= (locks ? locks.request('zonekeeper-renewal', renew) : renew()).finally(() => {
    renewal = null
  })
  return renewal
}

async function renew(): Promise<boolean> {
  const answer = await post('/api/auth/refresh', {}).catch((cause: unknown) => {
    throw new Unreachable(cause)
  })
  if (answer.status === 401) return false
  if (!answer.ok) throw new ApiProblem(await problemOf(answer))
  const fresh = (await answer.json()) as Omit<SignedIn, 'user'>
  // The cookie is the browser's: another tab may have signed in somebody else.
  const me = await fetch('/api/auth/me', { headers: { authorization: `Bearer ${fresh.accessToken}` } })
  if (!me.ok) throw new ApiProblem(await problemOf(me))
  const { user } = (await me.json()) as Schemas['CurrentUserAnswer']
  signedIn({ ...fresh, user })
  return true
}
