import type { Shot } from './shot.ts'
import { DOMAIN_SHOTS } from './states-domains.ts'
import { FRAME_SHOTS } from './states-frame.ts'
import { RECORD_SHOTS } from './states-records.ts'

/** States of the views: open dialogs, empty, refused or broken. */
export const STATES: Shot[] = [
  ...FRAME_SHOTS,
  ...DOMAIN_SHOTS,
  ...RECORD_SHOTS,
  { view: '/search', state: 'found', address: () => '/search?q=mx1' },
  {
    view: '/search',
    state: 'replace',
    address: () => '/search?q=192.0.2.20',
    isWindow: true,
    async act({ page, m, press, dialog }) {
      await page.getByRole('checkbox').first().press('Space')
      await press(m.search.replace)
      await dialog()
    },
  },
  { view: '/search', state: 'nothing found', address: () => '/search?q=nowhere-at-all' },
  { view: '/change-requests', state: 'none yet', user: 'ines' },
  { view: '/change-requests/$id', state: 'of the author', user: 'jonas' },
  {
    view: '/change-requests/$id',
    state: 'approve',
    isWindow: true,
    async act({ m, press, dialog }) {
      await press(m.changeRequests.approve)
      await dialog()
    },
  },
  {
    view: '/change-requests/$id',
    state: 'reject',
    isWindow: true,
    async act({ m, press, dialog }) {
      await press(m.changeRequests.reject)
      await dialog()
    },
  },
  { view: '/health-findings', state: 'filtered', address: () => '/health-findings?severity=warning' },
  { view: '/health-findings', state: 'no match', address: () => '/health-findings?code=dnssec.bogus' },
  { view: '/failover', state: 'nothing watched', user: 'ines' },
  {
    view: '/failover',
    state: 'new monitor',
    isWindow: true,
    async act({ m, press, dialog }) {
      await press(m.failover.add)
      await dialog()
    },
  },
  {
    view: '/failover',
    state: 'edit',
    isWindow: true,
    async act({ page, m, dialog }) {
      await page.getByRole('button', { name: m.failover.edit, exact: true }).first().click()
      await dialog()
    },
  },
  {
    view: '/failover',
    state: 'switch by hand',
    isWindow: true,
    async act({ page, m, dialog }) {
      await page
        .getByRole('button', { name: m.failover.switchTo('backup') })
        .first()
        .click()
      await dialog()
    },
  },
  {
    view: '/change-requests/$id',
    state: 'edit',
    user: 'jonas',
    isWindow: true,
    async act({ page, m, press, dialog }) {
      await press(m.changeRequests.edit)
      await dialog()
      await page.getByText(m.later.confirm, { exact: true }).first().waitFor()
    },
  },
  { view: '/requests', state: 'own', user: 'jonas' },
  { view: '/requests', state: 'nothing yet', user: 'ines' },
  {
    view: '/requests',
    state: 'approve',
    isWindow: true,
    async act({ page, m, dialog }) {
      await page.getByRole('button', { name: m.requests.approve }).first().click()
      await dialog()
    },
  },
  {
    view: '/requests',
    state: 'ask',
    user: 'jonas',
    isWindow: true,
    async act({ m, press, dialog }) {
      await press(m.requests.ask)
      await dialog()
    },
  },
  {
    view: '/access',
    state: 'of a person',
    address: ({ jonas }) => `/access?user=${jonas}`,
    async act({ page, m }) {
      await page.getByLabel(m.access.may.full).fill('db.dev.tidewater.example')
    },
  },
  { view: '/notifications', state: 'nothing new', user: 'ines' },
  { view: '/providers', state: 'nothing connected', user: 'ines' },
  { view: '/providers/$id', state: 'new', address: () => '/providers/new?kind=powerdns' },
  {
    view: '/providers/$id',
    state: 'the test fails',
    address: () => '/providers/new?kind=powerdns',
    async act({ page, press, m }) {
      const fields = page.getByRole('main').getByRole('textbox')
      await fields.nth(1).fill('http://127.0.0.1:9')
      await page.getByRole('main').locator('input[type=password]').first().fill('not-the-key')
      await press(m.providers.form.save)
      await page.getByRole('alert').or(page.getByText(m.providers.form.failed)).first().waitFor()
    },
  },
  { view: '/templates/$id', state: 'new', address: () => '/templates/new' },
  { view: '/channels/$id', state: 'new', address: () => '/channels/new?kind=email' },
  { view: '/channels/$id', state: 'which kind', address: () => '/channels/new' },
  {
    view: '/users',
    state: 'new account',
    isWindow: true,
    async act({ m, press, dialog }) {
      await press(m.users.add)
      await dialog()
    },
  },
  {
    view: '/users/$id',
    state: 'deletion',
    isWindow: true,
    async act({ m, press, dialog }) {
      await press(m.users.user.delete)
      await dialog()
    },
  },
  {
    view: '/users/invitations',
    state: 'invite',
    isWindow: true,
    async act({ m, press, dialog }) {
      await press(m.users.invite.create)
      await dialog()
    },
  },
  {
    view: '/users/invitations',
    state: 'shown once',
    isWindow: true,
    async act({ page, m, press }) {
      await press(m.users.invite.create)
      await press(m.users.invite.submit)
      await page.getByText(m.users.invite.shown).waitFor()
    },
  },
  {
    view: '/sign-in-providers',
    state: 'set up',
    isWindow: true,
    async act({ page, dialog }) {
      await page.getByRole('button', { name: 'GitLab' }).click()
      await dialog()
    },
  },
  { view: '/audit', state: 'an entry is opened', act: ({ page }) => page.locator('summary').first().click() },
  {
    view: '/account/security',
    state: 'authenticator app',
    isWindow: true,
    async act({ page, m }) {
      await page.getByRole('button', { name: m.account.security.setUp }).first().click()
      await page.getByRole('img', { name: m.account.security.qr }).waitFor()
    },
  },
  {
    view: '/account/tokens',
    state: 'new token',
    async act({ page, m, press }) {
      await press(m.tokens.create)
      await page.getByRole('dialog').or(page.getByLabel(m.tokens.form.name)).first().waitFor()
    },
  },
  {
    view: '/account/tokens',
    state: 'shown once',
    isWindow: true,
    async act({ page, m, press }) {
      await press(m.tokens.create)
      await page.getByLabel(m.tokens.form.name).first().fill('backup script')
      await page.getByText(m.tokens.permissions['records:read'], { exact: true }).last().click()
      await press(m.tokens.form.submit)
      await page.getByText(m.tokens.shown).waitFor()
    },
  },
  {
    view: '/account/tokens',
    state: 'revoke',
    isWindow: true,
    async act({ page, m, dialog }) {
      await page
        .getByRole('button', { name: new RegExp(`^${m.tokens.revoke}`) })
        .first()
        .click()
      await dialog()
    },
  },
  { view: '/account/tokens', state: 'none yet', user: 'ines' },
]
