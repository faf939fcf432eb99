import type { Command } from 'commander'
import type { Schemas } from '../../../typescript/index.ts'
import { printable } from '../../../printable.ts'
import { isId } from '../../../domain-names.ts'
import { EXIT, CliError } from '../../failures.ts'
import { confirm } from '../../terminal/questions.ts'
import { minuteOf } from '../../terminal/table.ts'
import type { Session } from '../../session.ts'

type Token = Schemas['ListedToken']

/** Adds the commands for the tokens of the user. */
export function addTokens(program: Command, session: Session): void {
  const tokens = program.command('tokens').description('list and revoke your tokens')

  tokens
    .command('list', { isDefault: true })
    .description('list your tokens, without the tokens themselves')
    .action(async () => {
      const client = await session.client()
      await session.list<Token>(
        [
          { title: 'ID', of: ({ id }) => id },
          { title: 'NAME', of: ({ name }) => name, long: true },
          { title: 'TOKEN', of: ({ tokenPrefix, tokenSuffix }) => `${tokenPrefix}…${tokenSuffix ?? ''}` },
          { title: 'USED', of: ({ lastUsedAt }) => minuteOf(lastUsedAt ?? '') },
          { title: 'UNTIL', of: ({ expiresAt }) => minuteOf(expiresAt ?? '') },
          { title: 'MAY', of: ({ permissions }) => permissions.join(' '), long: true },
        ],
        (await client.GET('/api/v1/tokens')).tokens,
      )
    })

  tokens
    .command('revoke TOKEN')
    .description('revoke a token, with those it replaced or was replaced by; TOKEN is its id or name')
    .action(async (idOrName: string) => {
      const client = await session.client()
      const { tokens: all } = await client.GET('/api/v1/tokens')
      const token = only(all, idOrName)
      await confirm(session, `Revoke ${printable(token.name)}?`)
      await client.DELETE('/api/v1/tokens/{id}', { path: { id: token.id } })
      await session.note(`${printable(token.name)} revoked`)
    })
}

function only(all: Token[], idOrName: string): Token {
  const found = all.filter(({ id, name }) => (isId(idOrName) ? id === idOrName : name === idOrName))
  const [token, ...others] = found
  if (!token) throw new CliError(EXIT.notFound, `You have no token ${idOrName}`)
  if (others.length === 0) return token
  const ids = found.map(({ id }) => id).join(', ')
  throw new CliError(EXIT.usage, `Several tokens are named ${idOrName}; use an id (${ids})`)
}
