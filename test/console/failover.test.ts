import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { startFailingZone } from '../failover/failing-zone.ts'
import { made } from './seed.ts'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { startConsole } from './service.ts'

/* Failover monitors: set up, changed and removed; what their checks found; switching, pausing and resuming by hand. */
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

/** Focuses a field as Tab would, and types. */
async function type(within: Locator, label: string | RegExp, text: string, nth = 0) {
  const field = within.getByLabel(label).nth(nth)
  await field.focus()
  await field.press('Control+a')
  await field.pressSequentially(text)
  return field
}

void t.test('a monitor is set up by the keyboard, with errors at the fields', async (t) => {
  await zone.add('A', 'shop', zone.primary.address, { ttl: 60 })
  const watched = await openConsole(browser, service.origin, { user: 'root' })
  const { page, context } = watched
  await page.goto('/failover')
  await main(page).getByRole('button', { name: 'New monitor' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New failover monitor' })
  const domain = await type(dialog, 'Domain', 'example')
  await page.getByRole('option', { name: 'example.com' }).waitFor()
  await domain.press('ArrowDown')
  await domain.press('Enter')
  const rrset = await type(dialog, 'Records', 'shop')
  await page.getByRole('option', { name: /^shop A/ }).waitFor()
  await rrset.press('ArrowDown')
  await rrset.press('Enter')
  const [first, second] = [1, 2].map((nth) => dialog.getByRole('group', { name: `Alternative ${nth}` }))
  if (!first || !second) throw new Error('no alternatives')
  await first.getByRole('listitem').getByText(zone.primary.address).waitFor()
  await (await type(second, /^Values/, '192.0.2.300')).press('Enter')
  await dialog.getByText('longer than the interval of 30 s').waitFor()
  await dialog.getByRole('radio', { name: 'HTTP' }).press('ArrowRight')
  await dialog.getByRole('radio', { name: 'TCP' }).press('ArrowLeft')
  await dialog.getByRole('checkbox', { name: 'Over TLS' }).press('Space')
  await type(dialog, /^Port/, String(zone.port))
  await type(dialog, /^Path/, '/health')
  await (await type(dialog, /^Status codes/, '200')).press('Enter')
  await type(dialog, /^Text in the body/, 'fine')
  await type(dialog, /^Timeout/, '29')
  await type(dialog, /^Interval/, '10')
  t.same(await faultsOf(watched), [])
  await dialog.getByRole('button', { name: 'Create monitor' }).press('Enter')
  const value = second.getByLabel(/^Values/).first()
  await dialog.locator('[aria-invalid=true]').first().waitFor()
  t.equal(await value.getAttribute('aria-invalid'), 'true', 'the wrong address')
  t.equal(await dialog.getByLabel(/^Timeout/).getAttribute('aria-invalid'), 'true', 'as long as the interval')
  t.same(
    (await faultsOf(watched)).filter((fault) => !fault.includes('400')),
    [],
  )
  await second.getByRole('button', { name: 'Remove 192.0.2.300' }).press('Enter')
  await second.locator('input[name="alternatives.1.values"]:focus').waitFor()
  await (await type(second, /^Values/, zone.backup.address)).press('Enter')
  await type(dialog, /^Timeout/, '1')
  await dialog.getByRole('button', { name: 'Create monitor' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await main(page).getByRole('region', { name: 'shop A' }).waitFor()
  const { monitors } = made(await service.admin.get('/api/failover-monitors'))
  const shop = (monitors as { name: string }[]).find(({ name }) => name === 'shop')
  t.match(shop, {
    alternatives: [
      { name: 'primary', values: [zone.primary.address] },
      { name: 'backup', values: [zone.backup.address] },
    ],
    check: { kind: 'http', tls: false, port: zone.port, path: '/health', status: [200], contains: 'fine' },
    intervalSeconds: 10,
    maintenance: [],
  })
  await context.close()
})

void t.test('a monitor is changed and removed by mouse', async (t) => {
  const { id: own } = await zone.watch('edited')
  const watched = await openConsole(browser, service.origin, { user: 'root' })
  const { page, context } = watched
  await page.goto('/failover')
  const card = main(page).getByRole('region', { name: 'edited A' })
  await card.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit monitor for edited A' })
  await dialog.getByRole('button', { name: 'Add alternative' }).click()
  const third = dialog.getByRole('group', { name: 'Alternative 3' })
  await third.getByLabel('Name').fill('third')
  await third
    .getByLabel(/^Values/)
    .first()
    .fill(zone.third.address)
  await third.getByRole('button', { name: 'Move third up' }).click()
  await dialog.getByText('Stay until somebody switches').click()
  await dialog.getByLabel(/^Hold-down/).fill('120')
  await dialog.getByRole('button', { name: 'Add window' }).click()
  const window = dialog.getByRole('group', { name: 'Window 1' })
  await window.getByLabel('From', { exact: true }).fill('2027-01-08T23:00')
  await window.getByLabel('Until', { exact: true }).fill('2027-01-08T22:00')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await window.locator('input[name="maintenance.0.until"][aria-invalid=true]').waitFor()
  t.same(
    (await faultsOf(watched)).filter((fault) => !fault.includes('400')),
    [],
  )
  await window.getByLabel('Until', { exact: true }).fill('2027-01-08T23:30')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.match(await zone.read(own), {
    alternatives: [{ name: 'primary' }, { name: 'third', values: [zone.third.address] }, { name: 'backup' }],
    back: 'manual',
    holdDownSeconds: 120,
    maintenance: [{ from: String, until: String }],
    check: { kind: 'http', port: zone.port, contains: 'fine' },
  })
  await card.getByRole('button', { name: 'Remove' }).click()
  const asked = page.getByRole('alertdialog', { name: 'Remove the monitor for edited A?' })
  await asked.getByRole('button', { name: 'Remove' }).click()
  await card.waitFor({ state: 'detached' })
  t.equal((await service.admin.get(`/api/failover-monitors/${own}`)).status, 404)
  t.same(zone.there('edited', 'A'), [zone.primary.address], 'the records stay')
  t.same(await faultsOf(watched), [])
  await context.close()
})

void t.test(
  'who may only read sees monitors, and no form; who may write a name is offered that one',
  async (t) => {
    await service.addUser('ada')
    const assignment = { username: 'ada', domainId: zone.domainId, subdomainPattern: '*', permission: 'read' }
    made(await service.admin.post('/api/assignments', assignment))
    const watched = await openConsole(browser, service.origin, { user: 'ada' })
    const { page, context } = watched
    await page.goto('/failover')
    const card = main(page).getByRole('region', { name: 'www A' })
    await card.waitFor()
    t.same(await faultsOf(watched), [])
    for (const name of ['New monitor', 'Edit', 'Remove', 'Pause'])
      t.equal(await main(page).getByRole('button', { name, exact: true }).count(), 0, name)
    const more = { ...assignment, subdomainPattern: 'own', permission: 'write' }
    await zone.add('A', 'own', zone.primary.address, { ttl: 60 })
    made(await service.admin.post('/api/assignments', more))
    await page.reload()
    await main(page).getByRole('button', { name: 'New monitor' }).click()
    const dialog = page.getByRole('dialog', { name: 'New failover monitor' })
    await dialog.getByLabel('Domain').click()
    await page.getByRole('option', { name: 'example.com' }).click()
    await dialog.getByLabel('Records').click()
    await page.getByRole('option', { name: /^own A/ }).waitFor()
    t.equal(await page.getByRole('option').count(), 1, 'only what she may change')
    await context.close()
  },
)
