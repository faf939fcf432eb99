import t from 'tap'
import { openConsole, startBrowser } from './browser.ts'
import { startConsole } from './service.ts'

/* The page that shows the API description works under its policy, which lets nothing from elsewhere in. */

const { origin } = await startConsole(t)
const browser = await startBrowser(t)

void t.test('/docs shows an operation without policy violations', async (t) => {
  const { page, context, seen } = await openConsole(browser, origin)
  await page.goto('/docs')
  await page.locator('.opblock-summary-path[data-path="/api/site"]').first().click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('button', { name: 'Execute', exact: true }).click()
  await page.locator('.live-responses-table .response-col_status').filter({ hasText: '200' }).waitFor()
  t.same(await page.evaluate('window.refused'), [])
  t.same(seen, [])
  await context.close()
})
