import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { addPowerDns, startFake } from '../helpers/zone.ts'
import { runScript, urlOf } from './run-script.ts'
import { until } from '../helpers/until.ts'
import { signIn, startZonekeeper } from './zonekeeper.ts'

t.setTimeout(180_000)
const NOTHING = path.join(tmpdir(), 'zonekeeper-diagnose-none')
const diagnose = async (environment: Record<string, string>) => {
  const { code, output } = await runScript('diagnose.ts', [], environment)
  return { code, output, report: JSON.parse(output) }
}

void t.test('an installation with a database of its own, without its secrets', async (t) => {
  const { admin, database } = await startApp(t)
  const fake = await startFake(t)
  await addPowerDns(admin, fake)
  const { code, output, report } = await diagnose({
    DATABASE_URL: urlOf(database),
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    METRICS_TOKEN: 'a-metrics-token-of-16',
    LOG_LEVEL: 'warn',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector:hidden-password@traces.example.com/otlp',
  })
  t.equal(code, 0)
  t.match(report, {
    service: { version: /^\d/, node: process.version },
    settings: {
      SECRET_KEY: 'set',
      METRICS_TOKEN: 'set',
      LOG_LEVEL: 'warn',
      SMTP_URL: null,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com/otlp',
    },
    database: {
      server: { version: /^PostgreSQL/, standby: false },
      migrations: { missing: [], unknown: [] },
      providers: [{ provider: 'powerdns', connections: 1, paused: 0 }],
    },
    backlogs: Array,
  })
  t.ok(report.database.tables.length > 10)
  for (const secret of [
    Buffer.alloc(32, 7).toString('base64'),
    'a-metrics-token-of-16',
    'hidden-password',
    fake.apiKey,
  ])
    t.notOk(output.includes(secret))
})

void t.test('the embedded one, while the service runs', async (t) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'zonekeeper-diagnose-'))
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  const service = await startZonekeeper({ DATA_DIR: dataDir })
  t.teardown(() => service.stop())
  await signIn(service.url)
  // The service notes its tasks after it has begun to listen.
  const report = await until('the scheduled tasks are there', async () => {
    const { report } = await diagnose({ DATA_DIR: dataDir })
    return report.database.scheduledTasks.length > 5 && report
  })
  t.match(report.database, { server: { version: /^PostgreSQL/ }, migrations: { missing: [] } })
  t.equal(await service.stop(), 0, 'it was not disturbed')
  t.match((await diagnose({ DATA_DIR: dataDir })).report, { database: null, problem: /not running/ })
})

void t.test('what stands in the way is part of it', async (t) => {
  const away = await diagnose({ DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/z' })
  t.match(away, { code: 0, report: { problem: /ECONNREFUSED/, settings: { DATABASE_URL: 'set' } } })
  t.notMatch(away.output, /hidden/)
  t.match((await diagnose({ DATA_DIR: NOTHING, PORT: 'abc' })).report, {
    problem: /PORT/,
    settings: { PORT: 'abc' },
  })
  t.match((await diagnose({ DATA_DIR: NOTHING })).report, { database: null })
})
