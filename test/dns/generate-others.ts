import { hostName, ipv6, LETTERS, type Random } from './random.ts'

const HEX = '0123456789abcdefABCDEF'

const bytes = (random: Random, count: number) =>
  Buffer.from(Array.from({ length: count }, () => random.int(256)))

const hex = (random: Random, count: number) => {
  const digits = bytes(random, count).toString('hex')
  return random.int(3) === 0 ? digits.toUpperCase().replace(/(.{32})(?=.)/g, '$1 ') : digits
}

const base64 = (random: Random) => bytes(random, 1 + random.int(80)).toString('base64')

const TEXT = [
  ...LETTERS.split(''),
  ' ',
  '\\"',
  '\\\\',
  '\\;',
  '\\233',
  ';',
  '(',
  ')',
  'é',
  '@',
  '$',
  ',',
  '=',
]
const text = (random: Random) => `"${random.text(TEXT, 0, random.pick([3, 40]))}"`

const DIGEST_BYTES = { 1: 20, 2: 32, 4: 48 } as const

function ds(random: Random): string {
  const digestType = random.pick([1, 2, 4] as const)
  const algorithm = random.pick(['8', '13', 'RSASHA256', 'ecdsap256sha256', '15'])
  return `${random.int(65_536)} ${algorithm} ${digestType} ${hex(random, DIGEST_BYTES[digestType])}`
}

const dnskey = (random: Random) =>
  `${random.pick([256, 257])} 3 ${random.pick(['8', 'ED25519', '253'])} ${base64(random)}`

function tlsa(random: Random): string {
  const matching = random.int(3)
  const count = [1 + random.int(200), 32, 64][matching] ?? 1
  return `${random.int(4)} ${random.int(2)} ${matching} ${hex(random, count)}`
}

function binding(random: Random): string {
  if (random.int(5) === 0) return `0 ${hostName(random, true)}`
  const values: Record<string, () => string> = {
    alpn: () =>
      `alpn=${random.pick(['h2', '"h2,h3"', '"h3,h2,http/1.1"', '"a\\\\,b,c"', '"part1\\\\\\\\,x"'])}`,
    port: () => `port=${random.int(65_536)}`,
    ipv4hint: () => `ipv4hint=192.0.2.${random.int(256)},198.51.100.${random.int(256)}`,
    ech: () => `ech=${base64(random)}`,
    ipv6hint: () => `ipv6hint="${ipv6(random)}"`,
    key7: () => random.pick(['dohpath=/dns-query{?dns}', 'key7="/q{?dns}"']),
    key65400: () => `key${40_000 + random.int(20_000)}=${text(random)}`,
    key65333: () => 'key65333',
  }
  const keys = Object.keys(values).filter(() => random.int(3) === 0)
  const named = keys.filter((key) => key === 'port' || key === 'ipv4hint')
  const mandatory =
    named.length > 0 && random.int(3) === 0 ? [`mandatory=${named.toReversed().join(',')}`] : []
  const given = [...mandatory, ...keys.map((key) => values[key]?.() ?? '')]
  return [1 + random.int(100), random.pick(['.', hostName(random, true)]), ...given].join(' ')
}

const naptr = (random: Random) => {
  const head = `${random.int(65_536)} ${random.int(100)}`
  return random.pick([
    `${head} "S" "SIP+D2U" "" ${hostName(random, true)}`,
    `${head} "" "" "" ${hostName(random, true)}`,
    `${head} "U" "E2U+sip" "!^\\\\+44(.*)$!sip:${random.text(LETTERS, 1, 9)}@example.com!" .`,
    `${head} "u" "E2U+web:http" "/urn:cid:.+@([^\\\\.]+\\\\.)(.*)$/\\\\2/i" .`,
  ])
}

const coordinate = (random: Random, degrees: number, directions: string) =>
  [
    random.int(degrees),
    ...(random.int(4) === 0
      ? []
      : [random.int(60), ...(random.int(4) === 0 ? [] : [`${random.int(60)}.${random.int(1000)}`])]),
    random.pick(directions),
  ].join(' ')

