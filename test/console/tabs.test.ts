import type { Page } from 'playwright-core'
import t from 'tap'
import { call, PASSWORD } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { openConsole, startBrowser } from './browser.ts'
import { addManual, made } from './seed.ts'
import { startConsole } from './service.ts'
import { addRecord, chooseInAccountMenu, openRecords, signIn, signOut, staging } from './steps.ts'

/* Several tabs of one browser, two languages, and tokens for programs, in a real browser. */
t.setTimeout(300_000)

const service = await startConsole(t)
const { admin } = service
const browser = await startBrowser(t)
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

void t.test('a language change applies to all tabs and survives a reload', async (t) => {
  await service.addUser('ada')
  const { page, context } = await openConsole(browser, service.origin, { locale: 'zh-CN' })
  await page.goto('/sign-in')
  await page.getByRole('textbox', { name: '用户名或电子邮箱' }).fill('ada')
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await heading(page, '概览').waitFor()
  const second = await context.newPage()
  await second.goto('/domains')
  await heading(second, '域名').waitFor()

  await chooseInAccountMenu(page, 'ada', 'English')
  await heading(page, 'Dashboard').waitFor()
  await page.locator('html[lang=en-US]').waitFor()
  await heading(second, 'Domains').waitFor()
  // What the other tab remembers next does not bring back what was before.
  await chooseInAccountMenu(second, 'ada', 'Theme: Dark')
  await page.locator('html[data-theme=dark]').waitFor()
  await page.reload()
  await heading(page, 'Dashboard').waitFor()
  await page.locator('html[data-theme=dark]').waitFor()
  t.pass()
  await context.close()
})

void t.test('a tab of the sign-in page keeps the session of another tab', async (t) => {
  await service.addUser('mary')
  const { page, context } = await openConsole(browser, service.origin)
  await page.goto('/sign-in')
  const second = await context.newPage()
  await signIn(second, 'mary')
  await heading(second, 'Dashboard').waitFor()
  await page.getByRole('button', { name: '简体中文' }).click()
  await heading(page, '登录').waitFor()
  await second.reload()
  await heading(second, '概览').waitFor()
  t.pass()
  await context.close()
})

void t.test('signing out ends all tabs, also those with unapplied edits', async (t) => {
  const config = await addManual(admin)
  const { id } = made(await admin.post('/api/domains', { name: 'tabs.example', providerConfigId: config }))
  made(await admin.post(`/api/domains/${id}/records`, { recordType: 'A', name: 'www', value: '192.0.2.1' }))
  await service.addUser('grace', 'admin')
  const { page, context } = await openConsole(browser, service.origin, { user: 'grace' })
  await page.goto('/')
  const second = await context.newPage()
  const asked: string[] = []
  second.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  await openRecords(second, id)
  await addRecord(second, { name: 'secret', value: '192.0.2.2' })
  await staging(second).getByText('1 new').waitFor()
  await signOut(page, 'grace')
  await heading(second, 'Sign in').waitFor()
  t.same(asked, [], 'nobody is asked whether to stay')
  const drafts = 'Object.keys(sessionStorage).filter((key) => key.startsWith("zonekeeper-draft"))'
  t.same(await second.evaluate(drafts), [], 'drafts are dropped')
  await second.goto(`/domains/${id}/records`)
  await heading(second, 'Sign in').waitFor()
  const { cookies } = await context.storageState()
  t.notOk(cookies.some(({ name, value }) => name === 'refresh_token' && value !== ''))
  await context.close()
})

