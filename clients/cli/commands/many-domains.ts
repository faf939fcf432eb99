import type { Command } from 'commander'
import type { RecordType, Schemas, Template, Zonekeeper } from '../../typescript/index.ts'
import { confirmAndApplyInDomains, DOMAINS_AT_A_TIME } from '../domains-plan.ts'
import { EXIT, CliError } from '../failures.ts'
import { findDomain } from '../../domain-names.ts'
import { given, repeated, seconds } from '../options.ts'
import { laterOf, withLater } from '../requests/later.ts'
import type { Session } from '../session.ts'

interface ReplaceOptions {
  ttl?: number
  type?: RecordType
  name?: string
  domain?: string[]
  group?: string
  tag?: string
}

const limit = DOMAINS_AT_A_TIME

/** Adds the commands that change records of many domains. */
export function addManyDomains(program: Command, session: Session): void {
  withLater(
    program
      .command('replace [OLD] [NEW]')
      .description(
        'replace the value or TTL of records in all domains, found by value, by network, or by --type and --name',
      ),
  )
    .option('--ttl <SECONDS>', 'the new TTL', seconds)
    .option('--type <TYPE>', 'only records of this type')
    .option('--name <NAME>', 'only records with this host name')
    .option('--domain <DOMAIN>', 'only in this domain; can be given several times', repeated)
    .option('--group <GROUP>', 'only in domains of this group')
    .option('--tag <TAG>', 'only in domains with this tag')
    .action(async (old: string | undefined, value: string | undefined, options: ReplaceOptions) => {
      const { ttl, type, name, domain, group, tag } = options
      if (value === undefined && ttl === undefined)
        throw new CliError(EXIT.usage, 'Give a NEW value or --ttl')
      if (old === undefined && type === undefined && name === undefined)
        throw new CliError(EXIT.usage, 'Give an OLD value or network, or --type or --name')
      const client = await session.client()
      const scope: Schemas['DomainScope'] = given({
        group,
        tag,
        domainIds: domain && (await idsOf(client, domain)),
      })
      const plan = await client.POST('/api/v1/records/replace', {
        body: {
          find: {
            ...(old !== undefined && (isNetwork(old) ? { cidr: old } : { value: old })),
            ...given({ type: type?.toUpperCase(), name }),
          },
          replaceWith: given({ value, ttl }),
          scope,
          limit,
        },
      })
      await confirmAndApplyInDomains(session, client, plan, (planId) =>
        client.POST('/api/v1/records/replace/apply', {
          body: { planId, ...laterOf(session.options) },
        }),
      )
    })

  const templates = program
    .command('templates')
    .description('list and apply templates: records for one or many domains')

  templates
    .command('list', { isDefault: true })
    .description('list the templates the token can see')
    .action(async () => {
      const client = await session.client()
      await session.list<Template>(
        [
          { title: 'TEMPLATE', of: ({ id }) => id },
          { title: 'NAME', of: ({ name }) => name, long: true },
          {
            title: 'VARIABLES',
            of: ({ variables }) => variables.map(({ name }) => name).join(' '),
            long: true,
          },
        ],
        (await client.GET('/api/v1/templates')).templates,
      )
    })

  withLater(
    templates
      .command('apply TEMPLATE DOMAIN...')
      .description('create the records of a template in these domains'),
  )
    .option('--set <NAME=VALUE>', 'value of a variable; can be given several times', repeated)
    .option('--replace-sets', 'delete existing records of the same names and types')
    .action(
      async (
        template: string,
        names: string[],
        { set = [], replaceSets = false }: { set?: string[]; replaceSets?: boolean },
      ) => {
        const variables = Object.fromEntries(set.map(variableIn))
        const client = await session.client()
        const plan = await client.POST('/api/v1/templates/{id}/plan', {
          path: { id: template },
          body: {
            domainIds: await idsOf(client, names),
            variables,
            mode: replaceSets ? 'replaceSets' : 'add',
            limit,
          },
        })
        await confirmAndApplyInDomains(session, client, plan, (planId) =>
          client.POST('/api/v1/templates/{id}/apply', {
            path: { id: template },
            body: { planId, ...laterOf(session.options) },
          }),
        )
      },
    )
}

const isNetwork = (text: string) => /^[\d.]+\/\d+$|^[\da-f:.]*:[\da-f:.]*\/\d+$/i.test(text)

async function idsOf(client: Zonekeeper, names: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) ids.push((await findDomain(client, name)).id)
  return [...new Set(ids)]
}

function variableIn(text: string): [name: string, value: string] {
  const [name = '', value] = text.split(/=(.*)/s)
  if (value === undefined) throw new CliError(EXIT.usage, `"${text}" is not NAME=VALUE`)
  return [name, value]
}
