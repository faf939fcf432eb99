import type { Shot, Step } from './shot.ts'

const failing =
  (path: string, status = 500) =>
  async ({ page }: Step) => {
    await page.route(`**${path}`, (route) =>
      route.fulfill({
        status,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'about:blank',
          title: 'Internal Server Error',
          status,
          code: 'internal',
          detail: 'Something went wrong here. The log has more under the request id.',
          requestId: '3f0c1d2e-7a58-4e6b-9d41-5c2b7f8e9a10',
        }),
      }),
    )
    await page.reload()
  }

/** Sign-in, and what surrounds all views. */
export const FRAME_SHOTS: Shot[] = [
  {
    view: '/sign-in',
    state: 'wrong password',
    user: null,
    async act({ page, m, press }) {
      await page.getByLabel(m.signIn.username).fill('mara')
      await page.getByLabel(m.signIn.password, { exact: true }).fill('not this one')
      await press(m.signIn.submit)
      await page.getByRole('alert').waitFor()
    },
  },
  {
    view: '/sign-in',
    state: 'second step',
    user: null,
    async act({ page, m, press }) {
      await page.getByLabel(m.signIn.username).fill('amara')
      await page.getByLabel(m.signIn.password, { exact: true }).fill('correct horse battery staple')
      await press(m.signIn.submit)
      await page.getByLabel(m.signIn.second.totp).waitFor()
    },
  },
  {
    view: '/register',
    state: 'with an invitation',
    user: null,
    address: () => '/register?code=AAAA-BBBB-CCCC',
  },
  {
    view: '/reset-password',
    state: 'by the link of a mail',
    user: null,
    address: () => '/reset-password?token=abc',
  },
  {
    view: '/confirm-email',
    state: 'by the link of a mail',
    user: null,
    address: () => '/confirm-email?token=abc',
  },
  {
    view: '/auth/callback',
    state: 'refused elsewhere',
    user: null,
    address: () => '/auth/callback?error=access_denied',
  },

  { view: '/', state: 'somebody new', user: 'ines' },
  { view: '/', state: 'first steps are hidden', act: ({ press, m }) => press(m.dashboard.guide.close) },
  { view: '/', state: 'the service fails', act: failing('/api/dashboard') },
  {
    view: '/',
    state: 'loading',
    isWindow: true,
    isBusy: true,
    act: ({ page }) => stalled(page, '/api/dashboard'),
  },
  {
    view: '/',
    state: 'notifications',
    isWindow: true,
    act: ({ press, m }) => press(new RegExp(`^${m.shell.notifications}`)),
  },
  { view: '/', state: 'account menu', isWindow: true, act: ({ press }) => press('mara') },
  { view: '/', state: 'menu', isWindow: true, only: 'narrow', act: ({ press, m }) => press(m.shell.menu) },
  {
    view: '/',
    state: 'command palette',
    isWindow: true,
    async act({ page }) {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('searchbox').fill('tide')
      await page.getByRole('dialog').getByText('tidewater-logistics.example').first().waitFor()
    },
  },
  {
    view: '/',
    state: 'shortcuts',
    isWindow: true,
    async act({ page, dialog }) {
      await page.keyboard.press('?')
      await dialog()
    },
  },
  { view: '/', state: 'no such page', address: () => '/account/nothing-here', isWindow: true },
  {
    view: '/',
    state: 'offline',
    isWindow: true,
    act: ({ page }) => page.context().setOffline(true),
  },
]

async function stalled(page: Step['page'], path: string): Promise<void> {
  await page.route(`**${path}`, () => undefined)
  await page.reload({ waitUntil: 'commit' })
  await page.getByRole('main').locator('[class*="skeleton"]').first().waitFor()
}
