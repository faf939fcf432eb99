import { Resolver } from 'node:dns'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { envSchema } from 'env-schema'
import ipaddr from 'ipaddr.js'
import { ConfigError } from './plugins/config-error.ts'
import { parseAllow } from './plugins/outbound/allow.ts'
import { parseSecretKeys } from './plugins/security/keyfile.ts'
import { withSecretFiles } from './plugins/security/secret-files.ts'
import { EMAIL_PATTERN } from './schemas/people/email-address.ts'
import type { SmtpTls } from './plugins/mail/transport.ts'
import type { Namesakes, Registration, SecondFactorRule } from './plugins/installation.ts'

export { ConfigError }

/** Settings of the service, read once at start and frozen. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Public URL without a trailing slash. */
  readonly siteUrl: string
  readonly dataDir: string
  /** Null for the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null
  /** The server itself where `databaseUrl` is a pooler; null where `databaseUrl` is the server. */
  readonly databaseDirectUrl: string | null
  /** Settings of earlier versions that are still set. */
  readonly unused: readonly string[]
  /** Seconds to wait for the database at start. */
  readonly startTimeout: number
  /** Seconds from SIGTERM until the instance stops serving requests. */
  readonly drainSeconds: number
  /** The first encrypts and signs, all decrypt and verify. Empty for the key file in `dataDir`. */
  readonly secretKeys: readonly Buffer[]
  readonly adminUsername: string
  readonly adminPassword: string | null
  readonly registration: Registration
  readonly smtpUrl: string | null
  readonly smtpTls: SmtpTls
  readonly mailFrom: string | null
  readonly trustProxy: false | readonly string[]
  readonly logLevel: string
  readonly outboundAllow: readonly string[]
  readonly corsOrigins: readonly string[]
  /** IANA's list of RDAP servers (RFC 9224). */
  readonly rdapBootstrapUrl: string
  /** First WHOIS server to ask, `host` or `host:port`. */
  readonly whoisServer: string
  readonly metricsToken: string | null
  /** Where traces are sent; null for nowhere. */
  readonly otlpEndpoint: string | null
  /** Requests per minute and user or address; 0 for no limit. */
  readonly rateLimit: number
  /** Largest zone to read from a DNS provider, in records. */
  readonly maxZoneRecords: number
  readonly namesakes: Namesakes
  readonly requireSecondFactor: SecondFactorRule
  /** Maximum lifetime of a personal token in days; null for no limit. */
  readonly maxTokenDays: number | null
  /** Months before the current one that the history is kept for; null for all. */
  readonly historyMonths: number | null
  readonly auditMonths: number | null
  /** Folder for what is exported before it is deleted; null if nothing is deleted. */
  readonly archiveDir: string | null
  /** Addresses with optional ports; empty for the system's resolvers. */
  readonly dnsResolvers: readonly string[]
  /** Where DNS updates (RFC 2136) are taken, over UDP and TCP; empty for nowhere. */
  readonly dnsUpdateListen: readonly DnsAddress[]
  /** Who gets an answer to SOA queries there. */
  readonly dnsUpdateSoa: 'signed' | 'anyone'
}

