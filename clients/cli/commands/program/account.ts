import type { Command } from 'commander'
import { printable } from '../../../printable.ts'
import { EXIT, CliError } from '../../failures.ts'
import { ask, readInput } from '../../terminal/questions.ts'
import type { Session } from '../../session.ts'
import { addressOf, forgetLogin, loginFile, storeLogin } from '../../settings.ts'
import type { Terminal } from '../../terminal/terminal.ts'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Adds login, logout and whoami. */
export function addAccount(program: Command, session: Session): void {
  const { terminal } = session

  program
    .command('login [URL]')
    .description('store the URL of a service and a token for later commands')
    .addHelpText(
      'after',
      '\nPrompts for the token without showing it, or reads it from standard input if that is not a terminal.\n' +
        'ZONEKEEPER_URL and ZONEKEEPER_TOKEN override the stored values.',
    )
    .action(async (given?: string) => {
      const url = addressOf(given ?? (await askForAddress(terminal)))
      const { protocol, hostname } = new URL(url)
      if (protocol === 'http:' && !LOOPBACK.test(hostname))
        await session.note('Warning: without https:// the token can be read in transit.')
      const token = await readToken(terminal)
      session.url = url
      const { createClient } = await import('../../../typescript/index.ts')
      const { user } = await createClient({ url, token, client: 'cli' }).GET('/api/v1/token')
      const file = await storeLogin(terminal.env, { url, token })
      await session.note(`Token of ${user.username} stored in ${file}`)
    })

  program
    .command('logout')
    .description('delete the stored login; the token itself stays valid until it is revoked')
    .action(async () => {
      await forgetLogin(terminal.env)
      await session.note(`Deleted ${loginFile(terminal.env)}`)
    })

  program
    .command('whoami')
    .description('show the user and permissions of the token')
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
  if (terminal.stdin.isTTY) return ask(terminal, 'URL (such as https://dns.example.com): ')
  throw new CliError(EXIT.usage, 'Give the URL: zonekeeper login https://dns.example.com')
}

async function readToken(terminal: Terminal): Promise<string> {
  const token = terminal.stdin.isTTY
    ? await ask(terminal, 'Token (not shown): ', { secret: true })
    : (await readInput(terminal)).trim()
  if (!/^[\x21-\x7e]+$/.test(token)) throw new CliError(EXIT.usage, 'This is not a token')
  return token
}
