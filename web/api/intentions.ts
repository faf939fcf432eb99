/**
 * The Idempotency-Key of each write: one for an intention, kept over its retries. Whoever presses "try again" sends the
 * same request once more; as long as nobody knows what became of the first one it goes with the same key, so that it is
 * done once. With an answer that settles it the intention has ended: the same request then is a new one.
 */
const open = new Map<string, string>()

/** A key that nobody else has. Without https there is no randomUUID. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** POSTs that only look: a key would keep their answer, and looking again should look again. */
const LOOKS = /\/(plan|records\/replace|check-expiry-preview|test)(\?|$)|[?&]dryRun=true/

/** What a request wants, as a text; null where it writes nothing, or by a method that may be repeated anyway. */
export async function intentionOf(request: Request): Promise<string | null> {
  if (request.method !== 'POST' || LOOKS.test(request.url)) return null
  const body = await request.clone().text()
  return body.includes('"dryRun":true') ? null : `${request.url}\n${body}`
}

/** The key of an intention: the same until `settle`. */
export function keyOf(intention: string): string {
  const key = open.get(intention) ?? newKey()
  open.set(intention, key)
  return key
}

/** After an answer: forgets the key, unless the same may still be sent again for what was wanted. */
export function settle(intention: string, { status, headers }: Response): void {
  // 409 with Retry-After: the first one is still under way.
  const isOpen = status >= 500 || status === 429 || (status === 409 && headers.has('retry-after'))
  if (!isOpen) open.delete(intention)
}
