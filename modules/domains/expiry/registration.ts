/** What a registry says of a domain. */
export interface Registration {
  /** Null: it publishes none, or in a form that could mean two dates. */
  expiresAt: Date | null
  registrar: string | null
  /** Lower case, without the final dot. */
  nameServers: string[]
  /** In the words of EPP: `clientTransferProhibited`. */
  status: string[]
}

type LookupErrorKind =
  | 'not_registered'
  | 'rate_limited' // asked too often; says nothing about the domain
  | 'no_server' // the registry answers neither RDAP nor WHOIS
  | 'unavailable' // no answer, or none that can be understood

/** Why a look-up found nothing. The message may be shown: of remote servers only their names are in it. */
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

/** Host names out of texts of a server: canonical, each once, no more than a delegation can have. */
export function hostNames(texts: string[]): string[] {
  const names = texts.map((text) => text.toLowerCase().replace(/\.$/, ''))
  return [...new Set(names.filter((name) => HOST.test(name)))].slice(0, MAX_NAME_SERVERS)
}

const MAX_LABEL = 200

/** One line of a server's text, fit to be stored and shown; null when nothing is left of it. */
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
/** RDAP's words that are others than EPP's with spaces (RFC 8056). */
const RDAP_WORDS: Record<string, string> = { active: 'ok', associated: 'linked' }

/** Status words as EPP writes them, from RDAP or WHOIS; what EPP has no word for is left out. */
export function eppStatus(words: string[]): string[] {
  const found = words.map((word) => {
    const letters = word.toLowerCase().replace(/[\s_-]+/g, '')
    return BY_LETTERS.get(RDAP_WORDS[letters] ?? letters)
  })
  return [...new Set(found.filter((status) => status !== undefined))].sort()
}
