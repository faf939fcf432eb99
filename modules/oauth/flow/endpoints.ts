const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Returns whether codes, secrets and tokens may be sent there: with https, or within the machine (RFC 6749
 * sections 3.1.2.1 and 3.2 require TLS). The outbound client checks OUTBOUND_ALLOW for loopback addresses as
 * well.
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
