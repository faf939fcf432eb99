/** A variable with a wrong value; the message names it and never shows a secret. */
export class ConfigError extends Error {
  constructor(variable: string, problem: string) {
    const example = variable.endsWith('_FILE')
      ? `/run/secrets/${variable.slice(0, -5).toLowerCase()}`
      : EXAMPLES[variable]
    super(`${variable}: ${problem}. Example: ${variable}=${example ?? ''}`)
    this.name = 'ConfigError'
  }
}

const EXAMPLES: Record<string, string> = {
  HOST: '127.0.0.1',
  PORT: '3000',
  SITE_URL: 'https://dns.example.com',
  DATA_DIR: './data',
  DATABASE_URL: 'postgres://zonekeeper:password@db.example.com:5432/zonekeeper',
  DATABASE_DIRECT_URL: 'postgres://zonekeeper:password@db.example.com:5432/zonekeeper',
  DATABASE_PASSWORD: '(the password of the role in DATABASE_URL)',
  START_TIMEOUT: '60',
  DRAIN_SECONDS: '10',
  SECRET_KEY: '(the output of: openssl rand -base64 32)',
  ADMIN_USERNAME: 'admin',
  ADMIN_PASSWORD: '(8 to 256 characters)',
  REGISTRATION: 'invite',
  SMTP_URL: 'smtps://user:password@mail.example.com:465',
  SMTP_TLS: 'required',
  MAIL_FROM: 'zonekeeper@example.com',
  TRUST_PROXY: '10.0.0.0/8,192.168.1.2',
  LOG_LEVEL: 'info',
  OUTBOUND_ALLOW: '10.0.0.0/8,pdns.internal:8081',
  CORS_ORIGINS: 'https://app.example.com',
  RDAP_BOOTSTRAP_URL: 'https://data.iana.org/rdap/dns.json',
  WHOIS_SERVER: 'whois.iana.org',
  METRICS_TOKEN: '(the output of: openssl rand -hex 24)',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example.com:4318',
  RATE_LIMIT: '1200',
  MAX_ZONE_RECORDS: '100000',
  REQUIRE_SECOND_FACTOR: 'admins',
  MAX_TOKEN_DAYS: '365',
  HISTORY_MONTHS: '24',
  AUDIT_MONTHS: '24',
  ARCHIVE_DIR: '/var/lib/zonekeeper/archive',
  NAMESAKES: 'prove',
  DNS_RESOLVERS: '9.9.9.9,[2620:fe::fe]:53',
}
