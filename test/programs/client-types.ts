import { createCalls } from '../../clients/typescript/calls.ts'
import { createClient, type Schemas } from '../../clients/typescript/index.ts'
import type { ConsoleApi } from '../../clients/typescript/schema.ts'

/*
 * Calls that give only what is required: `npm run typecheck` compiles them, nothing runs them. A line that must not
 * compile says so by `@ts-expect-error`, which is an error where the line would compile.
 */
const id = '0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'
const changes: Schemas['RecordChanges']['changes'] = [
  { action: 'create', recordType: 'A', name: 'www', value: '192.0.2.10' },
  { action: 'update', recordId: id, ttl: 300 },
  { action: 'delete', recordId: id },
]

/** What programs call by token. */
export async function callsOfPrograms(): Promise<void> {
  const dns = createClient({ url: 'http://localhost:3000', token: 'zk_…' })
  const { domains } = await dns.GET('/api/v1/domains', { query: { limit: 5 } })
  domains.map(({ name }) => name.length)
  await dns.GET('/api/v1/domains')
  // @ts-expect-error a path parameter is missing
  await dns.GET('/api/v1/domains/{id}')
  // @ts-expect-error nothing is sent to a list
  await dns.PUT('/api/v1/domains', {})
  // @ts-expect-error people sign in, programs don't
  await dns.POST('/api/auth/login', { body: { username: 'ada', password: 'secret' } })

  const plan = await dns.POST('/api/v1/domains/{id}/records/plan', { path: { id }, body: { changes } })
  for (const { before } of plan.updates) {
    const value: string | undefined = before?.value
    // @ts-expect-error before may be null
    plan.warnings.push(value ?? before.value)
  }
  await dns.POST('/api/v1/domains/{id}/records/plan', {
    path: { id },
    // @ts-expect-error an update needs the id of a record
    body: { changes: [{ action: 'update', ttl: 300 }] },
  })
  await dns.POST('/api/v1/domains/{id}/sync', { path: { id }, query: { dryRun: true } })
  await dns.PUT('/api/v1/domains/{id}', { path: { id }, body: {}, headers: { 'if-match': '"1"' } })
}

/** What the console calls for people. */
export async function callsOfTheConsole(): Promise<string[]> {
  const api = createCalls<ConsoleApi>(() => Promise.resolve())
  const login = await api.POST('/api/auth/login', { body: { username: 'ada', password: 'secret' } })
  const token: string = login.outcome === 'signed_in' ? login.accessToken : login.tempToken
  // @ts-expect-error only a finished sign-in has an access token
  const early: string = login.accessToken

  const webhook = { channel: 'webhook', name: 'Operations', config: { url: 'https://hooks.example.com/' } }
  const email = { channel: 'email', name: 'Operations', config: { to: ['ops@example.com'] } } as const
  await api.POST('/api/notifications', {
    body: { ...webhook, channel: 'webhook', events: ['domain.*', 'domain.expiring'] },
  })
  await api.POST('/api/notifications', {
    body: { ...email, config: { to: ['a@example.com'] }, events: ['*'] },
  })
  await api.POST('/api/notifications', {
    // @ts-expect-error unknown event
    body: { ...webhook, channel: 'webhook', events: ['domain.eaten'] },
  })

  const { notifications } = await api.GET('/api/notifications')
  for (const { event, metadata } of notifications) {
    // @ts-expect-error unknown event
    if (event === 'domain.eaten') continue
    if (event === 'domain.expiring') return [String(metadata.daysLeft + 1)]
    // @ts-expect-error other events have no daysLeft
    return [token, early, String(metadata.daysLeft)]
  }
  const { entries } = await api.GET('/api/audit')
  // @ts-expect-error unknown action
  return entries.filter(({ action }) => action === 'domain.eaten').map(({ target }) => target.id)
}
