import type { Page } from 'playwright-core'
import t from 'tap'
import { PASSWORD } from '../helpers/app.ts'
import { codeIn, startMailbox } from '../helpers/mailbox.ts'
import { until } from '../helpers/until.ts'
import { ageSessions, setEmail } from '../auth/two-factor/steps.ts'
import { startOpenId } from '../oauth/helpers/openid.ts'
import { CLIENT_ID, CLIENT_SECRET } from '../oauth/helpers/service.ts'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { made } from './seed.ts'
import { startConsole } from './service.ts'
import { signIn, signOut } from './steps.ts'

/*
 * What begins in a mail or at an external provider, in a real browser: mails go over SMTP, and the provider is a
 * certified OpenID server with pages of its own.
 */
t.setTimeout(300_000)

const mailbox = await startMailbox(t)
const service = await startConsole(t, { environment: mailbox.environment })
const { admin, origin } = service
const browser = await startBrowser(t)
const { wellKnownUrl } = await startOpenId(t, `${origin}/oauth/oidc`, { pages: true })
const oidc = { providerId: 'oidc', clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, wellKnownUrl }
made(await admin.post('/api/oauth/providers', oidc))

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** The link of the next mail to that address. */
async function linkTo(address: string): Promise<string> {
  const { text } = await mailbox.next(address)
  return new RegExp(`^${origin}/\\S+$`, 'm').exec(text)?.[0] ?? ''
}

/** The code of the next mail to that address that has one. */
async function codeTo(address: string): Promise<string> {
  const code = codeIn(await mailbox.next(address))
  return code === '' ? codeTo(address) : code
}

/** Opens a link with a secret, which leaves the address before anything else. */
async function openLink(page: Page, link: string, title: string): Promise<void> {
  t.match(link, /[?]\w+=[\w-]{20,}/)
  await page.goto(link)
  await heading(page, title).waitFor()
  t.equal(page.url(), link.split('?')[0], 'the secret has left the address')
}

async function personWithMail(username: string): Promise<string> {
  const email = `${username}@example.com`
  await setEmail(service, await service.addUser(username), email)
  return email
}

void t.test('the link in an email resets a forgotten password, once', async (t) => {
  const email = await personWithMail('ada')
  const watched = await openConsole(browser, origin)
  const { page, context } = watched
  const fault = { status: 500, json: { code: 'internal', status: 500, title: 'Fault', detail: 'Fault' } }
  await page.route('/api/site', (route) => route.fulfill(fault), { times: 1 })
  const answered = page.waitForResponse('/api/site')
  await page.goto('/sign-in')
  t.equal((await answered).status(), 500)
  // One can sign in without; what the service says of itself is asked again as somebody comes back to the page.
  await page.getByLabel('Password').fill('forgotten')
  const forgot = page.getByRole('link', { name: 'Forgot your password?' })
  await until('what the service says of itself is asked again', async () => {
    await page.evaluate(`dispatchEvent(new Event('focus'))`)
    return forgot.isVisible()
  })
  // The browser tells of the answer.
  watched.seen.splice(0)
  await forgot.click()
  await page.getByRole('textbox', { name: 'Email address' }).fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('If an account with this address exists').waitFor()
  const link = await linkTo(email)
  await openLink(page, link, 'Reset password')
  t.same(await faultsOf(watched), [])
  const choose = async (password: string) => {
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button', { name: 'Set password' }).click()
  }
  await choose('password')
  await page.getByText('is too common').waitFor()
  await choose('a different battery staple')
  await page.getByText('Password set.').waitFor()
  await signIn(page, 'ada', 'a different battery staple')
  await heading(page, 'Dashboard').waitFor()
  await page.goto(link)
  await choose('a third battery staple')
  await page.getByRole('alert').waitFor()
  await context.close()
})

