import { ApiProblem, problemOf, Unreachable } from '../problems.ts'
import type { Schemas } from '../schema.d.ts'
import { changeSettings, settings } from '../settings.ts'
import { Signal } from '../live/signal.ts'

/**
 * The session. Tokens never leave this module: they are in no storage, URL or log.
 *
 * `lapsed`: the session ended during work; the user signs in again in a dialog, and waiting calls continue.
 */
export type Session =
  | { state: 'starting' | 'out'; user: null }
  | { state: 'in' | 'lapsed'; user: Schemas['UserSummary'] }

export const session = new Signal<Session>({ state: 'starting', user: null })

/** Answer of a successful sign-in. */
interface SignedIn {
  accessToken: string
  /** Seconds. */
  expiresIn: number
  user: Schemas['UserSummary']
}

/** Time before expiry at which a token is renewed. */
const EARLY_MS = 60_000

let token: { value: string; endsAt: number } | null = null
/** Calls that wait for a new sign-in. */
let waiting: (() => void)[] = []

/** Tells other tabs about a sign-out or another user. */
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
    // A failed renewal ends in the sign-in dialog.
    renewed().catch(() => false)
  }
})

/** Reloads the page, so that nothing of the previous user is left; skips the prompt to stay. */
function startAnew(): void {
  session.set({ state: 'out', user: null })
  location.reload()
}

/** Signs this tab out and drops unapplied edits. */
function forget(): void {
  token = null
  session.set({ state: 'out', user: null })
  try {
    sessionStorage.clear()
  } catch {
    // Storage is forbidden, so nothing was kept.
  }
}

const post = (path: string, body?: object) =>
  fetch(path, {
    method: 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })

/**
 * Resumes the browser's session, if there is one. Rejects with Unreachable or ApiProblem when the service can't tell.
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

/** Ends the session here and in all tabs; the reload drops all its data. */
export async function signOut(): Promise<void> {
  const headers = token ? { authorization: `Bearer ${token.value}` } : {}
  changeSettings({ hadSession: false })
  forget()
  tabs.postMessage({ signedOut: true })
  await fetch('/api/auth/logout', { method: 'POST', headers }).catch(() => null)
  location.assign('/sign-in')
}

/**
 * Returns a valid access token, renewed if it expires soon. Waits while the user signs in again; null when signed out.
 * Rejects with Unreachable.
 */
export async function accessToken(): Promise<string | null> {
  if (token && token.endsAt - EARLY_MS > Date.now()) return token.value
  const { state } = session.get()
  if (state === 'starting' || state === 'out') return null
  return state === 'in' && (await renewed()) ? (token?.value ?? null) : signedInAgain()
}

/** After a 401: returns a token other than the refused one, as `accessToken`. */
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

/** Renews once for all tabs, as each renewal changes the cookie. False when the session has ended. */
function renewed(): Promise<boolean> {
  // Plain HTTP has no locks, except on localhost: the service's ten seconds of grace must do.
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
  // Cookies are shared: another tab may have signed in another user.
  const me = await fetch('/api/auth/me', { headers: { authorization: `Bearer ${fresh.accessToken}` } })
  if (!me.ok) throw new ApiProblem(await problemOf(me))
  const { user } = (await me.json()) as Schemas['CurrentUserAnswer']
  signedIn({ ...fresh, user })
  return true
}
