import type { Shot, Step } from './shot.ts'

/** The list of domains, and each tab of a domain except its records. */
export const DOMAIN_SHOTS: Shot[] = [
  { view: '/domains', state: 'nothing here yet', user: 'ines' },
  { view: '/domains', state: 'filtered', address: () => '/domains?group=Shops&tag=shop' },
  { view: '/domains', state: 'no match for the filter', address: () => '/domains?search=nowhere' },
  {
    view: '/domains',
    state: 'some are selected',
    isWindow: true,
    act: choose,
  },
  {
    view: '/domains',
    state: 'settings of several',
    isWindow: true,
    async act(step) {
      await choose(step)
      await step.press(step.m.domains.set)
    },
  },
  {
    view: '/domains',
    state: 'removal',
    isWindow: true,
    async act(step) {
      await choose(step)
      await step.press(step.m.domains.remove)
    },
  },
  {
    view: '/domains',
    state: 'sync of several',
    isWindow: true,
    async act(step) {
      await choose(step)
      await step.press(step.m.domains.sync)
      await step.page.getByRole('button', { name: step.m.common.close }).last().waitFor()
    },
  },
  { view: '/domains/add', state: 'manual zone', address: ({ byHand }) => `/domains/add?config=${byHand}` },
  {
    view: '/domains/add',
    state: 'zones are selected',
    address: ({ providers }) => `/domains/add?config=${providers}`,
    act: ({ press, m }) => press(m.addDomains.zones.chooseNew(3)),
  },
  { view: '/domains/add', state: 'nothing is connected', user: 'ines' },
  {
    view: '/domains/$id/history',
    state: 'a change is expanded',
    act: ({ page, m }) =>
      page
        .getByRole('button', { name: new RegExp(`^${m.history.show}`) })
        .nth(2)
        .click(),
  },
  {
    view: '/domains/$id/history',
    state: 'undo',
    isWindow: true,
    async act({ page, m, press, dialog }) {
      await page
        .getByRole('button', { name: new RegExp(`^${m.history.show}`) })
        .first()
        .click()
      await press(m.history.undo)
      await dialog()
    },
  },
  {
    view: '/domains/$id/history',
    state: 'not all name servers serve a change',
    address: ({ domains, verified }) => `/domains/${domains}/history?change=${verified}`,
  },
  {
    view: '/domains/$id/history',
    state: 'a change is scheduled',
    address: ({ later }) => `/domains/${later}/history?status=scheduled`,
    act: ({ page, m }) =>
      page
        .getByRole('button', { name: new RegExp(`^${m.history.show}`) })
        .first()
        .click(),
  },
  {
    view: '/domains/$id/history',
    state: 'a change waits for its confirmation',
    address: ({ later }) => `/domains/${later}/history?status=unconfirmed`,
  },
  {
    view: '/domains/$id/sync',
    state: 'put back',
    isWindow: true,
    async act({ m, press, dialog }) {
      await press(m.sync.putBack)
      await dialog()
    },
  },
  {
    view: '/domains/$id/health',
    state: 'a fix',
    isWindow: true,
    async act({ page, m, dialog }) {
      await page.getByRole('button', { name: m.health.fix }).first().click()
      await dialog()
    },
  },
  { view: '/domains/$id/health', state: 'seen by a member', user: 'jonas' },
  {
    view: '/domains/$id/health',
    state: 'not checked yet',
    address: ({ local }) => `/domains/${local}/health`,
  },
  { view: '/domains/$id/sync', state: 'manual zone', address: ({ local }) => `/domains/${local}/sync` },
  {
    view: '/domains/$id/sync',
    state: 'the server is gone',
    address: ({ failing: id }) => `/domains/${id}/sync`,
  },
  {
    view: '/domains/$id/access',
    state: 'access is granted',
    isWindow: true,
    async act({ m, press, dialog }) {
      await press(m.access.give)
      await dialog()
    },
  },
  { view: '/domains/$id/access', state: 'seen by a member', user: 'jonas' },
  {
    view: '/domains/$id/settings',
    state: 'manual zone',
    address: ({ local }) => `/domains/${local}/settings`,
  },
  { view: '/domains/$id/settings', state: 'seen by a member', user: 'jonas' },
  {
    view: '/domains/$id/settings',
    state: 'removal',
    isWindow: true,
    act: ({ press, m }) => press(m.domainSettings.danger.action),
  },
  {
    view: '/domains/$id/settings',
    state: 'no such domain',
    address: () => '/domains/0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10/settings',
    isWindow: true,
  },
]

async function choose({ page }: Step): Promise<void> {
  const boxes = page.getByRole('main').getByRole('checkbox')
  for (const nth of [2, 3, 4]) await boxes.nth(nth).press('Space')
}
