const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Whether codes, secrets and tokens may travel there: by https, or without leaving the machine
 * (RFC 6749 section 3.1.2.1 and 3.2 ask for TLS). That OUTBOUND_ALLOW must name a loopback
 * address too is the outbound client's matter.
 */
export function isSecure(url: string): boolean {
  const parsed = URL.parse(url)
  if (parsed === null || parsed.username !== '' || parsed.password !== '' || parsed.hash !== '') return false
  return parsed.protocol === 'https:' || isLoopbackHttp(url)
}

export function isLoopbackHttp(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && parsed.protocol === 'http:' && LOOPBACK.test(parsed.hostname)
}
