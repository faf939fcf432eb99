import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { PASSWORD } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { ageSessions, calm, codeOf, wrong } from '../auth/two-factor/steps.ts'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { startConsole } from './service.ts'
import { signIn, signOut } from './steps.ts'

/* People who secure their accounts, and sign in with what they set up, in a real browser. */
t.setTimeout(300_000)

const service = await startConsole(t)
const browser = await startBrowser(t)
const open = (user: string) => openConsole(browser, service.origin, { user })

const dashboard = (page: Page) => page.getByRole('heading', { level: 1, name: 'Dashboard' })

/** What the dialog shows that shows the recovery codes once. */
async function readCodes(dialog: Locator): Promise<string[]> {
  await dialog.waitFor()
  return dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()
}

const shownCodes = (page: Page) => page.getByRole('dialog', { name: 'Your recovery codes' })
const keepCodes = (page: Page) => shownCodes(page).getByRole('button', { name: 'I’ve saved them' }).click()

void t.test('an authenticator app is set up and signs in; each recovery code works once', async (t) => {
  const userId = await service.addUser('ada')
  const watched = await open('ada')
  const { page, context } = watched
  await page.goto('/account/security')
  const card = page.getByRole('region', { name: 'Authenticator app' })
  await card.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const secret = await dialog.getByRole('textbox', { name: 'Secret' }).inputValue()
  await calm()
  const field = dialog.getByRole('textbox', { name: '2. Enter the code that the app shows' })
  await field.fill(wrong(codeOf(secret, -30)))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByText('is wrong or expired').waitFor()
  watched.seen.splice(0)
  await field.fill(codeOf(secret, -30))
  await dialog.getByRole('button', { name: 'Turn on' }).click()

  const codes = await readCodes(shownCodes(page))
  t.equal(codes.length, 10)
  await page.keyboard.press('Escape')
  t.ok(await shownCodes(page).isVisible(), 'they wait until somebody says that they have them')
  const downloading = page.waitForEvent('download')
  await shownCodes(page).getByRole('button', { name: 'Download' }).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  t.match(file, codes.join('\n'))
  t.same(await faultsOf(watched), [])

  await page.emulateMedia({ media: 'print' })
  t.same(await readCodes(shownCodes(page)), codes)
  t.ok(await shownCodes(page).getByText('Recovery codes for ada at localhost').isVisible())
  t.notOk(await card.isVisible(), 'the page behind is not printed')
  t.notOk(await page.getByRole('button').first().isVisible(), 'nor are buttons')
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate('addEventListener("beforeprint", () => { window.printed = true })')
  await shownCodes(page).getByRole('button', { name: 'Print' }).click()
  await until('it is printed', () => page.evaluate('window.printed'))
  await keepCodes(page)
  await page.getByText('10 recovery codes are left.').waitFor()
  t.equal(await page.getByText(codes[0] ?? '').count(), 0, 'gone with the dialog')

  await signOut(page, 'ada')
  await signIn(page, 'ada')
  const code = page.getByRole('textbox', { name: 'Code from your authenticator app' })
  await code.fill(wrong(codeOf(secret)))
  await page.getByText('Attempts left: 4').waitFor()
  await calm()
  await code.fill(codeOf(secret))
  await dashboard(page).waitFor()

  const useCode = async (recoveryCode = '') => {
    await signIn(page, 'ada')
    await page.getByRole('button', { name: 'Recovery code' }).click()
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCode)
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  await signOut(page, 'ada')
  await useCode(codes[0])
  await dashboard(page).waitFor()
  await signOut(page, 'ada')
  await useCode(codes[0])
  await page.getByText('Attempts left: 4').waitFor()
  await useCode(codes[1])
  await dashboard(page).waitFor()
  await page.goto('/account/security')
  await page.getByText('8 recovery codes are left.').waitFor()
  await card.getByRole('button', { name: 'Turn off' }).click()
  await ageSessions(service, userId)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click()
  const asking = page.getByRole('dialog', { name: 'Confirm your password' })
  await asking.waitFor()
  watched.seen.splice(0)
  t.same(await faultsOf(watched), [])
  await asking.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await asking.getByRole('button', { name: 'Confirm' }).click()
  await card.getByText('off', { exact: true }).waitFor()
  await signOut(page, 'ada')
  await signIn(page, 'ada')
  await dashboard(page).waitFor()
  await context.close()
})

void t.test(
  'an expired temporary token is reported, also when the code is submitted automatically',
  async (t) => {
    const userId = await service.addUser('hedy')
    const client = await service.signIn('hedy')
    const { body } = await client.post('/api/2fa/totp/setup')
    await calm()
    await client.post('/api/2fa/totp/enable', { code: codeOf(body.secret, -30) })
    const { page, context } = await openConsole(browser, service.origin)
    await signIn(page, 'hedy')
    const code = page.getByRole('textbox', { name: 'Code from your authenticator app' })
    await code.waitFor()
    await service.admin.put(`/api/users/${userId}`, { disabled: true })
    await code.fill(codeOf(body.secret))
    await page.getByRole('alert').waitFor()
    t.notMatch(await page.getByRole('alert').innerText(), /Attempts left/)
    await context.close()
  },
)

/** A device with an authenticator of its own; answers what it is told of its holder: the right finger, or not. */
async function addAuthenticator(page: Page): Promise<(isRight: boolean) => Promise<void>> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return async (isRight) => {
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isRight })
  }
}

void t.test('a passkey is added after a password prompt, signs in both ways, and is removed', async (t) => {
  const userId = await service.addUser('grace')
  const { page, context } = await open('grace')
  const touch = await addAuthenticator(page)
  await page.goto('/account/security')
  await ageSessions(service, userId)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const adding = page.getByRole('dialog', { name: 'Add passkey' })
  await adding.getByRole('textbox', { name: 'Name' }).fill('Phone')
  await adding.getByRole('button', { name: 'Add passkey' }).click()
  const asking = page.getByRole('dialog', { name: 'Confirm your password' })
  await asking.getByLabel('Password', { exact: true }).fill('not mine')
  await asking.getByRole('button', { name: 'Confirm' }).click()
  await asking.getByText('is not the current password').waitFor()
  await asking.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await asking.getByRole('button', { name: 'Confirm' }).click()
  await asking.waitFor({ state: 'detached' })
  t.equal((await readCodes(shownCodes(page))).length, 10)
  await keepCodes(page)
  await page.getByRole('rowheader', { name: 'Phone' }).waitFor()

  await touch(false)
  await signOut(page, 'grace')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('No passkey was used.').waitFor()
  await touch(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await dashboard(page).waitFor()
  await touch(false)
  await signOut(page, 'grace')
  await signIn(page, 'grace')
  const use = page.getByRole('button', { name: 'Use a passkey' })
  await use.waitFor()
  await touch(true)
  await use.click()
  await dashboard(page).waitFor()
  await touch(false)
  await signOut(page, 'grace')
  // The authenticator takes what the browser would offer in the field of the name.
  await touch(true)
  await page.reload()
  await dashboard(page).waitFor()

  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Remove Phone' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove passkey' }).click()
  await page.getByText('No passkeys yet.').waitFor()
  await signOut(page, 'grace')
  await signIn(page, 'grace')
  await dashboard(page).waitFor()
  await context.close()
})
