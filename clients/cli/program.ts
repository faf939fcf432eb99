import { Command } from 'commander'
import { addAssignments } from './commands/access/assignments.ts'
import { addAudit } from './commands/access/audit.ts'
import { addChannels } from './commands/access/channels.ts'
import { addTokens } from './commands/access/tokens.ts'
import { addWait } from './commands/live/wait.ts'
import { addWatch } from './commands/live/watch.ts'
import { addMan } from './commands/program/man.ts'
import { addDnssec } from './commands/settings/dnssec.ts'
import { addOutputFormats, takeFormat } from './terminal/output-format.ts'
import { addAccount } from './commands/program/account.ts'
import { addChangeRequests } from './commands/change-requests.ts'
import { addCompletion } from './commands/program/completion.ts'
import { addDomains } from './commands/domains.ts'
import { addFailover } from './commands/failover.ts'
import { addHealth } from './commands/health.ts'
import { addHistory } from './commands/history.ts'
import { addLater } from './commands/later.ts'
import { addVerification } from './commands/verification.ts'
import { addManyDomains } from './commands/many-domains.ts'
import { addKeys } from './commands/program/keys.ts'
import { addMcp } from './commands/program/mcp.ts'
import { addMirrors } from './mirrors/commands.ts'
import { addPlans } from './commands/plans.ts'
import { addRecords } from './commands/records.ts'
import { addSearch } from './commands/search.ts'
import { addZones } from './commands/zones.ts'
import manifest from './package.json' with { type: 'json' }
import type { GlobalOptions, Session } from './session.ts'

/** Creates the commands. Help and completion work without the service. */
export function createProgram(session: Session): Command {
  const { stdout, stderr } = session.terminal
  const program = new Command('zonekeeper')
    .description('Manage the domains and DNS records of a Zonekeeper service')
    .version(manifest.version)
    .option('--json', "print the API's JSON and never prompt")
    .option('-y, --yes', 'apply changes without confirmation')
    .showHelpAfterError('(run zonekeeper COMMAND --help for details)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
    })
    .hook('preAction', (_, command) => {
      session.format = takeFormat(command)
      session.options = {
        ...command.optsWithGlobals<GlobalOptions>(),
        json: session.format !== 'table',
      }
    })
  addAccount(program, session)
  addDomains(program, session)
  addRecords(program, session)
  addPlans(program, session)
  addChangeRequests(program, session)
  addZones(program, session)
  addMirrors(program, session)
  addHistory(program, session)
  const changes = program
    .command('changes')
    .description(
      'changes that wait for their time or to be confirmed, and whether the name servers serve them',
    )
  addLater(changes, session)
  addVerification(changes, session)
  addSearch(program, session)
  addHealth(program, session)
  addFailover(program, session)
  addManyDomains(program, session)
  addKeys(program, session)
  addDnssec(program, session)
  addAssignments(program, session)
  addTokens(program, session)
  addChannels(program, session)
  addAudit(program, session)
  addWatch(program, session)
  addWait(program, session)
  addMcp(program, session)
  addMan(program, session)
  addCompletion(program, session)
  addOutputFormats(program)
  return program
}
