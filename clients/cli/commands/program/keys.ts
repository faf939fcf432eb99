import { Option, type Command } from 'commander'
import type { Schemas } from '../../../typescript/index.ts'
import type { Session } from '../../session.ts'
import type { Column } from '../../terminal/table.ts'

type Key = Schemas['TsigKey']

const ALGORITHMS = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const

const COLUMNS: Column<Key>[] = [
  { title: 'NAME', of: ({ name }) => name },
  { title: 'ALGORITHM', of: ({ algorithm }) => algorithm },
  { title: 'LAST USED', of: ({ lastUsedAt }) => lastUsedAt ?? 'never' },
  { title: 'ID', of: ({ id }) => id },
]

/** Adds the commands for the TSIG keys of the token in use. */
export function addKeys(program: Command, session: Session): void {
  const keys = program
    .command('keys')
    .description('keys with which DNS updates are signed for the stored token: list, create, delete')

  keys
    .command('list', { isDefault: true })
    .description('list them; their secrets are not shown again')
    .action(async () => {
      const client = await session.client()
      await session.list(COLUMNS, (await client.GET('/api/v1/token/tsig-keys')).keys)
    })

  keys
    .command('create')
    .description('create a key, and print it as the key file of nsupdate')
    .addOption(new Option('--algorithm <NAME>', 'of the signatures').choices(ALGORITHMS))
    .action(async ({ algorithm }: { algorithm?: Key['algorithm'] }) => {
      const client = await session.client()
      const body = algorithm === undefined ? {} : { algorithm }
      const key = await client.POST('/api/v1/token/tsig-keys', { body })
      if (session.options.json) return session.answer(key)
      await session.say(`key "${key.name}" {\n  algorithm ${key.algorithm};\n  secret "${key.secret}";\n};`)
    })

  keys
    .command('delete ID')
    .description('delete a key; messages signed with it are refused from now on')
    .action(async (id: string) => {
      const client = await session.client()
      await client.DELETE('/api/v1/token/tsig-keys/{id}', { path: { id } })
      await session.note('Deleted')
    })
}
