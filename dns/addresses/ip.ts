/* Recognizes IP addresses without Node, because the console runs this too. */

const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'
const IPV4 = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}$`)

/** Whether the text is an IPv4 address: four decimal numbers without leading zeros. */
export const isIpv4 = (text: string): boolean => IPV4.test(text)

/** Whether the text is an IPv6 address (RFC 4291 section 2.2), without a zone id. */
export const isIpv6 = (text: string): boolean =>
  text.length <= 45 &&
  text.includes(':') &&
  /^[0-9a-f:]+(?:(?<=:)[0-9.]+)?$/i.test(text) &&
  (!text.includes('.') || isIpv4(text.slice(text.lastIndexOf(':') + 1))) &&
  URL.canParse(`http://[${text}]/`)

/** Whether the text is an IPv4 or IPv6 address, including one with a zone id (`fe80::1%eth0`). */
export function isIpAddress(text: string): boolean {
  const [, address = text] = /^([^%]*)%[0-9a-zA-Z.:-]+$/.exec(text) ?? []
  return isIpv6(address) || (address === text && isIpv4(text))
}