void t.test('one sign-in resumes an ended session in two tabs', async (t) => {
  const userId = await service.addUser('hedy')
  const { page, context } = await openConsole(browser, service.origin, { user: 'hedy' })
  const second = await context.newPage()
  const streams: number[] = []
  context.on('response', (answer) => {
    if (answer.url().endsWith('/api/notifications/stream')) streams.push(answer.status())
  })
  const lapsed = (one: Page) => one.getByRole('dialog', { name: 'Sign in again' })
  await page.goto('/')
  await heading(page, 'Dashboard').waitFor()
  await second.goto('/')
  await heading(second, 'Dashboard').waitFor()
  made(await admin.delete(`/api/users/${userId}/sessions`))
  for (const one of [second, page]) {
    const link = one.getByRole('link', { name: 'Domains', exact: true, includeHidden: true })
    // Not by the pointer: the dialog may be above it already.
    await link.first().dispatchEvent('click')
    await lapsed(one).waitFor()
  }
  await lapsed(page).getByLabel('Password', { exact: true }).fill(PASSWORD)
  await lapsed(page).getByRole('button', { name: 'Sign in', exact: true }).click()
  for (const one of [page, second]) {
    await lapsed(one).waitFor({ state: 'detached' })
    await one.getByText('No domains yet').waitFor()
  }
  const taken = () => streams.filter((status) => status === 200).length
  await until('events are followed again', () => taken() > 1)
  t.ok(streams.filter((status) => status === 401).length < 2, 'a token that was refused is not tried again')
  await context.close()
})

/** What the token opens. */
const statusBy = async (token: string) =>
  (
    await call(service.app, {
      method: 'GET',
      url: '/api/v1/domains',
      headers: { authorization: `Bearer ${token}` },
    })
  ).status

/** The browser refuses the clipboard: the text is selected, to be copied by hand. */
async function copyWithoutClipboard(page: Page, origin: string, text: string): Promise<void> {
  // All others are refused.
  await page.context().grantPermissions(['geolocation'], { origin })
  await page.getByRole('button', { name: 'Copy' }).click()
  await until('it is selected', async () => (await page.evaluate('getSelection().toString()')) === text)
}

/** Makes a token that may see domains; answers it, and leaves nothing of it on the page. */
async function makeToken(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create token' }).click()
  const form = page.getByRole('dialog', { name: 'Create token' })
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await form.getByRole('button', { name: 'Create token' }).click()
  await form.getByText('Choose at least one permission.').waitFor()
  await form.getByRole('checkbox', { name: 'View domains and their settings' }).press('Space')
  await form.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByRole('dialog', { name: 'Your new token' })
  const field = shown.getByRole('textbox', { name: 'Token' })
  const token = await field.inputValue()
  await page.keyboard.press('Escape')
  t.ok(await shown.isVisible(), 'it waits')
  await copyWithoutClipboard(page, service.origin, token)
  await shown.getByRole('button', { name: 'I’ve saved it' }).click()
  await shown.waitFor({ state: 'detached' })
  t.notMatch(await page.content(), token)
  return token
}

async function revokeToken(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Revoke: ${name}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke token' }).click()
  await page.getByText('No tokens yet.').waitFor()
}

void t.test('a token is created, shown once, and revoked', async (t) => {
  const { page, context } = await openConsole(browser, service.origin, { user: 'ada' })
  await page.goto('/account/tokens')
  const token = await makeToken(page, 'router at home')
  t.equal(await statusBy(token), 200)
  await revokeToken(page, 'router at home')
  t.equal(await statusBy(token), 401)
  await context.close()
})

void t.test('an administrator creates a machine account and a token for it', async (t) => {
  const { page, context } = await openConsole(browser, service.origin, { user: 'root' })
  await page.goto('/users')
  await page.getByRole('button', { name: 'Create account' }).click()
  const form = page.getByRole('dialog', { name: 'Create account' })
  await form.getByRole('radio', { name: 'Machine' }).press('Space')
  t.equal(await form.getByLabel('Password', { exact: true }).count(), 0, 'it never signs in')
  await form.getByRole('textbox', { name: 'Username' }).fill('deployer')
  await form.getByRole('button', { name: 'Create account' }).click()
  await heading(page, 'deployer').waitFor()
  const token = await makeToken(page, 'pipeline')
  t.equal(await statusBy(token), 200)
  await revokeToken(page, 'pipeline')
  t.equal(await statusBy(token), 401)
  await context.close()
})
