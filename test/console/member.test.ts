import t from 'tap'
import { PASSWORD } from '../helpers/app.ts'
import { faultsOf, openConsole, settled, startBrowser } from './browser.ts'
import { viewPaths } from './paths.ts'
import { seed } from './seed.ts'
import { startConsole } from './service.ts'
import { INSIDE } from './state-cases.ts'

/*
 * The console of somebody who is no administrator and has a part of one domain: what they may not use is not shown,
 * and the addresses of it say so in words.
 */
t.setTimeout(540_000)

const service = await startConsole(t)
const { ids } = await seed(service)
const browser = await startBrowser(t)

/** Pages of administrators. */
const FOR_ADMINISTRATORS = new Set([
  '/audit',
  '/channels',
  '/channels/$id',
  '/sign-in-providers',
  '/users',
  '/users/$id',
  '/users/invitations',
])
/** Things of others: not theirs to see. */
const OF_OTHERS = new Set(['/providers/$id', '/templates/$id'])

/** What those pages ask for; the list of sign-in providers is for all who are signed in, to bind one. */
const READS = ['/api/audit', '/api/notifications/configs', '/api/users', '/api/invitations']
const WRITES = [
  [
    '/api/oauth/providers',
    { providerId: 'github', clientId: 'c', clientSecret: 's', scope: 'user', enabled: true },
  ],
  ['/api/users', { username: 'eve', role: 'admin', password: PASSWORD }],
  ['/api/invitations', { role: 'admin' }],
] as const

void t.test('every page as a member', async (t) => {
  const watched = await openConsole(browser, service.origin, { user: 'ada' })
  const { page, seen } = watched
  const main = page.getByRole('main')
  await page.goto('/')
  await settled(page)
  const rail = await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link').allInnerTexts()
  t.strictSame(
    rail.map((text) => text.trim()),
    [
      'Zonekeeper',
      'Dashboard',
      'Domains',
      'Search',
      'Change requests',
      'Health',
      'Failover',
      'Access requests',
      'DNS providers',
      'Templates',
    ],
  )
  for (const path of viewPaths().filter((one) => one in INSIDE)) {
    await page.goto(path.replace('$id', ids[path.split('/')[1] ?? ''] ?? ''))
    if (FOR_ADMINISTRATORS.has(path)) {
      await main.getByText('Only administrators can use this page.').waitFor()
      t.ok(await main.getByRole('link', { name: 'Go to dashboard' }).isVisible(), path)
      continue
    }
    await settled(page)
    if (OF_OTHERS.has(path)) {
      t.ok(await main.getByText('don’t have access to it.').isVisible(), path)
      seen.splice(0)
    } else {
      t.same(await faultsOf(watched), [], path)
      t.equal(await main.getByRole('alert').count(), 0, `${path}: nothing failed`)
    }
  }
  const ada = await service.signIn('ada')
  const calls = [...READS.map((url) => ada.get(url)), ...WRITES.map(([url, body]) => ada.post(url, body))]
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  t.strictSame(new Set(statuses), new Set([403]), `and the service refuses: ${statuses.join(' ')}`)
  await watched.context.close()
})
