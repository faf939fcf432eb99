import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { createDatabase } from '../../helpers/database.ts'
import type { PowerDnsSimulator } from '../../conformance/simulators/powerdns.ts'
import { databaseUrl, startZonekeeper } from '../zonekeeper.ts'

/** A database, and a way to start instances on it, which a test kills. */
export async function killable(environment: Record<string, string> = {}) {
  const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-killed-'))
  t.teardown(() => rmSync(work, { recursive: true, force: true }))
  const database = await createDatabase(t)
  const start = async () => {
    const service = await startZonekeeper({
      DATABASE_URL: databaseUrl(database.config),
      SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
      DATA_DIR: work,
      OUTBOUND_ALLOW: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...environment,
    })
    t.teardown(() => service.kill())
    return service
  }
  return { database, start }
}

/** What the zone killed.test of a simulator holds at a name, and how often that was written. */
export const killedZoneOf = (fake: PowerDnsSimulator) => ({
  there: (name: string) =>
    fake
      .dump('killed.test')
      .filter((set) => set.name === `${name}.killed.test.` && set.type === 'A')
      .flatMap(({ records }) => records),
  writesOf: (name: string) =>
    fake.requests.filter(({ method, body }) => method === 'PATCH' && body.includes(`"${name}.killed.test."`))
      .length,
})
