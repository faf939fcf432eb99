import t from 'tap'
import { PASSWORD } from '../helpers/app.ts'
import { addTotp, ageSessions, calm, codeOf } from '../auth/two-factor/steps.ts'
import { openConsole, startBrowser } from './browser.ts'
import { startConsole } from './service.ts'

/* The console of somebody who must have a second factor, and of tokens with a longest life, in a real browser. */
t.setTimeout(300_000)

const service = await startConsole(t, {
  environment: { REQUIRE_SECOND_FACTOR: 'admins', MAX_TOKEN_DAYS: '30' },
})
const browser = await startBrowser(t)

void t.test('107. new administrators set up a second factor before they continue', async (t) => {
  await addTotp(service.admin)
  const userId = await service.addUser('ada')
  const { page, context } = await openConsole(browser, service.origin, { user: 'ada' })
  await page.goto('/domains')
  await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor()
  await service.admin.put(`/api/users/${userId}`, { role: 'admin' })
  await ageSessions(service, userId)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor()
  await page.getByText('No passkeys yet.').waitFor()
  t.equal(await page.getByRole('navigation').count(), 0, 'no way to pages that are refused')
  await page
    .getByRole('region', { name: 'Authenticator app' })
    .getByRole('button', { name: 'Set up' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  const secret = await dialog.getByRole('textbox', { name: 'Secret' }).inputValue()
  await calm()
  await dialog
    .getByRole('textbox', { name: '2. Enter the code that the app shows' })
    .fill(codeOf(secret, -30))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const asking = page.getByRole('dialog', { name: 'Confirm your password' })
  await asking.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await asking.getByRole('button', { name: 'Confirm' }).click()
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  await codes.waitFor()
  t.equal(await codes.getByRole('listitem').count(), 10)
  await codes.getByRole('button', { name: 'I’ve saved them' }).click()
  await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor()

  await page.goto('/account/tokens')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('dialog', { name: 'Create token' }).getByText('At most 30 days from now').waitFor()
  await context.close()
})

void t.test('signing out works, and the page is translated', async (t) => {
  await service.addUser('grace', 'admin')
  const watched = await openConsole(browser, service.origin, { user: 'grace', settings: { language: 'zh' } })
  await watched.page.goto('/')
  await watched.page.getByRole('heading', { level: 1, name: '设置两步验证' }).waitFor()
  await watched.page.getByRole('button', { name: '退出登录' }).click()
  await watched.page.waitForURL('**/sign-in')
  t.ok(true)
  await watched.context.close()
})
