import { readFileSync } from 'node:fs'
import t from 'tap'
import { columnsFile } from '../../../scripts/columns.ts'
import { createDatabase } from '../../helpers/database.ts'

void t.test('db/tables/columns.ts lists the columns of the migrated database', async (t) => {
  const { db } = await createDatabase(t)
  t.equal(readFileSync('db/tables/columns.ts', 'utf8'), await columnsFile(db), 'run `npm run columns`')
})