/** An address of this machine. */
export interface DnsAddress {
  readonly host: string
  readonly port: number
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const text = { type: 'string' }
/** Can also be read from the file named by `<setting>_FILE`. */
const secret = { type: 'string', writeOnly: true }
const SCHEMA = {
  type: 'object',
  properties: {
    HOST: { type: 'string', default: '127.0.0.1' },
    PORT: { type: 'integer', minimum: 0, maximum: 65535, default: 3000 },
    SITE_URL: text,
    DATA_DIR: { type: 'string', default: './data' },
    DATABASE_URL: secret,
    DATABASE_DIRECT_URL: secret,
    DATABASE_PASSWORD: secret,
    START_TIMEOUT: { type: 'integer', minimum: 0, maximum: 3_600, default: 60 },
    DRAIN_SECONDS: { type: 'integer', minimum: 0, maximum: 300, default: 0 },
    SECRET_KEY: secret,
    ADMIN_USERNAME: { type: 'string', pattern: '^[a-z0-9][a-z0-9._-]{1,63}$', default: 'admin' },
    ADMIN_PASSWORD: { ...secret, minLength: 8, maxLength: 256 },
    REGISTRATION: { type: 'string', enum: ['invite', 'open', 'closed'], default: 'invite' },
    SMTP_URL: secret,
    SMTP_TLS: { type: 'string', enum: ['required', 'opportunistic', 'off'] },
    MAIL_FROM: { type: 'string', maxLength: 254, pattern: EMAIL_PATTERN },
    TRUST_PROXY: { type: 'string', default: 'false' },
    LOG_LEVEL: { type: 'string', enum: LOG_LEVELS, default: 'info' },
    OUTBOUND_ALLOW: text,
    CORS_ORIGINS: text,
    RDAP_BOOTSTRAP_URL: { type: 'string', default: 'https://data.iana.org/rdap/dns.json' },
    WHOIS_SERVER: {
      type: 'string',
      pattern: '^[A-Za-z0-9.-]+(:[1-9][0-9]{0,4})?$',
      default: 'whois.iana.org',
    },
    METRICS_TOKEN: { ...secret, minLength: 16 },
    OTEL_EXPORTER_OTLP_ENDPOINT: text,
    RATE_LIMIT: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 1200 },
    MAX_ZONE_RECORDS: { type: 'integer', minimum: 1_000, maximum: 1_000_000, default: 100_000 },
    NAMESAKES: { type: 'string', enum: ['prove', 'allow'], default: 'prove' },
    REQUIRE_SECOND_FACTOR: { type: 'string', enum: ['none', 'admins', 'everyone'], default: 'none' },
    MAX_TOKEN_DAYS: { type: 'integer', minimum: 1, maximum: 3_650 },
    HISTORY_MONTHS: { type: 'integer', minimum: 1, maximum: 1_200 },
    AUDIT_MONTHS: { type: 'integer', minimum: 1, maximum: 1_200 },
    ARCHIVE_DIR: text,
    DNS_RESOLVERS: text,
    DNS_UPDATE_LISTEN: text,
    DNS_UPDATE_SOA: { type: 'string', enum: ['signed', 'anyone'], default: 'signed' },
  },
}

/** Names of the settings that hold a secret. */
export const SECRET_SETTINGS: readonly string[] = Object.entries(SCHEMA.properties)
  .filter(([, property]) => 'writeOnly' in property)
  .map(([setting]) => setting)

/**
 * All settings as they were given, by the environment or `.env`, without their secrets: `set` or `from a file` stands for
 * those, and credentials in URLs are left out. Null: not given. Never throws for a value that is not valid.
 */
