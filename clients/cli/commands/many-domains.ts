import type { Command } from 'commander'
import type { RecordType, Schemas, Template, Zonekeeper } from '../../typescript/index.ts'
import { carryOutInDomains, DOMAINS_AT_A_TIME } from '../domains-plan.ts'
import { EXIT, Failure } from '../failures.ts'
import { findDomain } from '../../domain-names.ts'
import { given, repeated, seconds } from '../options.ts'
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

/** What concerns records of many domains at once. */
export function addManyDomains(program: Command, session: Session): void {
  program
    .command('replace [OLD] [NEW]')
    .description(
      'set another value or TTL for records of all domains: those with a value, with addresses of a network, or by --type and --name',
    )
    .option('--ttl <SECONDS>', 'the new TTL', seconds)
    .option('--type <TYPE>', 'only of this type')
    .option('--name <NAME>', 'only at this host name')
    .option('--domain <DOMAIN>', 'only there; may be said several times', repeated)
    .option('--group <GROUP>', 'only in domains of this group')
    .option('--tag <TAG>', 'only in domains with this tag')
    .action(async (old: string | undefined, value: string | undefined, options: ReplaceOptions) => {
      const { ttl, type, name, domain, group, tag } = options
      if (value === undefined && ttl === undefined) throw new Failure(EXIT.usage, 'Say a NEW value, or --ttl')
      if (old === undefined && type === undefined && name === undefined)
        throw new Failure(EXIT.usage, 'Say an OLD value or network, or --type or --name')
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
      await carryOutInDomains(session, client, plan, (planId) =>
        client.POST('/api/v1/records/replace/apply', { body: { planId } }),
      )
    })

  const templates = program.command('templates').description('sets of records for one or many domains')

  templates
    .command('list', { isDefault: true })
    .description('those that the token reaches')
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

  templates
    .command('apply TEMPLATE DOMAIN...')
    .description('make the records of a template in these domains')
    .option('--set <NAME=VALUE>', 'a variable; may be said several times', repeated)
    .option('--replace-sets', 'what is there of its names and types goes')
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
        await carryOutInDomains(session, client, plan, (planId) =>
          client.POST('/api/v1/templates/{id}/apply', { path: { id: template }, body: { planId } }),
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
  if (value === undefined) throw new Failure(EXIT.usage, `"${text}" is not NAME=VALUE`)
  return [name, value]
}
