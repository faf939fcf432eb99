/**
 * Returns the seconds of a Retry-After header in either format (RFC 9110 section 10.2.3): 0 for a past date,
 * undefined if it is missing or invalid.
 */
export function retryAfterOf(
  headers: Record<string, string | undefined>,
  now = Date.now(),
): number | undefined {
  const text = headers['retry-after']?.trim() ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
