/** Registration data of a domain. */
export interface Registration {
  /** Null: not published, or ambiguous. */
  expiresAt: Date | null
  registrar: string | null
  /** Lower case, without the final dot. */
  nameServers: string[]
  /** EPP status codes: `clientTransferProhibited`. */
  status: string[]
}

type LookupErrorKind =
  | 'not_registered'
  | 'rate_limited' // rate limited; says nothing about the domain
  | 'no_server' // the registry answers neither RDAP nor WHOIS
  | 'unavailable' // no response, or one that can't be parsed

/** Reason for a failed look-up. The message may be shown: it contains only names of remote servers. */
export class LookupError extends Error {
  readonly kind: LookupErrorKind

  constructor(kind: LookupErrorKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'LookupError'
    this.kind = kind
  }
}

export const notRegistered = (domain: string) =>
  new LookupError('not_registered', `${domain} is not registered`)

const MAX_NAME_SERVERS = 26
const HOST = /^(?=.{4,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)+$/

/** Returns canonical, distinct host names, at most as many as a delegation can have. */
export function hostNames(texts: string[]): string[] {
  const names = texts.map((text) => text.toLowerCase().replace(/\.$/, ''))
  return [...new Set(names.filter((name) => HOST.test(name)))].slice(0, MAX_NAME_SERVERS)
}

const MAX_LABEL = 200

/** Cleans one line of a server's text for storage and display; null if nothing is left. */
export function cleanLine(text: string): string | null {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return line.slice(0, MAX_LABEL).trim() || null
}

/** RFC 5731 and RFC 3915. */
const EPP_STATUS = [
  'ok',
  'inactive',
  'linked',
  ...['client', 'server'].flatMap((side) =>
    ['Delete', 'Renew', 'Transfer', 'Update'].map((what) => `${side}${what}Prohibited`).concat(`${side}Hold`),
  ),
  ...['Create', 'Delete', 'Renew', 'Restore', 'Transfer', 'Update'].map((what) => `pending${what}`),
  ...['add', 'autoRenew', 'renew', 'transfer', 'redemption'].map((what) => `${what}Period`),
]
const BY_LETTERS = new Map(EPP_STATUS.map((status) => [status.toLowerCase(), status]))
/** RDAP statuses that aren't EPP's with spaces (RFC 8056). */
const RDAP_WORDS: Record<string, string> = { active: 'ok', associated: 'linked' }

/** Converts RDAP or WHOIS statuses to EPP codes; others are dropped. */
export function eppStatus(words: string[]): string[] {
  const found = words.map((word) => {
    const letters = word.toLowerCase().replace(/[\s_-]+/g, '')
    return BY_LETTERS.get(RDAP_WORDS[letters] ?? letters)
  })
  return [...new Set(found.filter((status) => status !== undefined))].sort()
}
