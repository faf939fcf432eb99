import { parseMoment } from './moments.ts'
import { cleanLine, eppStatus, hostNames, type Registration } from './registration.ts'
import { readFields, type Fields } from './whois-fields.ts'
import type { WhoisFormat } from './whois-formats.ts'

/** A parsed WHOIS response. */
export type WhoisAnswer =
  | { kind: 'registered'; registration: Registration; registrarServer: string | null }
  | { kind: 'not_registered' }
  /** Null: no duration given. */
  | { kind: 'rate_limited'; restMs: number | null }
  | { kind: 'unclear' }

const REGISTRAR = [
  'registrar',
  'registrar name',
  'sponsoring registrar',
  'registrar/organization',
  'registrar organization',
  'registrar/name',
  'current registar',
]
const NAME_SERVERS = [
  'name server',
  'name servers',
  'nameserver',
  'nameservers',
  'nserver',
  'domain nameservers',
  'domain servers in listed order',
  'host name',
  'hostname',
  'dns',
]
const STATUS = ['domain status', 'status', 'eppstatus', 'state']
const REGISTRAR_SERVER = ['registrar whois server', 'whois server', 'registrar whois']

/**
 * Parses a response. It needs registration data to count as a registration; a rate limit message never counts as "not
 * registered".
 */
export function readWhois(text: string, format: WhoisFormat): WhoisAnswer {
  const fields = readFields(text)
  const registration = registrationIn(fields, format)
  const { expiresAt, registrar, nameServers } = registration
  if (expiresAt !== null || registrar !== null || nameServers.length > 0) {
    return { kind: 'registered', registration, registrarServer: first(fields, REGISTRAR_SERVER) }
  }
  if (THROTTLED.some((pattern) => pattern.test(text))) return { kind: 'rate_limited', restMs: restIn(text) }
  if (NOT_FOUND.some((pattern) => pattern.test(text))) return { kind: 'not_registered' }
  // A registration without other published data.
  if (/^[ \t]*(domain|domain name|registered on):?[ \t]+\S/im.test(text) && registration.status.length > 0) {
    return { kind: 'registered', registration, registrarServer: null }
  }
  return { kind: 'unclear' }
}

/** The WHOIS server in IANA's record of the TLD. */
export const referralIn = (text: string): string | null => first(readFields(text), ['refer', 'whois'])

function registrationIn(fields: Fields, format: WhoisFormat): Registration {
  return {
    expiresAt: dateIn(fields, format),
    registrar: cleanLine(first(fields, REGISTRAR) ?? ''),
    nameServers: hostNames(all(fields, NAME_SERVERS).map(firstWord)),
    status: eppStatus(all(fields, STATUS).flatMap((value) => [firstWord(value), value])),
  }
}

function dateIn(fields: Fields, format: WhoisFormat): Date | null {
  for (const value of all(fields, format.labels)) {
    const date = parseMoment(value, format)
    if (date) return date
  }
  return null
}

const all = (fields: Fields, labels: string[]) => labels.flatMap((label) => fields.get(label) ?? [])
const first = (fields: Fields, labels: string[]) => all(fields, labels)[0] ?? null
const firstWord = (value: string) => value.split(/[\s,]/, 1)[0] ?? ''

const THROTTLED = [
  /limit (is |has been |was )?(exceeded|reached)/i,
  /exceed(ed|s)?\b.{0,60}\b(limit|quota|rate|quer(y|ies)|requests|connections)/i,
  /(limit|quota|quer(y|ies)|requests)\b.{0,80}\bexceeded/is,
  /only \d+ (request|quer)\w* per/i,
  /access control limit/i,
  /too many (simultaneous )?(connection|request|quer|lookup)/i,
  /(please )?(go away|slow down|try again (later|after|in))/i,
  /rate[ -]?limit/i,
  /excessive (querying|use|access)/i,
  /quota\b.{0,60}\b(used up|replenished)/is,
]

const NOT_FOUND = [
  /\bno match(es|ing)?\b/i,
  /\bnot?[ -](been )?found\b/i,
  /\bno (data|entries|entry|object|objects|such domain|information|record|records)\b/i,
  /\bnothing found\b/i,
  /\bnot (been |currently |yet )?registered\b/i,
  /\bnot exist\b/i,
  /\bdo(es)? not have an entry\b/i,
  /\bnot in (the |our )?(database|registry)/i,
  /^[ \t]*(domain )?(status|state|registration status):?[ \t]*(free|available|unregistered|not registered)\b/im,
  /\bis (free|available for (registration|purchase))\b/i,
  /\bdomain unknown\b/i,
]

/** Pause requested in the response text, if any. */
function restIn(text: string): number | null {
  const match = /\b(?:in|for|after)\s{1,9}(\d{1,6})\s{0,9}(second|minute|hour)/i.exec(text)
  if (match) {
    const unit = { second: 1_000, minute: 60_000, hour: 3_600_000 }[(match[2] ?? '').toLowerCase()] ?? 1_000
    return Number(match[1]) * unit
  }
  return /\b(daily|per day|24 hours)\b/i.test(text) ? 24 * 3_600_000 : null
}
