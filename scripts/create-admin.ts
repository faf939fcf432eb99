import { parseArgs } from 'node:util'
import Fastify from 'fastify'
import { readConfig } from '../config.ts'
import { rescueAdministrator, type Rescue } from '../modules/users/service.ts'
import events from '../plugins/events.ts'
import { run, withDatabase } from './database.ts'

const USAGE = 'Usage: npm run create-admin -- <username> [--remove-two-factor]'

/**
 * Makes an administrator, or makes one of an account that is there: enables it, sets a generated password
 * and ends its sessions. For whoever is locked out.
 */
await run(async () => {
  const { username, removeTwoFactor } = readArguments()
  const config = readConfig()
  const rescue = await withDatabase(config, (db) => rescueAdministrator(db, { username, removeTwoFactor }))
  if (config.redisUrl !== null) await tellInstances(config.redisUrl, rescue)
  console.log(rescue.created ? `Administrator ${username} is made.` : `${username} is an administrator now.`)
  console.log(`Password: ${rescue.password} (shown only now)`)
  if (!rescue.created && !removeTwoFactor) {
    console.log('Second factors stay; --remove-two-factor takes them away.')
  }
})

function readArguments(): { username: string; removeTwoFactor: boolean } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { 'remove-two-factor': { type: 'boolean', default: false } },
    })
    const [username = '', ...more] = positionals.map((name) => name.toLowerCase())
    if (!/^[a-z0-9][a-z0-9._-]{1,63}$/.test(username) || more.length > 0)
      throw new Error('One user name is needed')
    return { username, removeTwoFactor: values['remove-two-factor'] }
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`, { cause: error })
  }
}

/** Running instances remember who is signed in as long as Redis tells them of changes. */
async function tellInstances(redisUrl: string, { userId, sessionIds }: Rescue): Promise<void> {
  const app = Fastify()
  await app.register(events, { redisUrl })
  app.events.emit('user.changed', { userId })
  app.events.emit('session.ended', { sessionIds })
  await app.close()
}
