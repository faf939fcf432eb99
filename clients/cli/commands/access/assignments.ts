import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Assignment, RecordType, Schemas } from '../../../typescript/index.ts'
import { every } from '../../../typescript/paging.ts'
import { findDomain, isId } from '../../../domain-names.ts'
import { confirm } from '../../terminal/questions.ts'
import { minuteOf } from '../../terminal/table.ts'
import { given, repeated, time } from '../../options.ts'
import type { Session } from '../../session.ts'

const LIMIT = 200

interface GrantOptions {
  permission: Schemas['AssignmentPermission']
  names?: string
  type?: RecordType[]
  until?: string
}

interface ChangeOptions extends Partial<Omit<GrantOptions, 'names'>> {
  allTypes?: boolean
}

function assignment(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('Give the id of an assignment, as the list shows it.')
  return text
}

const permission = () => new Option('--permission <PERMISSION>').choices(['read', 'write'])

/** Adds the commands for permissions of others on domains. */
export function addAssignments(program: Command, session: Session): void {
  const assignments = program
    .command('assignments')
    .description('list, grant, change and revoke permissions of users on domains')

  assignments
    .command('list', { isDefault: true })
    .description('list the permissions that the token can see')
    .option('--domain <DOMAIN>', 'only on this domain')
    .action(async ({ domain }: { domain?: string }) => {
      const client = await session.client()
      const domainId = domain === undefined ? undefined : (await findDomain(client, domain)).id
      const filters = { limit: LIMIT, ...given({ domainId }) }
      await session.list<Assignment>(
        COLUMNS,
        every('assignments', (page) => client.GET('/api/v1/assignments', { query: { ...filters, ...page } })),
      )
    })

  assignments
    .command('grant DOMAIN USER')
    .description('give a user a permission on a domain or some of its names')
    .addOption(permission().default('read'))
    .option('--names <PATTERN>', 'only these names: app, *.dev, @ for the apex')
    .option('--type <TYPE>', 'only records of this type may be changed; can be given several times', repeated)
    .option('--until <TIME>', 'end of the permission, such as 2026-12-31T00:00:00Z', time)
    .action(async (name: string, username: string, options: GrantOptions) => {
      const client = await session.client()
      const domain = await findDomain(client, name)
      const { permission: wanted, names, type, until } = options
      const body = {
        domainId: domain.id,
        username,
        permission: wanted,
        ...given({ subdomainPattern: names, recordTypes: typesOf(type), expiresAt: until }),
      }
      await confirm(session, `Let ${username} ${wanted} ${names ?? 'all names'} of ${domain.name}?`)
      const made = await client.POST('/api/v1/assignments', { body })
      if (session.options.json) return session.answer(made)
      await session.say(`${made.username} may ${made.permission} ${made.host}: ${made.id}`)
    })

  assignments
    .command('change')
    .argument('ASSIGNMENT', 'id, as the list shows it', assignment)
    .description('change the permission, the record types or the end of an assignment')
    .addOption(permission())
    .option('--type <TYPE>', 'only records of this type may be changed; can be given several times', repeated)
    .option('--all-types', 'records of all types may be changed')
    .option('--until <TIME>', 'end of the permission, such as 2026-12-31T00:00:00Z', time)
    .action(async (id: string, { permission: wanted, type, allTypes, until }: ChangeOptions) => {
      const client = await session.client()
      const recordTypes = allTypes ? null : typesOf(type)
      await confirm(session, 'Change this permission?')
      const changed = await client.PUT('/api/v1/assignments/{id}', {
        path: { id },
        body: given({ permission: wanted, recordTypes, expiresAt: until }),
      })
      if (session.options.json) return session.answer(changed)
      await session.say(`${changed.username} may ${changed.permission} ${changed.host}`)
    })

  assignments
    .command('revoke')
    .argument('ASSIGNMENT', 'id, as the list shows it', assignment)
    .description('end a permission')
    .action(async (id: string) => {
      const client = await session.client()
      const {
        username,
        host,
        permission: was,
      } = await client.GET('/api/v1/assignments/{id}', { path: { id } })
      await confirm(session, `End ${was} of ${username} on ${host}?`)
      await client.DELETE('/api/v1/assignments/{id}', { path: { id } })
      await session.note(`${username} may no longer ${was} ${host}`)
    })
}

const typesOf = (types: RecordType[] | undefined) => types?.map((type) => type.toUpperCase())

const COLUMNS = [
  { title: 'ID', of: ({ id }: Assignment) => id },
  { title: 'USER', of: ({ username }: Assignment) => username },
  { title: 'NAMES', of: ({ host }: Assignment) => host, long: true },
  { title: 'MAY', of: ({ permission: may }: Assignment) => may },
  { title: 'TYPES', of: ({ recordTypes }: Assignment) => recordTypes?.join(' ') ?? 'all', long: true },
  { title: 'UNTIL', of: ({ expiresAt }: Assignment) => minuteOf(expiresAt ?? '') },
  { title: 'BY', of: ({ createdByName }: Assignment) => createdByName },
]
