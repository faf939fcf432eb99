import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import t from 'tap'
import { ConfigError, readConfig, SECRET_SETTINGS } from '../config.ts'

const KEY = Buffer.alloc(32, 1).toString('base64')
const OTHER_KEY = Buffer.alloc(32, 2).toString('base64')
const read = (environment: Record<string, string>) => readConfig(environment, '/dev/null')

void t.test('starts with nothing set', async (t) => {
  t.match(read({}), {
    host: '127.0.0.1',
    port: 3000,
    siteUrl: 'http://localhost:3000',
    dataDir: './data',
    databaseUrl: null,
    databaseDirectUrl: null,
    unused: [],
    secretKeys: { length: 0 },
    adminUsername: 'admin',
    adminPassword: null,
    smtpUrl: null,
    trustProxy: false,
    logLevel: 'info',
    outboundAllow: { length: 0 },
    corsOrigins: { length: 0 },
    metricsToken: null,
    namesakes: 'prove',
    requireSecondFactor: 'none',
    maxTokenDays: null,
    historyMonths: null,
    auditMonths: null,
    archiveDir: null,
    dnsResolvers: { length: 0 },
    dnsUpdateListen: { length: 0 },
    dnsUpdateSoa: 'signed',
  })
})

void t.test('is frozen', async (t) => {
  t.ok(Object.isFrozen(read({})))
})

void t.test('takes every variable', async (t) => {
  const config = read({
    HOST: '0.0.0.0',
    PORT: '8080',
    SITE_URL: 'https://dns.example.com/',
    DATA_DIR: '/var/lib/zonekeeper',
    DATABASE_URL: 'postgres://u:p@pooler:6432/z',
    DATABASE_DIRECT_URL: 'postgres://u:p@db:5432/z',
    START_TIMEOUT: '0',
    DRAIN_SECONDS: '10',
    REDIS_URL: 'rediss://redis:6379',
    SECRET_KEY: `${KEY}, ${OTHER_KEY}`,
    ADMIN_USERNAME: 'ada',
    ADMIN_PASSWORD: 'a password of mine',
    SMTP_URL: 'smtp://mail:25',
    MAIL_FROM: 'dns@example.com',
    TRUST_PROXY: '10.0.0.0/8, 192.168.1.2,::1',
    LOG_LEVEL: 'debug',
    OUTBOUND_ALLOW: '10.0.0.0/8,pdns.internal:8081',
    CORS_ORIGINS: 'https://a.example.com,http://localhost:5173',
    METRICS_TOKEN: '0123456789abcdef',
    RATE_LIMIT: '0',
    NAMESAKES: 'allow',
    REQUIRE_SECOND_FACTOR: 'everyone',
    MAX_TOKEN_DAYS: '90',
    HISTORY_MONTHS: '24',
    AUDIT_MONTHS: '36',
    ARCHIVE_DIR: '/srv/archive',
    DNS_RESOLVERS: '192.0.2.53, [2001:db8::53]:5353',
    DNS_UPDATE_LISTEN: '192.0.2.53, [2001:db8::53]:5354',
    DNS_UPDATE_SOA: 'anyone',
  })
  t.match(config, {
    host: '0.0.0.0',
    port: 8080,
    siteUrl: 'https://dns.example.com',
    dataDir: '/var/lib/zonekeeper',
    databaseUrl: 'postgres://u:p@pooler:6432/z',
    databaseDirectUrl: 'postgres://u:p@db:5432/z',
    unused: ['REDIS_URL'],
    drainSeconds: 10,
    adminUsername: 'ada',
    adminPassword: 'a password of mine',
    smtpUrl: 'smtp://mail:25',
    mailFrom: 'dns@example.com',
    trustProxy: ['10.0.0.0/8', '192.168.1.2', '::1'],
    logLevel: 'debug',
    outboundAllow: ['10.0.0.0/8', 'pdns.internal:8081'],
    corsOrigins: ['https://a.example.com', 'http://localhost:5173'],
    metricsToken: '0123456789abcdef',
    rateLimit: 0,
    namesakes: 'allow',
    requireSecondFactor: 'everyone',
    maxTokenDays: 90,
    historyMonths: 24,
    auditMonths: 36,
    archiveDir: '/srv/archive',
    dnsResolvers: ['192.0.2.53', '[2001:db8::53]:5353'],
    dnsUpdateListen: [
      { host: '192.0.2.53', port: 53 },
      { host: '2001:db8::53', port: 5354 },
    ],
    dnsUpdateSoa: 'anyone',
  })
  t.same(
    config.secretKeys.map((key) => key.toString('base64')),
    [KEY, OTHER_KEY],
  )
})

