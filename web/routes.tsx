import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { session } from './api/session.ts'
import type { Area } from './messages/en.ts'
import { flag, oneOf, positive, searchOf, text } from './search.ts'
import { NotFound } from './views/shell/NotFound.tsx'
import { PageProblem, PartProblem } from './views/shell/PageProblem.tsx'
import { Loading, PageLoading } from './ui/Loading.tsx'
import { withTexts } from './ui/language.tsx'
import { Root } from './views/shell/Root.tsx'

/** A view, loaded when it is first shown or about to be, with the texts of these areas. */
const view = <Name extends string, File extends Record<Name, () => ReactNode>>(
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
  component: view(() => import('./views/sign-in/SignIn.tsx'), 'SignIn', ['signIn']),
})

const register = createRoute({
  ...open,
  path: '/register',
  validateSearch: searchOf({ code: text, pending_token: text, provider_id: text }),
  component: view(() => import('./views/sign-in/Register.tsx'), 'Register', ['register', 'signIn']),
})

const resetPassword = createRoute({
  ...open,
  path: '/reset-password',
  component: view(() => import('./views/sign-in/ResetPassword.tsx'), 'ResetPassword', ['register', 'signIn']),
})

const confirmEmail = createRoute({
  ...open,
  path: '/confirm-email',
  component: view(() => import('./views/sign-in/ConfirmEmail.tsx'), 'ConfirmEmail', ['register']),
})

const callback = createRoute({
  ...open,
  path: '/auth/callback',
  component: view(() => import('./views/sign-in/Callback.tsx'), 'Callback', ['register', 'signIn']),
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
  component: view(() => import('./views/shell/Shell.tsx'), 'Shell', [
    'notifications',
    'palette',
    'shell',
    'signIn',
  ]),
})

const within = { getParentRoute: () => inside }
/** Behind these only administrators have something to do. */
const administration = { getParentRoute: () => inside, staticData: { administrators: true } }

const dashboard = createRoute({
  ...within,
  path: '/',
  component: view(() => import('./views/dashboard/Dashboard.tsx'), 'Dashboard', [
    'dashboard',
    'notifications',
  ]),
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
  component: view(() => import('./views/domains/Domains.tsx'), 'Domains', ['domain', 'domains']),
})

const addDomains = createRoute({
  ...within,
  path: '/domains/add',
  validateSearch: searchOf({ config: text }),
  component: view(() => import('./views/domains/AddDomains.tsx'), 'AddDomains', ['addDomains', 'domains']),
})

/** The frame of one domain: its name, and its tabs. */
const domain = createRoute({
  ...within,
  path: '/domains/$id',
  component: view(() => import('./views/domain/DomainFrame.tsx'), 'DomainFrame', ['domain']),
})

const ofDomain = { getParentRoute: () => domain, pendingComponent: Loading, errorComponent: PartProblem }

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
  component: view(() => import('./views/records/Records.tsx'), 'Records', ['records']),
})

const history = createRoute({
  ...ofDomain,
  path: '/history',
  validateSearch: searchOf({
    page: positive,
    name: text,
    type: text,
    actor: text,
    from: text,
    to: text,
    change: text,
  }),
  component: view(() => import('./views/history/History.tsx'), 'History', [
    'diff',
    'domain',
    'history',
    'plan',
    'records',
  ]),
})

const sync = createRoute({
  ...ofDomain,
  path: '/sync',
  component: view(() => import('./views/sync/Sync.tsx'), 'Sync', ['diff', 'domain', 'records', 'sync']),
})

const domainAccess = createRoute({
  ...ofDomain,
  path: '/access',
  component: view(() => import('./views/access/DomainAccess.tsx'), 'DomainAccess', [
    'access',
    'domain',
    'shell',
  ]),
})

const domainSettings = createRoute({
  ...ofDomain,
  path: '/settings',
  component: view(() => import('./views/domain-settings/DomainSettings.tsx'), 'DomainSettings', [
    'addDomains',
    'diff',
    'domain',
    'domains',
    'domainSettings',
    'plan',
    'records',
  ]),
})

