import type { DateStyle } from './moments.ts'

/** Location and format of the expiry date in a TLD's WHOIS response. */
export interface WhoisFormat extends DateStyle {
  /** Labels in lower case; empty: the registry publishes no expiry date. */
  labels: string[]
}

/** Generic labels; the registry's date takes precedence over the registrar's. */
const GENERIC: WhoisFormat = {
  labels: [
    'registry expiry date',
    'registry expiration date',
    'expiry date',
    'expiration date',
    'expiration time',
    'expire date',
    'expire-date',
    'expires on',
    'expires',
    'expire',
    'domain expires',
    'domain expiration date',
    'record expires on',
    'paid-till',
    'renewal date',
    'valid until',
    'validity',
    'registrar registration expiration date',
  ],
}

const NONE: WhoisFormat = { labels: [] }
const NORTH_EAST_ASIA = { offsetHours: 9 }
const CHINA: WhoisFormat = { labels: ['expiration time'], offsetHours: 8 }
const FRANCE: WhoisFormat = { labels: ['expiry date'], dayFirst: true }
const RUSSIA: WhoisFormat = { labels: ['paid-till'] }
const SWEDEN: WhoisFormat = { labels: ['expires'] }

/** Registries whose responses differ, or contain other dates that could be mistaken for the expiry date. */
const FORMATS: Record<string, WhoisFormat> = {
  cn: CHINA,
  'xn--fiqs8s': CHINA,
  'xn--fiqz9s': CHINA,
  jp: { labels: ['expires on'], ...NORTH_EAST_ASIA },
  kr: { labels: ['expiration date'], ...NORTH_EAST_ASIA },
  uk: { labels: ['expiry date'] },
  fr: FRANCE,
  re: FRANCE,
  pm: FRANCE,
  tf: FRANCE,
  wf: FRANCE,
  yt: FRANCE,
  de: NONE,
  nl: NONE,
  eu: NONE,
  at: NONE,
  ch: NONE,
  li: NONE,
  lu: NONE,
  be: NONE,
  nz: NONE,
  gg: NONE,
  it: { labels: ['expire date'] },
  // Not "option expiration date".
  pl: { labels: ['renewal date', 'expiration date'] },
  // Not "free-date", a month later.
  ru: RUSSIA,
  su: RUSSIA,
  'xn--p1ai': RUSSIA,
  fi: { labels: ['expires'], dayFirst: true },
  se: SWEDEN,
  nu: SWEDEN,
  dk: { labels: ['expires'] },
  cz: { labels: ['expire'], dayFirst: true },
  sk: { labels: ['valid until'] },
  ee: { labels: ['expire'] },
  pt: { labels: ['expiration date'], dayFirst: true },
  // Undocumented whether 03/02/2020 begins with the day.
  tk: { labels: ['record will expire on'] },
  hk: { labels: ['expiry date'], dayFirst: true },
  il: { labels: ['validity'], dayFirst: true },
  tr: { labels: ['expires on'] },
  tw: { labels: ['record expires on'] },
  mo: { labels: ['record expires on'] },
  ua: { labels: ['expires'] },
  rs: { labels: ['expiration date'], dayFirst: true },
  ro: { labels: ['expires on'] },
  cl: { labels: ['expiration date'] },
  mx: { labels: ['expiration date'] },
  ve: { labels: ['fecha de vencimiento'] },
  br: { labels: ['expires'] },
  ir: { labels: ['expire-date'] },
  kg: { labels: ['record expires on'] },
  edu: { labels: ['domain expires'] },
}

const tldOf = (domain: string): string => domain.slice(domain.lastIndexOf('.') + 1)

/** Returns the response format of a domain's registry. */
export const formatOf = (domain: string): WhoisFormat => FORMATS[tldOf(domain)] ?? GENERIC

/** Labels of the date in registrars' responses. */
export const REGISTRAR_FORMAT = GENERIC

const charset = (domain: string) => `-C UTF-8 ${domain}`
const verisign = (domain: string) => `domain ${domain}`

/** Query formats that a registry requires for a full response in ASCII or UTF-8. */
const QUESTIONS: Record<string, (domain: string) => string> = {
  de: (domain) => `-T dn,ace ${domain}`,
  dk: (domain) => `--show-handles ${domain}`,
  // Requests an English response.
  jp: (domain) => `${domain}/e`,
  com: verisign,
  net: verisign,
  cat: charset,
  museum: charset,
}

/** Returns the query for a domain. */
export const questionFor = (domain: string): string => QUESTIONS[tldOf(domain)]?.(domain) ?? domain
