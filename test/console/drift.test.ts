import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { startZone } from '../helpers/zone.ts'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { made } from './seed.ts'
import { startConsole } from './service.ts'

/* Changes made at the DNS provider: what a domain does about them, where they show, and how they are put back. */
t.setTimeout(300_000)

const service = await startConsole(t)
const { app, admin, origin } = service
const browser = await startBrowser(t)
const zone = await startZone(t, { app: service })
const { domainId } = zone
await zone.add('A', 'www', '192.0.2.1')
made(await admin.put(`/api/domains/${domainId}`, { syncInterval: 5 }))

const main = (page: Page) => page.getByRole('main')
const outside = (value: string) =>
  zone.fake.patch('example.com', [
    {
      name: 'www.example.com.',
      type: 'A',
      ttl: 300,
      changetype: 'REPLACE',
      records: [{ content: value, disabled: false }],
    },
  ])
/** The automatic sync, as if its interval were over. */
async function turn(): Promise<void> {
  await sql`update domains set sync_due_at = now() where id = ${domainId}`.execute(service.database.db)
  await app.work.run('records.sync')
}

void t.test('a change that was adopted is marked in the history', async (t) => {
  outside('192.0.2.9')
  await turn()
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page, context } = watched
  await page.goto(`/domains/${domainId}/history`)
  const line = main(page).getByRole('listitem').filter({ hasText: 'changed outside' })
  await line.getByText('www').waitFor()
  t.equal(await main(page).getByText('changed outside').count(), 1)
  t.same(await faultsOf(watched), [])
  await context.close()
})

void t.test('a domain that alerts says that it differs, and its records are put back', async (t) => {
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page, context } = watched
  await page.goto(`/domains/${domainId}/settings`)
  const card = main(page).getByRole('region', { name: 'Changes made elsewhere' })
  await card.getByText('Nothing is changed, and you are notified.').click()
  await card.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  t.match(made(await admin.get(`/api/domains/${domainId}`)), { driftPolicy: 'alert', driftFoundAt: null })
  outside('192.0.2.66')
  await turn()
  await page.goto(`/domains/${domainId}/records`)
  await main(page).getByRole('link', { name: 'differs from the provider' }).click()
  await main(page).getByText('192.0.2.66').first().waitFor()
  t.same(await faultsOf(watched), [])
  await main(page).getByRole('button', { name: 'Put back at the provider' }).click()
  await page
    .getByRole('alertdialog', { name: 'Put back what is stored here?' })
    .getByRole('button', { name: 'Put back at the provider' })
    .click()
  await page.getByText('The provider’s records now match those here').waitFor()
  await main(page).getByRole('link', { name: 'differs from the provider' }).waitFor({ state: 'detached' })
  t.same(zone.there('www', 'A'), ['192.0.2.9'])
  await context.close()
})

void t.test('putting back a large part of a zone is asked for with the counts and the name', async (t) => {
  const names = Array.from({ length: 12 }, (_, at) => `many${at}`)
  const create = (name: string) => ({ action: 'create', recordType: 'A', name, value: '192.0.2.20' })
  made(await admin.post(`/api/domains/${domainId}/records/apply`, { changes: names.map(create) }))
  zone.fake.patch(
    'example.com',
    names.slice(0, 6).map((name) => ({
      name: `${name}.example.com.`,
      type: 'A',
      ttl: 300,
      changetype: 'DELETE',
      records: [],
    })),
  )
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page, context } = watched
  await page.goto(`/domains/${domainId}/sync`)
  const putBack = (dialog: Page | Locator) => dialog.getByRole('button', { name: 'Put back at the provider' })
  await putBack(page).click()
  await putBack(page.getByRole('alertdialog', { name: 'Put back what is stored here?' })).click()
  const much = page.getByRole('alertdialog', { name: 'Change this much at the provider?' })
  await much.getByText('6 records are added there').waitFor()
  t.ok(await putBack(much).isDisabled(), 'not before the name is typed')
  t.same(zone.there('many0', 'A'), [], 'nothing is sent yet')
  t.same(
    (await faultsOf(watched)).filter((fault) => !fault.includes('409')),
    [],
  )
  await much.getByRole('textbox').fill('example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('The provider’s records now match those here').waitFor()
  await much.waitFor({ state: 'detached' })
  for (const name of names) t.same(zone.there(name, 'A'), ['192.0.2.20'])
  await context.close()
})