void t.test('an email address is changed, confirmed and used for codes', async (t) => {
  await personWithMail('grace')
  const { page, context } = await openConsole(browser, origin, { user: 'grace' })
  await page.goto('/account/profile')
  const card = page.getByRole('region', { name: 'Email address' })
  await card.getByText('confirmed', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Change email address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email address' })
  await dialog.getByRole('textbox', { name: 'New email address' }).fill('grace@example.org')
  await dialog.getByLabel('Your password').fill('not mine')
  await dialog.getByRole('button', { name: 'Change address' }).click()
  await dialog.getByText('is not the current password').waitFor()
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Change address' }).click()
  await card.getByText('We’ve sent you an email.').waitFor()
  t.ok(await card.getByText('grace@example.com').isVisible(), 'the one before counts until then')

  const second = await context.newPage()
  await openLink(second, await linkTo('grace@example.org'), 'Confirm email address')
  await second.getByRole('button', { name: 'Confirm address' }).click()
  await second.getByText('Address confirmed.').waitFor()
  await card.getByText('grace@example.org').waitFor()
  t.equal(await card.getByText('We’ve sent you an email.').count(), 0)
  await second.close()

  await page.goto('/account/security')
  const codes = page.getByRole('region', { name: 'Codes by email' })
  await codes.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('button', { name: 'Send code' }).click()
  const code = await codeTo('grace@example.org')
  await page.getByRole('textbox', { name: 'Code from the email' }).fill(code)
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await signOut(page, 'grace')
  await signIn(page, 'grace')
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByRole('button', { name: /^Resend in \d+ s$/ }).waitFor()
  const another = await codeTo('grace@example.org')
  await page.getByRole('textbox', { name: 'Code from the email' }).fill(another)
  await heading(page, 'Dashboard').waitFor()
  await context.close()
})

/** Invites somebody in the console; answers the link that is shown once. */
async function invite(page: Page, email?: string): Promise<string> {
  await page.goto('/users/invitations')
  await page.getByRole('button', { name: 'Invite', exact: true }).first().click()
  const form = page.getByRole('dialog', { name: 'Invite', exact: true })
  if (email !== undefined) await form.getByRole('textbox', { name: 'Email address' }).fill(email)
  await form.getByRole('button', { name: 'Create invitation' }).click()
  const shown = page.getByRole('dialog', { name: 'Invitation' })
  const link = await shown.getByRole('textbox', { name: 'Link' }).inputValue()
  await shown.getByRole('button', { name: 'I’ve saved it' }).click()
  return link
}

void t.test('the link of an emailed invitation creates an account', async (t) => {
  const { page, context } = await openConsole(browser, origin, { user: 'root' })
  const shown = await invite(page, 'mary@example.com')
  const link = await linkTo('mary@example.com')
  t.equal(link, shown)
  const other = await openConsole(browser, origin)
  await openLink(other.page, link, 'Register')
  await other.page.getByRole('textbox', { name: 'Username' }).fill('mary')
  await other.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await other.page.getByRole('button', { name: 'Register' }).click()
  await heading(other.page, 'Dashboard').waitFor()
  await page.reload()
  await page.getByRole('row').filter({ hasText: 'mary@example.com' }).getByText('used up').waitFor()
  await other.context.close()

  // In the browser of who invites it makes that other account, too.
  await openLink(page, await invite(page), 'Register')
  await page.getByRole('textbox', { name: 'Username' }).fill('hedy')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Register' }).click()
  await heading(page, 'Dashboard').waitFor()
  await page.getByRole('button', { name: 'hedy', exact: true }).waitFor()
  await context.close()
})

/** A browser that gets nothing from the internet: the provider's pages would have a font from there. */
async function openOffline(options: Parameters<typeof openConsole>[2] = {}) {
  const watched = await openConsole(browser, origin, options)
  await watched.context.route('https://fonts.googleapis.com/**', (route) => route.abort())
  return watched
}

/** Through the provider's own pages: who it is, and that it may be told. */
async function passProvider(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

const byProvider = (page: Page) => page.getByRole('link', { name: 'Continue with OpenID Connect' })

void t.test('an invitation is accepted with an external account, which can then sign in', async (t) => {
  const { code } = made(await admin.post('/api/invitations', { role: 'member' }))
  const { page, context } = await openOffline()
  await openLink(page, `${origin}/register?code=${code}`, 'Register')
  await page.getByRole('textbox', { name: 'Invitation code', exact: true }).waitFor()
  await byProvider(page).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByText('You declined at the provider').waitFor()

  await openLink(page, `${origin}/register?code=${code}`, 'Register')
  await byProvider(page).click()
  await passProvider(page, 'alice')
  await page.getByText('Your provider knows you, but you don’t have an account here yet.').waitFor()
  t.equal(page.url(), `${origin}/register`)
  t.equal(await page.getByRole('textbox', { name: 'Invitation code' }).inputValue(), code)
  t.equal(await page.evaluate('sessionStorage.getItem("zonekeeper-invitation")'), null)
  await page.getByRole('button', { name: 'Register' }).click()
  await heading(page, 'Dashboard').waitFor()

  const asking = page.getByRole('alertdialog')
  const unbind = async () => {
    await page.goto('/account/identities')
    await page.getByRole('definition').getByText('alice of the tests').waitFor()
    await page.getByRole('button', { name: 'Unlink: OpenID Connect' }).click()
    await asking.getByRole('button', { name: 'Unlink' }).click()
  }
  const { users } = made(await admin.get('/api/users?search=alice'))
  await ageSessions(service, users[0].id)
  await unbind()
  // There is no password to confirm it with.
  const again = page.getByRole('dialog', { name: 'Confirm your password' })
  await again.getByText('Sign out, sign in again').waitFor()
  await again.getByRole('button', { name: 'Sign out' }).click()
  await byProvider(page).click()
  await heading(page, 'Dashboard').waitFor()
  await unbind()
  await asking.getByText('This is the only way to sign in').waitFor()
  await context.close()
})

void t.test('an external account is linked, signs in, and is unlinked', async (t) => {
  await service.addUser('lise')
  const watched = await openOffline({ user: 'lise' })
  const { page, context } = watched
  await page.goto('/account/identities')
  await page.getByText('No linked identities.').waitFor()
  await page.getByRole('button', { name: 'Link OpenID Connect' }).click()
  await passProvider(page, 'lise-elsewhere')
  await page.getByText('OpenID Connect linked. You can now sign in with it.').waitFor()
  watched.seen.splice(0)
  t.same(await faultsOf(watched), [])
  await signOut(page, 'lise')
  await byProvider(page).click()
  await heading(page, 'Dashboard').waitFor()
  await page.getByRole('button', { name: 'lise', exact: true }).waitFor()
  await page.goto('/account/identities')
  await page.getByRole('button', { name: 'Unlink: OpenID Connect' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click()
  await page.getByText('No linked identities.').waitFor()
  await context.close()
})