export function givenSettings(
  environment: NodeJS.ProcessEnv = process.env,
  envFile = '.env',
): Record<string, string | null> {
  const given = { ...readEnvFile(envFile), ...environment }
  const shown = (setting: string): string | null => {
    if (isSet(given[`${setting}_FILE`])) return 'from a file'
    const value = given[setting]
    if (value === undefined || value === '') return null
    return SECRET_SETTINGS.includes(setting) ? 'set' : value.replace(/(?<=:\/\/)[^/?#]*@/g, '')
  }
  return Object.fromEntries(Object.keys(SCHEMA.properties).map((setting) => [setting, shown(setting)]))
}

/** Settings of earlier versions, ignored with a warning. */
const UNUSED_SETTINGS = ['REDIS_URL', 'REDIS_URL_FILE']

const isSet = (value: string | undefined) => value !== undefined && value !== ''

type Variables = Partial<Record<string, string>> & {
  HOST: string
  PORT: number
  START_TIMEOUT: number
  DRAIN_SECONDS: number
  RATE_LIMIT: number
  MAX_ZONE_RECORDS: number
  MAX_TOKEN_DAYS?: number
  HISTORY_MONTHS?: number
  AUDIT_MONTHS?: number
}

/** Reads the environment and the file `.env`; the environment wins. Throws ConfigError. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env, envFile = '.env'): Config {
  const given = { ...readEnvFile(envFile), ...environment }
  const env = validated(given)
  const port = env.PORT
  const databaseDirectUrl = withPassword(postgresUrl('DATABASE_DIRECT_URL', env), env)
  return Object.freeze({
    host: env.HOST,
    port,
    siteUrl: origin('SITE_URL', env['SITE_URL'] ?? `http://localhost:${port}`),
    dataDir: env['DATA_DIR'] as string,
    databaseUrl: withPassword(databaseUrl(env), env),
    databaseDirectUrl,
    startTimeout: env.START_TIMEOUT,
    drainSeconds: env.DRAIN_SECONDS,
    unused: UNUSED_SETTINGS.filter((setting) => isSet(given[setting])),
    secretKeys: parseSecretKeys(list(env['SECRET_KEY'])),
    adminUsername: env['ADMIN_USERNAME'] as string,
    adminPassword: env['ADMIN_PASSWORD'] ?? null,
    registration: env['REGISTRATION'] as Registration,
    ...mailServer(env),
    mailFrom: sender(env),
    trustProxy: proxies(env['TRUST_PROXY'] as string),
    logLevel: env['LOG_LEVEL'] as string,
    outboundAllow: list(env['OUTBOUND_ALLOW']).map(allowEntry),
    corsOrigins: list(env['CORS_ORIGINS']).map((entry) => origin('CORS_ORIGINS', entry)),
    rdapBootstrapUrl: url('RDAP_BOOTSTRAP_URL', env['RDAP_BOOTSTRAP_URL'], ['https:', 'http:']) as string,
    whoisServer: env['WHOIS_SERVER'] as string,
    metricsToken: env['METRICS_TOKEN'] ?? null,
    otlpEndpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', env['OTEL_EXPORTER_OTLP_ENDPOINT'], ['http:', 'https:']),
    rateLimit: env.RATE_LIMIT,
    maxZoneRecords: env.MAX_ZONE_RECORDS,
    namesakes: env['NAMESAKES'] as Namesakes,
    requireSecondFactor: env['REQUIRE_SECOND_FACTOR'] as SecondFactorRule,
    maxTokenDays: env.MAX_TOKEN_DAYS ?? null,
    ...retention(env),
    dnsResolvers: resolvers(list(env['DNS_RESOLVERS'])),
    dnsUpdateListen: list(env['DNS_UPDATE_LISTEN']).map(dnsAddress),
    dnsUpdateSoa: env['DNS_UPDATE_SOA'] as Config['dnsUpdateSoa'],
  })
}

function readEnvFile(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

function validated(variables: NodeJS.Dict<string>): Variables {
  // "VARIABLE=" in a compose file means "not set".
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const data = withSecretFiles(set, SECRET_SETTINGS)
  try {
    return envSchema<Variables>({ schema: SCHEMA, data, env: false })
  } catch (error) {
    const first = (error as { errors?: { instancePath: string; message: string; params?: unknown }[] })
      .errors?.[0]
    if (!first) throw error
    const allowed = (first.params as { allowedValues?: string[] } | undefined)?.allowedValues
    throw new ConfigError(
      first.instancePath.slice(1),
      first.message + (allowed ? `: ${allowed.join(', ')}` : ''),
    )
  }
}

const list = (value: string | undefined) =>
  (value ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

function url(variable: string, value: string | undefined, protocols: string[]): string | null {
  if (value === undefined) return null
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new ConfigError(variable, `must be a URL starting with ${protocols.join('// or ')}//`)
  }
  return value
}

function databaseUrl(env: Variables): string | null {
  const address = postgresUrl('DATABASE_URL', env)
  const dependent = ['DATABASE_PASSWORD', 'DATABASE_DIRECT_URL'].find((name) => env[name] !== undefined)
  if (address === null && dependent !== undefined)
    throw new ConfigError('DATABASE_URL', `is required with ${dependent}`)
  return address
}

/** A list of hosts, as libpq takes it: between the credentials and the path, or as a parameter. */
const SEVERAL_HOSTS = /^[a-z]+:\/\/(?:[^/?#]*@)?[^/?#@]*,|[?&]host=[^&#]*(?:,|%2c)/i

function postgresUrl(variable: string, env: Variables): string | null {
  const value = env[variable]
  if (value !== undefined && SEVERAL_HOSTS.test(value))
    throw new ConfigError(
      variable,
      'must name one host. For several, put HAProxy, pgbouncer or a virtual IP in front of them',
    )
  return url(variable, value, ['postgres:', 'postgresql:'])
}

/** Adds DATABASE_PASSWORD to a URL without a password. */
function withPassword(address: string | null, env: Variables): string | null {
  const password = env['DATABASE_PASSWORD']
  if (password === undefined || address === null) return address
  const parsed = new URL(address)
  if (parsed.password !== '') return address
  if (parsed.username === '')
    throw new ConfigError('DATABASE_URL', 'must contain a user name when DATABASE_PASSWORD is set')
  parsed.password = encodeURIComponent(password)
  return parsed.href
}

function origin(variable: string, value: string): string {
  const parsed = URL.canParse(value) ? new URL(value) : null
  if (
    !parsed ||
    !['http:', 'https:'].includes(parsed.protocol) ||
    value.replace(/\/$/, '') !== parsed.origin
  ) {
    throw new ConfigError(variable, `must be an http or https origin without a path; got "${value}"`)
  }
  return parsed.origin
}

/** URL parameters of nodemailer that would override SMTP_TLS. */
const TLS_PARAMETERS = ['requireTLS', 'ignoreTLS', 'opportunisticTLS', 'secure']

function mailServer(env: Variables): { smtpUrl: string | null; smtpTls: SmtpTls } {
  const smtpUrl = url('SMTP_URL', env['SMTP_URL'], ['smtp:', 'smtps:'])
  const mode = env['SMTP_TLS'] as SmtpTls | undefined
  if (smtpUrl === null) return { smtpUrl, smtpTls: mode ?? 'required' }
  const { protocol, hostname, searchParams } = new URL(smtpUrl)
  const parameter = TLS_PARAMETERS.find((name) => searchParams.has(name))
  if (parameter !== undefined)
    throw new ConfigError('SMTP_URL', `does not accept ?${parameter}; use SMTP_TLS`)
  if (protocol === 'smtps:' && mode !== undefined && mode !== 'required')
    throw new ConfigError('SMTP_TLS', 'must be "required" because smtps:// is always encrypted')
  return { smtpUrl, smtpTls: mode ?? (isLoopback(hostname) ? 'opportunistic' : 'required') }
}

function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  return hostname === 'localhost' || (ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback')
}

// Without a sender, email would silently stay off.
function sender(env: Variables): string | null {
  const from = env['MAIL_FROM'] ?? null
  if (env['SMTP_URL'] !== undefined && from === null)
    throw new ConfigError('MAIL_FROM', 'is required with SMTP_URL')
  return from
}

// Nothing is deleted that isn't exported first.
function retention(env: Variables): Pick<Config, 'historyMonths' | 'auditMonths' | 'archiveDir'> {
  const archiveDir = env['ARCHIVE_DIR'] ?? null
  const limit = (['HISTORY_MONTHS', 'AUDIT_MONTHS'] as const).find((name) => env[name] !== undefined)
  if (limit !== undefined && archiveDir === null)
    throw new ConfigError('ARCHIVE_DIR', `is required with ${limit}`)
  return { historyMonths: env.HISTORY_MONTHS ?? null, auditMonths: env.AUDIT_MONTHS ?? null, archiveDir }
}

function proxies(value: string): false | string[] {
  if (value === 'false') return false
  const entries = list(value)
  for (const entry of entries) {
    if (ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry) || entry === 'loopback') continue
    throw new ConfigError(
      'TRUST_PROXY',
      `"${entry}" is not an IP address or CIDR; list your reverse proxies, or use "false"`,
    )
  }
  return entries
}

function resolvers(entries: string[]): string[] {
  for (const entry of entries) {
    try {
      new Resolver().setServers([entry])
    } catch {
      throw new ConfigError('DNS_RESOLVERS', `"${entry}" is not an IP address with an optional port`)
    }
  }
  return entries
}

/** Reads `192.0.2.1:53`, `[2001:db8::1]:53`, or an address alone for port 53. */
function dnsAddress(entry: string): DnsAddress {
  const [, six, four, digits = '53'] = /^(?:\[([^\]]*)\]|([^:]*))(?::([0-9]{1,5}))?$/.exec(entry) ?? []
  const [host, port] = [six ?? four ?? '', Number(digits)]
  const isAddress = six === undefined ? ipaddr.IPv4.isValidFourPartDecimal(host) : ipaddr.IPv6.isValid(host)
  if (isAddress && port <= 65_535) return { host, port }
  throw new ConfigError(
    'DNS_UPDATE_LISTEN',
    `"${entry}" is not an IP address with a port, such as 192.0.2.1:53 or [2001:db8::1]:53`,
  )
}

function allowEntry(entry: string): string {
  try {
    parseAllow(entry)
  } catch (error) {
    throw new ConfigError('OUTBOUND_ALLOW', (error as Error).message)
  }
  return entry
}
