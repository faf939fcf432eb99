import type { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import type { Session } from '../../session.ts'
import { readLogin } from '../../settings.ts'

/** Adds the MCP server. */
export function addMcp(program: Command, session: Session): void {
  program
    .command('mcp')
    .description('serve tools for an assistant (MCP) on standard input and output')
    .addHelpText('after', '\nStarted by the assistant; docs/mcp.md explains how to set this up.')
    .action(async () => {
      const login = await readLogin(session.terminal.env)
      const [{ serveTools }, { createClient }] = await Promise.all([
        import('../../../mcp/stdio.ts'),
        import('../../../typescript/index.ts'),
      ])
      // No retries: the assistant gets the time to try again.
      serveTools(createClient({ ...login, client: 'mcp', retries: 0 }), manifest.version)
    })
}
