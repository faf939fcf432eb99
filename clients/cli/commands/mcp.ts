import type { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import type { Session } from '../session.ts'
import { readLogin } from '../settings.ts'

/** A place for assistants. */
export function addMcp(program: Command, session: Session): void {
  program
    .command('mcp')
    .description('tools for an assistant (MCP), on the standard streams')
    .addHelpText('after', '\nTo be started by the assistant: docs/mcp.md says how it is told to.')
    .action(async () => {
      const login = await readLogin(session.terminal.env)
      const [{ serveTools }, { createClient }] = await Promise.all([
        import('../../mcp/stdio.ts'),
        import('../../typescript/index.ts'),
      ])
      // Not repeated: who waits is the assistant, which is told when to come again.
      serveTools(createClient({ ...login, client: 'mcp', retries: 0 }), manifest.version)
    })
}
