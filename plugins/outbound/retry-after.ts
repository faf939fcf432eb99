/**
 * The seconds that Retry-After asks for, from either of its forms (RFC 9110 section 10.2.3): 0 for a moment that is
 * past, undefined without the header or for what is neither seconds nor a date.
 */
export function retryAfterOf(
  headers: Record<string, string | undefined>,
  now = Date.now(),
): number | undefined {
  const text = headers['retry-after']?.trim() ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
