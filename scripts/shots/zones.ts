/** Records of a domain as `name type value`, and values that differ from the usual TTL. */
export type Line = readonly [name: string, type: string, value: string, ttl?: number, comment?: string]

/** The zone of a trading company: web, mail, an office and a shop. */
export const COMPANY: readonly Line[] = [
  ['@', 'A', '192.0.2.10', 300],
  ['@', 'AAAA', '2001:db8:20::10', 300],
  ['@', 'MX', '10 mx1.tidewater.example'],
  ['@', 'MX', '20 mx2.tidewater.example'],
  ['@', 'TXT', 'v=spf1 mx include:_spf.mail.example -all'],
  ['@', 'TXT', 'site-verification=3hT8wPq0VbKf2mZ7sYcR5nLxJ1dGuE9a'],
  ['@', 'CAA', '0 issue "letsencrypt.org"'],
  ['@', 'CAA', '0 iodef "mailto:security@tidewater.example"'],
  ['www', 'CNAME', 'tidewater.example'],
  ['shop', 'A', '192.0.2.20', 300],
  ['shop', 'A', '192.0.2.21', 300],
  ['shop', 'AAAA', '2001:db8:20::20', 300],
  ['api', 'A', '192.0.2.30', 60],
  ['status', 'CNAME', 'pages.status.example'],
  ['mx1', 'A', '192.0.2.25'],
  ['mx1', 'AAAA', '2001:db8:20::25'],
  ['mx2', 'A', '198.51.100.25'],
  ['autodiscover', 'CNAME', 'mx1.tidewater.example'],
  ['_autodiscover._tcp', 'SRV', '0 1 443 mx1.tidewater.example'],
  ['_sip._tcp', 'SRV', '10 60 5060 sip.tidewater.example'],
  ['sip', 'A', '192.0.2.60'],
  ['_dmarc', 'TXT', 'v=DMARC1; p=quarantine; rua=mailto:dmarc@tidewater.example; adkim=s; aspf=s'],
  [
    'winter._domainkey',
    'TXT',
    `v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA${'tWx4Qn8vJr2LkYp0Zs7HcB5gMdUf1'.repeat(10)}IDAQAB`,
  ],
  ['files', 'A', '192.0.2.40'],
  ['vpn', 'A', '198.51.100.4', 3600],
  ['vpn', 'AAAA', '2001:db8:20::4', 3600],
  ['dev', 'NS', 'ns1.tidewater.example', 86_400],
  ['ns1', 'A', '192.0.2.53', 86_400],
  ['intranet', 'HTTPS', '1 . alpn="h2,h3"'],
  ['backup', 'SSHFP', '4 2 9f3c1e7ab2d04c5580e19a6b7f3d2c418e55aa0b6c7d1928374650fedcba9876'],
  ['build.ci', 'A', '192.0.2.71', 300],
  ['registry.ci', 'A', '192.0.2.72', 300],
]

/** What a check of the zone finds. */
export const MISTAKES: readonly Line[] = [
  ['summer', 'CNAME', 'tidewater-summer.azurewebsites.net'],
  ['scanner', 'A', '10.0.4.20'],
  ['beta', 'A', '192.0.2.46', 30],
]

/** Smaller zones: web and mail. */
export const small = (name: string, at: number): readonly Line[] => [
  ['@', 'A', `192.0.2.${at}`],
  ['@', 'MX', '10 mx1.tidewater.example'],
  ['@', 'TXT', 'v=spf1 mx -all'],
  ['www', 'CNAME', name],
]

/** Names with the days until they expire, their group and tags. */
export const OTHERS: readonly (readonly [
  name: string,
  days: number | null,
  group: string,
  tags: string[],
])[] = [
  ['blue-kite.example', 4, 'Brands', ['web']],
  ['northwind-trading.example', 12, 'Brands', ['web', 'mail']],
  ['bücher-am-hafen.example', 19, 'Shops', ['web', 'shop']],
  ['harbour-lights.example', -9, 'Campaigns', ['parked']],
  ['lighthouse-coffee.example', 33, 'Shops', ['web', 'shop', 'mail']],
  ['autumn-2025.example', -31, 'Campaigns', ['parked']],
  ['atelier-lumiere.example', 47, 'Customers', ['web']],
  ['granite-and-oak.example', 58, 'Customers', ['web', 'mail']],
  ['paper-lantern.example', 76, 'Brands', ['web']],
  ['riverside-clinic.example', 81, 'Customers', ['web', 'mail']],
  ['salt-and-thyme.example', 84, 'Shops', ['shop']],
  ['海港书店.example', 102, 'Shops', ['web', 'shop']],
  ['studio-nordlys.example', 121, 'Customers', ['web']],
  ['tidewater-logistics.example', 140, 'Brands', ['web', 'mail']],
  ['the-quite-long-name-of-a-summer-campaign-by-the-sea.example', 163, 'Campaigns', ['parked', 'web']],
  ['velvet-mountain.example', 188, 'Customers', ['web']],
  ['westend-cycles.example', 206, 'Shops', ['web', 'shop', 'mail']],
  ['winter-market.example', 229, 'Campaigns', ['parked']],
  ['yellow-door.example', 251, 'Customers', ['web']],
  ['zephyr-sailing.example', 274, 'Customers', ['web', 'mail']],
  ['amber-fox.example', 301, 'Brands', ['web']],
  ['copper-kettle.example', 322, 'Shops', ['shop']],
  ['open-water-days.example', 348, 'Campaigns', ['web']],
  ['lab.example', null, '', []],
]
