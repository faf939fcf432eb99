import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { session } from './api/session.ts'
import type * as Inside from './inside.ts'
import type { Area } from './messages/en.ts'
import { flag, oneOf, positive, searchOf, text } from './search.ts'
import { NotFound } from './views/shell/NotFound.tsx'
import { PageProblem } from './views/shell/PageProblem.tsx'
import { SignIn } from './views/sign-in/SignIn.tsx'
import { Loading, PageLoading } from './ui/Loading.tsx'
import { ORIGINS } from './ui/origins.ts'
import { withTexts } from './ui/language.tsx'
import { Root } from './views/shell/Root.tsx'

const insideViews = () => import('./inside.ts')

/** Begins to load what is behind sign-in: somebody is about to be. */
export const preloadInside = () => void insideViews().catch(() => undefined)

/** A view behind sign-in. */
const view = (name: keyof typeof Inside.views) =>
  lazyRouteComponent(async () => (await insideViews()).views[name]())

/** A view for those who are not signed in, with the texts of these areas. */
const openView = <Name extends string, File extends Record<Name, () => ReactNode>>(
  load: () => Promise<File>,
  name: Name,
  areas: Area[],
) => lazyRouteComponent(withTexts(load, areas), name)

/** Every path of the console, with what its address may say and the view that it shows. */

const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: PageProblem })

const open = { getParentRoute: () => root }

const signIn = createRoute({
  ...open,
  path: '/sign-in',
  validateSearch: searchOf({ next: text }),
  component: SignIn,
})

const register = createRoute({
  ...open,
  path: '/register',
  validateSearch: searchOf({ code: text, pending_token: text, provider_id: text }),
  component: openView(() => import('./views/sign-in/Register.tsx'), 'Register', ['register']),
})

const resetPassword = createRoute({
  ...open,
  path: '/reset-password',
  component: openView(() => import('./views/sign-in/ResetPassword.tsx'), 'ResetPassword', ['register']),
})

const confirmEmail = createRoute({
  ...open,
  path: '/confirm-email',
  component: openView(() => import('./views/sign-in/ConfirmEmail.tsx'), 'ConfirmEmail', ['register']),
})

const callback = createRoute({
  ...open,
  path: '/auth/callback',
  component: openView(() => import('./views/sign-in/Callback.tsx'), 'Callback', ['register']),
})

/** What is behind sign-in, in the frame of rail and bar. */
const inside = createRoute({
  ...open,
  id: 'inside',
  beforeLoad({ location }) {
    if (session.get().state !== 'out') return
    // oxlint-disable-next-line typescript/only-throw-error -- how the router is told so
    throw redirect({ to: '/sign-in', search: { next: location.href }, replace: true })
  },
  notFoundComponent: NotFound,
  component: view('Shell'),
})

const pageProblem = lazyRouteComponent(insideViews, 'PageReadProblem')
const partProblem = lazyRouteComponent(insideViews, 'PartReadProblem')

const within = { getParentRoute: () => inside, errorComponent: pageProblem }
/** Behind these only administrators have something to do. */
const administration = {
  getParentRoute: () => inside,
  errorComponent: pageProblem,
  staticData: { administrators: true },
}

const dashboard = createRoute({
  ...within,
  path: '/',
  component: view('Dashboard'),
})

const domains = createRoute({
  ...within,
  path: '/domains',
  validateSearch: searchOf({
    page: positive,
    search: text,
    status: oneOf('active', 'expiring', 'expired'),
    group: text,
    tag: text,
    providerConfigId: text,
    ownerId: text,
    syncFailed: flag,
    expiresAfter: text,
    expiresBefore: text,
    sort: oneOf('expiresAt', 'createdAt', 'recordCount'),
    order: oneOf('desc'),
  }),
  component: view('Domains'),
})

const addDomains = createRoute({
  ...within,
  path: '/domains/add',
  validateSearch: searchOf({ config: text }),
  component: view('AddDomains'),
})

/** The frame of one domain: its name, and its tabs. */
const domain = createRoute({
  ...within,
  path: '/domains/$id',
  component: view('DomainFrame'),
})

const ofDomain = {
  getParentRoute: () => domain,
  pendingComponent: Loading,
  errorComponent: partProblem,
}

const domainStart = createRoute({
  ...ofDomain,
  path: '/',
  beforeLoad({ params }) {
    // oxlint-disable-next-line typescript/only-throw-error -- how the router is told so
    throw redirect({ to: '/domains/$id/records', params, replace: true })
  },
})

const records = createRoute({
  ...ofDomain,
  path: '/records',
  validateSearch: searchOf({
    filter: text,
    sort: oneOf('type', 'value', 'ttl'),
    order: oneOf('desc'),
    group: oneOf('name'),
    record: text,
    view: oneOf('text', 'unmanaged'),
  }),
  component: view('Records'),
})