void t.test('the site follows the port', async (t) => {
  t.equal(read({ PORT: '8080' }).siteUrl, 'http://localhost:8080')
})

void t.test('an empty variable is one that is not set', async (t) => {
  t.match(read({ PORT: '', DATABASE_URL: '', TRUST_PROXY: '', SECRET_KEY: '' }), {
    port: 3000,
    databaseUrl: null,
    trustProxy: false,
    secretKeys: { length: 0 },
  })
})

void t.test('ignores variables of others', async (t) => {
  t.match(read({ PATH: '/bin', NODE_ENV: 'production', npm_config_x: '1' }), { port: 3000 })
})

const WRONG: Record<string, string[]> = {
  PORT: ['abc', '-1', '65536', '3000.5'],
  SITE_URL: ['dns.example.com', 'ftp://dns.example.com', 'https://dns.example.com/app', 'https://'],
  DATABASE_URL: [
    'db.example.com',
    'mysql://db/z',
    'postgres',
    'postgres://u:p@a,b/z',
    'postgres://u@a:5432,b:5432/z',
    'postgres:///z?host=a,b',
  ],
  DATABASE_DIRECT_URL: ['db.example.com', 'mysql://db/z'],
  DRAIN_SECONDS: ['-1', 'never', '301'],
  START_TIMEOUT: ['-1', 'never', '1.5', '3601'],
  SECRET_KEY: ['short', Buffer.alloc(16).toString('base64'), `${KEY},short`, `${KEY},${KEY}`, '!'.repeat(43)],
  ADMIN_USERNAME: ['Admin', 'a', 'a b', '-admin', 'a'.repeat(65)],
  ADMIN_PASSWORD: ['short', 'x'.repeat(257)],
  SMTP_URL: [
    'mail.example.com',
    'http://mail.example.com',
    'smtp://mail?ignoreTLS=true',
    'smtp://mail?secure=false',
  ],
  SMTP_TLS: ['yes', 'REQUIRED'],
  MAIL_FROM: ['zonekeeper', 'a b@example.com', 'Zone <a@example.com>', 'a@b,c@d'],
  TRUST_PROXY: ['true', 'proxy.example.com', '10.0.0.0/33', '10.0.0.1,all'],
  LOG_LEVEL: ['verbose', 'INFO'],
  OUTBOUND_ALLOW: ['10.0.0.0/99', 'http://pdns:8081/'],
  CORS_ORIGINS: ['*', 'app.example.com', 'https://app.example.com/path', 'null'],
  METRICS_TOKEN: ['short'],
  RATE_LIMIT: ['-1', 'many', '1.5'],
  NAMESAKES: ['yes', 'PROVE'],
  REQUIRE_SECOND_FACTOR: ['yes', 'admin', 'Everyone'],
  MAX_TOKEN_DAYS: ['0', '-1', '1.5', 'never', '3651'],
  HISTORY_MONTHS: ['0', '-1', '1.5', 'all', '1201'],
  AUDIT_MONTHS: ['0', '1201'],
  DNS_RESOLVERS: ['dns.example.com', '192.0.2.1,local'],
  DNS_UPDATE_LISTEN: [
    'dns.example.com:53',
    '53',
    '192.0.2.1:70000',
    '2001:db8::1',
    '[192.0.2.1]:53',
    '192.0.2.1:',
  ],
  DNS_UPDATE_SOA: ['everyone'],
}

