import type { Page } from 'playwright-core'
import t from 'tap'
import { startFailingZone } from '../failover/failing-zone.ts'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { startConsole } from './service.ts'

/* Failover monitors: what their checks found, and switching, pausing and resuming by hand. */
t.setTimeout(300_000)

const service = await startConsole(t)
const zone = await startFailingZone(t, { app: service })
const browser = await startBrowser(t)
const { id } = await zone.watch('www')
const main = (page: Page) => page.getByRole('main')

void t.test('a monitor shows its checks, and is switched by hand', async (t) => {
  await zone.when(id, 'the first checks', ({ alternatives }) =>
    (alternatives as { history: unknown[] }[]).every(({ history }) => history.length > 0),
  )
  const watched = await openConsole(browser, service.origin, { user: 'root' })
  const { page, context } = watched
  await page.goto('/failover')
  const card = main(page).getByRole('region', { name: 'www A' })
  await card.getByRole('img', { name: /^primary: / }).waitFor()
  const primary = card.getByRole('listitem').filter({ hasText: zone.primary.address })
  const backup = card.getByRole('listitem').filter({ hasText: zone.backup.address })
  await primary.getByText('served', { exact: true }).waitFor()
  t.same(await faultsOf(watched), [])
  await backup.getByRole('button', { name: 'Switch to backup' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Switch to backup?' })
  await dialog.getByText('Also if its checks fail').click()
  await dialog.getByRole('button', { name: 'Switch to backup' }).click()
  await backup.getByText('served', { exact: true }).waitFor()
  await card.getByText('Paused by a user.').waitFor()
  t.same(zone.there('www', 'A'), [zone.backup.address])
  await card.getByRole('button', { name: 'Resume' }).click()
  await card.getByRole('button', { name: 'Pause' }).waitFor()
  t.same(await faultsOf(watched), [])
  await context.close()
})