const history = createRoute({
  ...ofDomain,
  path: '/history',
  validateSearch: searchOf({
    page: positive,
    name: text,
    type: text,
    actor: text,
    token: text,
    origin: oneOf(...ORIGINS),
    from: text,
    to: text,
    change: text,
  }),
  component: view('History'),
})

const sync = createRoute({
  ...ofDomain,
  path: '/sync',
  component: view('Sync'),
})

const domainAccess = createRoute({
  ...ofDomain,
  path: '/access',
  component: view('DomainAccess'),
})

const domainSettings = createRoute({
  ...ofDomain,
  path: '/settings',
  component: view('DomainSettings'),
})

const search = createRoute({
  ...within,
  path: '/search',
  validateSearch: searchOf({ q: text, page: positive }),
  component: view('Search'),
})

const requests = createRoute({
  ...within,
  path: '/requests',
  validateSearch: searchOf({
    status: oneOf('pending', 'approved', 'rejected', 'cancelled'),
    page: positive,
    domain: text,
    name: text,
  }),
  component: view('Requests'),
})

const access = createRoute({
  ...within,
  path: '/access',
  validateSearch: searchOf({ user: text }),
  component: view('WhoMayWhat'),
})

const notifications = createRoute({
  ...within,
  path: '/notifications',
  component: view('Notifications'),
})

const providers = createRoute({
  ...within,
  path: '/providers',
  component: view('Providers'),
})

const provider = createRoute({
  ...within,
  path: '/providers/$id',
  validateSearch: searchOf({ kind: text }),
  component: view('ProviderConfig'),
})

const templates = createRoute({
  ...within,
  path: '/templates',
  component: view('Templates'),
})

const template = createRoute({
  ...within,
  path: '/templates/$id',
  validateSearch: searchOf({ from: text }),
  component: view('Template'),
})

const channels = createRoute({
  ...administration,
  path: '/channels',
  component: view('Channels'),
})

const channel = createRoute({
  ...administration,
  path: '/channels/$id',
  validateSearch: searchOf({ kind: text }),
  component: view('Channel'),
})

const users = createRoute({
  ...administration,
  path: '/users',
  validateSearch: searchOf({
    page: positive,
    search: text,
    role: oneOf('admin', 'member'),
    kind: oneOf('person', 'machine'),
  }),
  component: view('Users'),
})

const invitations = createRoute({
  ...administration,
  path: '/users/invitations',
  validateSearch: searchOf({ page: positive }),
  component: view('Invitations'),
})

const user = createRoute({
  ...administration,
  path: '/users/$id',
  component: view('User'),
})

const signInProviders = createRoute({
  ...administration,
  path: '/sign-in-providers',
  component: view('SignInProviders'),
})

const audit = createRoute({
  ...administration,
  path: '/audit',
  validateSearch: searchOf({
    page: positive,
    actor: text,
    action: text,
    target: text,
    token: text,
    origin: oneOf(...ORIGINS),
    from: text,
    to: text,
  }),
  component: view('Audit'),
})

const account = createRoute({
  ...within,
  path: '/account',
  component: view('AccountFrame'),
})

const ofAccount = {
  getParentRoute: () => account,
  pendingComponent: Loading,
  errorComponent: partProblem,
}

const accountStart = createRoute({
  ...ofAccount,
  path: '/',
  beforeLoad() {
    // oxlint-disable-next-line typescript/only-throw-error -- how the router is told so
    throw redirect({ to: '/account/profile', replace: true })
  },
})

const profile = createRoute({
  ...ofAccount,
  path: '/profile',
  component: view('Profile'),
})

const security = createRoute({
  ...ofAccount,
  path: '/security',
  component: view('Security'),
})

const sessions = createRoute({
  ...ofAccount,
  path: '/sessions',
  component: view('Sessions'),
})

const identities = createRoute({
  ...ofAccount,
  path: '/identities',
  validateSearch: searchOf({ bound: flag, provider_id: text, error: text }),
  component: view('Identities'),
})

const tokens = createRoute({
  ...ofAccount,
  path: '/tokens',
  component: view('Tokens'),
})

const routeTree = root.addChildren([
  signIn,
  register,
  resetPassword,
  confirmEmail,
  callback,
  inside.addChildren([
    dashboard,
    domains,
    addDomains,
    domain.addChildren([domainStart, records, history, sync, domainAccess, domainSettings]),
    search,
    requests,
    access,
    notifications,
    providers,
    provider,
    templates,
    template,
    channels,
    channel,
    users,
    invitations,
    user,
    signInProviders,
    audit,
    account.addChildren([accountStart, profile, security, sessions, identities, tokens]),
  ]),
])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 0,
  defaultPendingComponent: PageLoading,
  defaultErrorComponent: PageProblem,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    administrators?: boolean
  }
}
