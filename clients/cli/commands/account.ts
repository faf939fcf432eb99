import type { Command } from 'commander'
import { printable } from '../../printable.ts'
import { EXIT, Failure } from '../failures.ts'
import { ask, readInput } from '../questions.ts'
import type { Session } from '../session.ts'
import { addressOf, forgetLogin, loginFile, storeLogin } from '../settings.ts'
import type { Terminal } from '../terminal.ts'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Who calls: login, logout, whoami. */
export function addAccount(program: Command, session: Session): void {
  const { terminal } = session

  program
    .command('login [URL]')
    .description('keep the address of a service and a token for the next runs')
    .addHelpText(
      'after',
      '\nThe token is asked for, and not shown; without a terminal it is the standard input.\n' +
        'ZONEKEEPER_URL and ZONEKEEPER_TOKEN stand before what is kept.',
    )
    .action(async (given?: string) => {
      const url = addressOf(given ?? (await askForAddress(terminal)))
      const { protocol, hostname } = new URL(url)
      if (protocol === 'http:' && !LOOPBACK.test(hostname))
        await session.note('Without https:// everybody on the way can read the token.')
      const token = await readToken(terminal)
      session.url = url
      const { createClient } = await import('../../typescript/index.ts')
      const { user } = await createClient({ url, token, client: 'cli' }).GET('/api/v1/token')
      const file = await storeLogin(terminal.env, { url, token })
      await session.note(`The token of ${user.username} is kept in ${file}`)
    })

  program
    .command('logout')
    .description('forget what login kept; the token itself stays good until it is revoked')
    .action(async () => {
      await forgetLogin(terminal.env)
      await session.note(`Forgotten: ${loginFile(terminal.env)}`)
    })

  program
    .command('whoami')
    .description('whose token it is, and what it may do')
    .action(async () => {
      const client = await session.client()
      const answer = await client.GET('/api/v1/token')
      if (session.options.json) return session.answer(answer)
      const { user, name, permissions, restrictions, expiresAt } = answer
      const { domainIds, namePatterns, recordTypes, ipRanges } = restrictions ?? {}
      const lines = Object.entries({
        user: `${user.username} (${user.role})`,
        service: session.url,
        token: name,
        may: permissions.join(' '),
        domains: domainIds?.join(' '),
        names: namePatterns?.join(' '),
        types: recordTypes?.join(' '),
        from: ipRanges?.join(' '),
        until: expiresAt,
      })
      for (const [field, value] of lines)
        if (value) await session.say(`${field.padEnd(10)}${printable(value)}`)
    })
}

async function askForAddress(terminal: Terminal): Promise<string> {
  if (terminal.stdin.isTTY) return ask(terminal, 'Address (such as https://dns.example.com): ')
  throw new Failure(EXIT.usage, 'Name the address: zonekeeper login https://dns.example.com')
}

async function readToken(terminal: Terminal): Promise<string> {
  const token = terminal.stdin.isTTY
    ? await ask(terminal, 'Token (is not shown): ', { secret: true })
    : (await readInput(terminal)).trim()
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Failure(EXIT.usage, 'That is no token')
  return token
}
