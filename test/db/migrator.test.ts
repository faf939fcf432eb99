import { randomBytes } from 'node:crypto'
import t from 'tap'
import { connect, type Connection } from '../../db/connect.ts'
import { migrations } from '../../db/migrations/index.ts'
import { migrate } from '../../db/migrator.ts'
import { administer, serverConfig } from '../helpers/database.ts'

void t.test('several instances start at once on an empty database', async (t) => {
  const database = `test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${database}`)
  const connections: Connection[] = []
  t.teardown(async () => {
    for (const { close } of connections) await close()
    await administer(`drop database ${database} with (force)`)
  })
  const instance = () => {
    const connection = connect({ ...serverConfig(), database })
    connections.push(connection)
    return connection.db
  }

  const ran = await Promise.all(Array.from({ length: 4 }, () => migrate(instance())))
  t.same(ran.flat(), Object.keys(migrations), 'one of them ran each migration')
  t.same(await migrate(instance()), [], 'one that starts later, while they run, finds it done')
})
