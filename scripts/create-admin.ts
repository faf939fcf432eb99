import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { rescueAdministrator } from '../modules/users/service.ts'
import { createPasswordHashes } from '../plugins/security/password-hashes.ts'
import { run, withDatabase } from './database.ts'

const USAGE = 'Usage: npm run create-admin -- <username> [--remove-two-factor] [--keep-tokens]'

/**
 * Creates an administrator, or turns an existing account into one: enables it, sets a generated password, and ends its
 * sessions and personal tokens. For operators who are locked out.
 */
await run(async () => {
  const wanted = readArguments()
  const { username, removeTwoFactor } = wanted
  const config = readConfig()
  const rescue = await withDatabase(config, (db) =>
    rescueAdministrator({ db, passwordHashes: createPasswordHashes() }, wanted),
  )
  console.log(rescue.created ? `Administrator ${username} created.` : `${username} is now an administrator.`)
  console.log(`Password: ${rescue.password} (shown only now)`)
  if (!rescue.created && !removeTwoFactor) {
    console.log('The second factors are unchanged; --remove-two-factor removes them.')
  }
})

function readArguments(): { username: string; removeTwoFactor: boolean; keepTokens: boolean } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        'remove-two-factor': { type: 'boolean', default: false },
        'keep-tokens': { type: 'boolean', default: false },
      },
    })
    const [username = '', ...more] = positionals.map((name) => name.toLowerCase())
    if (!/^[a-z0-9][a-z0-9._-]{1,63}$/.test(username) || more.length > 0)
      throw new Error('Give one user name')
    return { username, removeTwoFactor: values['remove-two-factor'], keepTokens: values['keep-tokens'] }
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`, { cause: error })
  }
}