for (const [variable, values] of Object.entries(WRONG)) {
  void t.test(`a wrong ${variable} stops the start with a message that names it`, async (t) => {
    for (const value of values) {
      try {
        read({ [variable]: value })
        t.fail(`${variable}=${value} was taken`)
      } catch (error) {
        t.type(error, ConfigError, value)
        const { message } = error as ConfigError
        t.ok(message.startsWith(`${variable}: `), message)
        t.match(message, `Example: ${variable}=`)
      }
    }
  })
}

void t.test('a mail server without a sender stops the start', async (t) => {
  t.throws(() => read({ AUDIT_MONTHS: '3' }), { message: /^ARCHIVE_DIR: is required with AUDIT_MONTHS/ })
  t.throws(() => read({ SMTP_URL: 'smtp://mail:25' }), { message: /^MAIL_FROM: is required with SMTP_URL/ })
})

void t.test('mail is sent in the clear only to loopback, or where that is said', async (t) => {
  const mode = (SMTP_URL: string, settings: Record<string, string> = {}) =>
    read({ SMTP_URL, MAIL_FROM: 'dns@example.com', ...settings }).smtpTls
  for (const url of ['smtp://mail:25', 'smtps://mail', 'smtp://10.0.0.1', 'smtp://localhost.example.com']) {
    t.equal(mode(url), 'required', url)
  }
  for (const url of ['smtp://localhost:1025', 'smtp://127.0.0.2:1025', 'smtp://[::1]:1025']) {
    t.equal(mode(url), 'opportunistic', url)
    t.equal(mode(url, { SMTP_TLS: 'required' }), 'required', url)
  }
  t.equal(mode('smtp://mailhog:1025', { SMTP_TLS: 'off' }), 'off')
  t.throws(() => mode('smtps://mail', { SMTP_TLS: 'off' }), { message: /^SMTP_TLS: / })
})

void t.test('the message never shows a secret', async (t) => {
  const secrets = { SECRET_KEY: 'hidden-key', ADMIN_PASSWORD: 'hidden!', METRICS_TOKEN: 'hidden-token' }
  for (const [variable, value] of Object.entries(secrets)) {
    t.throws(() => read({ [variable]: value }), { message: /^(?!.*hidden)/ })
  }
  t.throws(() => read({ DATABASE_URL: 'mysql://user:hidden@db/z' }), { message: /^(?!.*hidden)/ })
  t.throws(() => read({ SMTP_URL: 'http://user:hidden@mail' }), { message: /^(?!.*hidden)/ })
})

/** A value for each secret setting, and what else it needs. */
const SECRETS: Record<string, { value: string; with?: Record<string, string> }> = {
  DATABASE_URL: { value: 'postgres://u:p@db:5432/z' },
  DATABASE_DIRECT_URL: { value: 'postgres://u:p@db:5432/z', with: { DATABASE_URL: 'postgres://pooler/z' } },
  DATABASE_PASSWORD: { value: 'a:b/c@d%', with: { DATABASE_URL: 'postgres://u@db:5432/z' } },
  SECRET_KEY: { value: KEY },
  ADMIN_PASSWORD: { value: 'a password with a space at its end ' },
  SMTP_URL: { value: 'smtp://u:p@mail:25', with: { MAIL_FROM: 'dns@example.com' } },
  METRICS_TOKEN: { value: '0123456789abcdef' },
}

