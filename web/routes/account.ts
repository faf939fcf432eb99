import { createRoute, redirect } from '@tanstack/react-router'
import { flag, searchOf, text } from '../search.ts'
import { page, tab, view } from './root.ts'

const account = createRoute({
  ...page,
  path: '/account',
  component: view('AccountFrame'),
})

const accountStart = createRoute({
  ...tab,
  getParentRoute: () => account,
  path: '/',
  beforeLoad() {
    // oxlint-disable-next-line typescript/only-throw-error -- the router expects it
    throw redirect({ to: '/account/profile', replace: true })
  },
})

const profile = createRoute({
  ...tab,
  getParentRoute: () => account,
  path: '/profile',
  component: view('Profile'),
})

const security = createRoute({
  ...tab,
  getParentRoute: () => account,
  path: '/security',
  component: view('Security'),
})

const sessions = createRoute({
  ...tab,
  getParentRoute: () => account,
  path: '/sessions',
  component: view('Sessions'),
})

const identities = createRoute({
  ...tab,
  getParentRoute: () => account,
  path: '/identities',
  validateSearch: searchOf({ bound: flag, provider_id: text, error: text }),
  component: view('Identities'),
})

const tokens = createRoute({
  ...tab,
  getParentRoute: () => account,
  path: '/tokens',
  component: view('Tokens'),
})

export const accountRoutes = account.addChildren([
  accountStart,
  profile,
  security,
  sessions,
  identities,
  tokens,
])