const search = createRoute({
  ...within,
  path: '/search',
  validateSearch: searchOf({ q: text, page: positive }),
  component: view(() => import('./views/search/Search.tsx'), 'Search', [
    'diff',
    'manyDomains',
    'plan',
    'records',
    'search',
  ]),
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
  component: view(() => import('./views/requests/Requests.tsx'), 'Requests', ['access', 'requests']),
})

const access = createRoute({
  ...within,
  path: '/access',
  validateSearch: searchOf({ user: text }),
  component: view(() => import('./views/access/WhoMayWhat.tsx'), 'WhoMayWhat', ['access', 'shell']),
})

const notifications = createRoute({
  ...within,
  path: '/notifications',
  component: view(() => import('./views/notifications/Notifications.tsx'), 'Notifications', [
    'notifications',
    'shell',
  ]),
})

const providers = createRoute({
  ...within,
  path: '/providers',
  component: view(() => import('./views/providers/Providers.tsx'), 'Providers', ['providers']),
})

const provider = createRoute({
  ...within,
  path: '/providers/$id',
  validateSearch: searchOf({ kind: text }),
  component: view(() => import('./views/providers/ProviderConfig.tsx'), 'ProviderConfig', [
    'providers',
    'serviceFields',
  ]),
})

const templates = createRoute({
  ...within,
  path: '/templates',
  component: view(() => import('./views/templates/Templates.tsx'), 'Templates', ['templates']),
})

const template = createRoute({
  ...within,
  path: '/templates/$id',
  validateSearch: searchOf({ from: text }),
  component: view(() => import('./views/templates/Template.tsx'), 'Template', [
    'diff',
    'manyDomains',
    'plan',
    'records',
    'templates',
  ]),
})

const channels = createRoute({
  ...administration,
  path: '/channels',
  component: view(() => import('./views/channels/Channels.tsx'), 'Channels', ['channels']),
})

const channel = createRoute({
  ...administration,
  path: '/channels/$id',
  validateSearch: searchOf({ kind: text }),
  component: view(() => import('./views/channels/Channel.tsx'), 'Channel', ['channels', 'serviceFields']),
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
  component: view(() => import('./views/users/Users.tsx'), 'Users', ['users']),
})

const invitations = createRoute({
  ...administration,
  path: '/users/invitations',
  validateSearch: searchOf({ page: positive }),
  component: view(() => import('./views/users/Invitations.tsx'), 'Invitations', ['users']),
})

const user = createRoute({
  ...administration,
  path: '/users/$id',
  component: view(() => import('./views/users/User.tsx'), 'User', ['access', 'tokens', 'users']),
})

const signInProviders = createRoute({
  ...administration,
  path: '/sign-in-providers',
  component: view(() => import('./views/sign-in-providers/SignInProviders.tsx'), 'SignInProviders', [
    'signInProviders',
  ]),
})

const audit = createRoute({
  ...administration,
  path: '/audit',
  validateSearch: searchOf({
    page: positive,
    actor: text,
    action: text,
    target: text,
    from: text,
    to: text,
  }),
  component: view(() => import('./views/audit/Audit.tsx'), 'Audit', ['audit']),
})

const account = createRoute({
  ...within,
  path: '/account',
  component: view(() => import('./views/account/AccountFrame.tsx'), 'AccountFrame', ['account']),
})

const ofAccount = { getParentRoute: () => account, pendingComponent: Loading, errorComponent: PartProblem }

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
  component: view(() => import('./views/account/Profile.tsx'), 'Profile', ['account']),
})

const security = createRoute({
  ...ofAccount,
  path: '/security',
  component: view(() => import('./views/account/Security.tsx'), 'Security', ['account']),
})

const sessions = createRoute({
  ...ofAccount,
  path: '/sessions',
  component: view(() => import('./views/account/Sessions.tsx'), 'Sessions', ['account']),
})

const identities = createRoute({
  ...ofAccount,
  path: '/identities',
  validateSearch: searchOf({ bound: flag, provider_id: text, error: text }),
  component: view(() => import('./views/account/Identities.tsx'), 'Identities', ['account', 'register']),
})

const tokens = createRoute({
  ...ofAccount,
  path: '/tokens',
  component: view(() => import('./views/account/Tokens.tsx'), 'Tokens', ['tokens']),
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