void t.test('each secret is read from a file', async (t) => {
  t.same([...SECRET_SETTINGS].sort(), Object.keys(SECRETS).sort())
  const directory = t.testdir()
  for (const [setting, { value, with: others = {} }] of Object.entries(SECRETS)) {
    const file = path.join(directory, setting.toLowerCase())
    const given = read({ ...others, [setting]: value })
    for (const end of ['', '\n', '\r\n']) {
      writeFileSync(file, value + end)
      t.same(read({ ...others, [`${setting}_FILE`]: file }), given, setting)
      t.same(read({ ...others, [`${setting}_FILE`]: file, [setting]: '' }), given, 'an empty one is not set')
    }
    const message = (settings: Record<string, string>) => {
      try {
        read({ ...others, ...settings })
        return t.fail(`${setting} was taken`)
      } catch (error) {
        t.type(error, ConfigError)
        return (error as Error).message
      }
    }
    const both = message({ [setting]: value, [`${setting}_FILE`]: file })
    t.match(both, new RegExp(`^${setting}_FILE: ${setting} `))
    t.notMatch(both, value)
    const missing = path.join(directory, 'missing')
    t.match(message({ [`${setting}_FILE`]: missing }), new RegExp(`^${setting}_FILE: .*${missing} .*ENOENT`))
    t.match(
      message({ [`${setting}_FILE`]: directory }),
      new RegExp(`^${setting}_FILE: .*${directory} .*EISDIR`),
    )
    writeFileSync(file, '\n')
    t.match(message({ [`${setting}_FILE`]: file }), new RegExp(`^${setting}_FILE: ${file} is empty`))
  }
})

void t.test('a wrong value of a file is not shown', async (t) => {
  const directory = t.testdir({ wrong: 'hidden\n' })
  const file = path.join(directory, 'wrong')
  for (const setting of ['DATABASE_URL', 'SECRET_KEY', 'ADMIN_PASSWORD', 'SMTP_URL', 'METRICS_TOKEN']) {
    t.throws(() => read({ [`${setting}_FILE`]: file }), { message: /^(?!.*hidden)/, name: 'ConfigError' })
  }
})

void t.test('a secret file in .env counts, and clashes with the environment', async (t) => {
  const directory = t.testdir({ token: '0123456789abcdef\n' })
  const env = path.join(directory, '.env')
  writeFileSync(env, `METRICS_TOKEN_FILE=${path.join(directory, 'token')}\n`)
  t.equal(readConfig({}, env).metricsToken, '0123456789abcdef')
  t.throws(() => readConfig({ METRICS_TOKEN: 'fedcba9876543210' }, env), {
    message: /^METRICS_TOKEN_FILE: METRICS_TOKEN is set too/,
  })
})

void t.test('the password of the database can be apart from its address', async (t) => {
  const DATABASE_PASSWORD = 'a:b/c@d%'
  const addresses = {
    DATABASE_URL: 'postgres://u@pooler/z?a=b',
    DATABASE_DIRECT_URL: 'postgres://u@db:5432/z',
  }
  const { databaseUrl, databaseDirectUrl } = read({ ...addresses, DATABASE_PASSWORD })
  for (const address of [databaseUrl, databaseDirectUrl]) {
    t.equal(new pg.Client({ connectionString: address as string }).password, DATABASE_PASSWORD)
  }
  t.match(databaseUrl, /@pooler\/z\?a=b$/)
  const own = 'postgres://u:own@db/z'
  t.equal(read({ DATABASE_URL: own, DATABASE_PASSWORD }).databaseUrl, own, 'its own password comes first')
  t.throws(() => read({ DATABASE_PASSWORD }), {
    message: /^DATABASE_URL: is required with DATABASE_PASSWORD/,
  })
  t.throws(() => read({ DATABASE_URL: 'postgres://db/z', DATABASE_PASSWORD }), { message: /^DATABASE_URL: / })
})

void t.test('a file .env is read below the environment', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'zonekeeper-env-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const file = path.join(directory, '.env')
  writeFileSync(file, '# comment\nPORT=4000\nADMIN_USERNAME="ada"\n')
  t.match(readConfig({ PORT: '5000' }, file), { port: 5000, adminUsername: 'ada' })
  t.match(readConfig({}, path.join(directory, 'missing')), { port: 3000 })
})
