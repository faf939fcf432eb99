/** Milliseconds that the service's clock is ahead of the browser's; the latest answer decides. */
let ahead = 0

/** Its header says whole seconds. */
const STEP_MS = 1000

/** Compares the clocks by an answer that was sent between the request and now. */
export function compareClocks({ headers }: Response, askedAt: number): void {
  const said = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(said)) return
  // Within these bounds nothing is known better, so that a countdown doesn't jump with each answer.
  const [least, most] = [said - Date.now(), said + STEP_MS - askedAt]
  ahead = Math.min(Math.max(ahead, least), Math.max(least, most))
}

/** Milliseconds since the epoch by the service's clock, as browsers may be minutes off. */
export const serverNow = (): number => Date.now() + ahead
