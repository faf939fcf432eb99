import type { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import type { Session } from '../../session.ts'

/** Adds the MCP server. */
export function addMcp(program: Command, session: Session): void {
  program
    .command('mcp')
    .description('serve tools for an assistant (MCP) on standard input and output')
    .addHelpText('after', '\nStarted by the assistant; docs/mcp.md explains how to set this up.')
    .action(async () => {
      const { serveLogin } = await import('../../../mcp/login.ts')
      await serveLogin(session.terminal.env, manifest.version)
    })
}
