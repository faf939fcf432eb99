/**
 * Idempotency-Key of each write, kept across retries. While the outcome of a request is unknown, "Try again" sends the
 * same key, so that the write happens once. A definite answer ends it; the same request then gets a new key.
 */
const open = new Map<string, string>()

/** A unique key. randomUUID exists only with HTTPS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** POST requests that change nothing; with a key, their first answer would be repeated. */
const LOOKS = /\/(plan|records\/replace|check-expiry-preview|test)(\?|$)|[?&]dryRun=true/

/** Identifies what a request writes; null for reads and idempotent methods. */
export async function intentionOf(request: Request): Promise<string | null> {
  if (request.method !== 'POST' || LOOKS.test(request.url)) return null
  const body = await request.clone().text()
  return body.includes('"dryRun":true') ? null : `${request.url}\n${body}`
}

/** Returns the same key until `settle`. */
export function keyOf(intention: string): string {
  const key = open.get(intention) ?? newKey()
  open.set(intention, key)
  return key
}

/** Forgets the key after an answer, unless the same request may still be retried. */
export function settle(intention: string, { status, headers }: Response): void {
  // 409 with Retry-After: the first request is still running.
  const isOpen = status >= 500 || status === 429 || (status === 409 && headers.has('retry-after'))
  if (!isOpen) open.delete(intention)
}
