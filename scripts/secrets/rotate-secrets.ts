import { readConfig } from '../../config.ts'
import { readOrCreateKey } from '../../plugins/security/keyfile.ts'
import { createSecrets } from '../../plugins/security/secrets.ts'
import { run, withDatabase } from '../database.ts'
import { rotateColumn } from './rotation.ts'
import { SEALED_COLUMNS } from './sealed-columns.ts'

/** Re-encrypts all secrets with the first key of SECRET_KEY, so that the other keys can be removed. */
await run(async () => {
  const config = readConfig()
  const keys = config.secretKeys.length > 0 ? config.secretKeys : [readOrCreateKey(config.dataDir)]
  const secrets = createSecrets(keys)
  const left = await withDatabase(config, async (db) => {
    let total = 0
    for (const column of SEALED_COLUMNS) {
      const { rotated, current, left } = await rotateColumn(db, secrets, column)
      const name = `${column.table}.${column.column}`
      console.log(`${name}: ${rotated} re-encrypted, ${current} already were, ${left.length} left`)
      for (const id of left) console.log(`  left: ${name} of ${id}`)
      total += left.length
    }
    return total
  })
  if (left > 0) {
    throw new Error(
      `${left} left: they changed in the meantime (run the script again), or their key is not in SECRET_KEY. Keep all keys.`,
    )
  }
  console.log(
    `All secrets are encrypted with key ${secrets.currentKeyId}; the other keys are no longer needed.`,
  )
})
