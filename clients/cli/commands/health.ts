import { Option, type Command } from 'commander'
import type { Schemas } from '../../typescript/index.ts'
import { every } from '../../typescript/paging.ts'
import { findDomain } from '../../domain-names.ts'
import { given } from '../options.ts'
import type { Session } from '../session.ts'

const LIMIT = 100

interface HealthOptions {
  severity?: 'error' | 'warning' | 'info'
  check?: true
}

/** Adds the findings of health checks. */
export function addHealth(program: Command, session: Session): void {
  program
    .command('health [DOMAIN]')
    .description('list what is wrong with a domain or all domains, most severe first')
    .addOption(
      new Option('--severity <SEVERITY>', 'only findings of this severity').choices([
        'error',
        'warning',
        'info',
      ]),
    )
    .option('--check', 'check the domain now, or all domains in the background')
    .action(async (domain: string | undefined, { check, severity }: HealthOptions) => {
      const client = await session.client()
      const id = domain === undefined ? undefined : (await findDomain(client, domain)).id
      if (check && id !== undefined) await client.POST('/api/v1/domains/{id}/health/check', { path: { id } })
      else if (check) await client.POST('/api/v1/health-findings/check')
      const query = { ...given({ severity, domainId: id }), limit: LIMIT }
      await session.list<Schemas['HealthFinding']>(
        [
          { title: 'SEVERITY', of: (finding) => finding.severity },
          { title: 'DOMAIN', of: ({ domainName }) => domainName, long: true },
          { title: 'NAME', of: ({ name }) => name, long: true },
          { title: 'CODE', of: ({ code }) => code },
          { title: 'WHAT', of: ({ detail }) => detail, long: true },
        ],
        every('findings', (page) => client.GET('/api/v1/health-findings', { query: { ...query, ...page } })),
      )
    })
}