const loc = (random: Random) => {
  const sizes = [`${random.int(90_000)}m`, `${random.int(100)}.${random.int(100)}m`, `${random.int(9)}`]
  const place = `${coordinate(random, 90, 'NSns')} ${coordinate(random, 180, 'EWew')}`
  return `${place} ${random.int(9000) - 500}.${random.int(100)}m ${sizes.slice(random.int(4)).join(' ')}`
}

/** 64 bits of ILNP. */
const groups = (random: Random) => Array.from({ length: 4 }, () => random.text(HEX, 1, 4)).join(':')

const TYPES = ['A', 'NS', 'AAAA', 'MX', 'TXT', 'CAA', 'SVCB', 'TYPE1234', 'TYPE65280', 'RRSIG']

const prefix = (random: Random) =>
  random.pick(['', '!']) +
  random.pick([
    `1:${random.int(224)}.${random.int(256)}.0.0/${random.int(33)}`,
    `2:2001:db8:${random.text(HEX, 1, 4)}::/${random.int(129)}`,
  ])

const several = <T>(random: Random, most: number, make: () => T): T[] =>
  Array.from({ length: random.int(most + 1) }, make)

/** Of the types beside the eight that users write most. */
export const OTHER_GENERATORS = {
  PTR: (random: Random) => hostName(random, true),
  DNAME: (random: Random) => hostName(random, true),
  DS: ds,
  CDS: ds,
  CDNSKEY: dnskey,
  DNSKEY: dnskey,
  TLSA: tlsa,
  SMIMEA: tlsa,
  SSHFP: (random: Random) => {
    const type = 1 + random.int(2)
    return `${random.pick([1, 2, 3, 4, 6])} ${type} ${hex(random, type === 1 ? 20 : 32)}`
  },
  OPENPGPKEY: base64,
  DHCID: base64,
  NAPTR: naptr,
  SVCB: binding,
  HTTPS: binding,
  LOC: loc,
  URI: (random: Random) =>
    `${random.int(65_536)} ${random.int(65_536)} "https://example.com/${random.text(LETTERS, 0, 300)}"`,
  HINFO: (random: Random) => `${text(random)} ${text(random)}`,
  RP: (random: Random) =>
    `${random.pick(['admin@example.com', 'j\\.doe.example.com', hostName(random)])} ${random.pick(['.', hostName(random, true)])}`,
  CERT: (random: Random) =>
    `${random.pick(['1', 'PKIX', 'PGP', '254'])} ${random.int(65_536)} ${random.pick(['0', '8', 'RSASHA512'])} ${base64(random)}`,
  CSYNC: (random: Random) =>
    [random.int(2 ** 32), random.int(4), ...several(random, 5, () => random.pick(TYPES))].join(' '),
  APL: (random: Random) => [prefix(random), ...several(random, 4, () => prefix(random))].join(' '),
  EUI48: (random: Random) =>
    bytes(random, 6)
      .toString('hex')
      .replace(/..(?=.)/g, random.pick(['$&-', '$&:'])),
  EUI64: (random: Random) =>
    bytes(random, 8)
      .toString('hex')
      .replace(/..(?=.)/g, '$&-'),
  ZONEMD: (random: Random) => `${random.int(2 ** 32)} 1 1 ${hex(random, 48)}`,
  IPSECKEY: (random: Random) => {
    const type = random.int(4)
    const gateway = ['.', `192.0.2.${random.int(256)}`, ipv6(random), hostName(random)][type] ?? '.'
    return `${random.int(256)} ${type} ${1 + random.int(3)} ${gateway} ${base64(random)}`
  },
  KX: (random: Random) => `${random.int(65_536)} ${hostName(random)}`,
  AFSDB: (random: Random) => `${1 + random.int(2)} ${hostName(random)}`,
  KEY: (random: Random) =>
    `${random.pick([0, 256, 512, 513])} 3 ${random.pick(['8', 'ED25519'])} ${base64(random)}`,
  NID: (random: Random) => `${random.int(65_536)} ${groups(random)}`,
  L32: (random: Random) => `${random.int(65_536)} 198.51.100.${random.int(256)}`,
  L64: (random: Random) => `${random.int(65_536)} ${groups(random)}`,
  LP: (random: Random) => `${random.int(65_536)} ${hostName(random, true)}`,
  ALIAS: (random: Random) => hostName(random, true),
  ANAME: (random: Random) => hostName(random, true),
}
