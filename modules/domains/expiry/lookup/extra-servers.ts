const IDENTITY_DIGITAL = 'https://rdap.identitydigital.services/rdap/'

/**
 * RDAP servers missing from IANA's list, as of January 2026; the list takes precedence. A TLD in neither is looked up by
 * WHOIS.
 */
export const EXTRA_SERVERS: Record<string, string> = {
  ac: IDENTITY_DIGITAL,
  ag: IDENTITY_DIGITAL,
  bh: 'https://rdap.centralnic.com/bh/',
  bz: IDENTITY_DIGITAL,
  ch: 'https://rdap.nic.ch/',
  co: 'https://rdap.registry.co/co/',
  de: 'https://rdap.denic.de/',
  gl: 'https://rdap.centralnic.com/gl/',
  'co.gl': 'https://rdap.centralnic.com/co.gl/',
  'com.gl': 'https://rdap.centralnic.com/com.gl/',
  'edu.gl': 'https://rdap.centralnic.com/edu.gl/',
  'net.gl': 'https://rdap.centralnic.com/net.gl/',
  'org.gl': 'https://rdap.centralnic.com/org.gl/',
  io: IDENTITY_DIGITAL,
  lc: IDENTITY_DIGITAL,
  li: 'https://rdap.nic.li/',
  me: IDENTITY_DIGITAL,
  mn: IDENTITY_DIGITAL,
  my: 'https://rdap.mynic.my/rdap/',
  pr: IDENTITY_DIGITAL,
  sc: IDENTITY_DIGITAL,
  sh: IDENTITY_DIGITAL,
  us: 'https://rdap.nic.us/',
  vc: IDENTITY_DIGITAL,
}
