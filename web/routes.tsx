import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { session } from './api/session.ts'
import { flag, oneOf, positive, searchOf, text } from './search.ts'
import { NotFound } from './views/shell/NotFound.tsx'
import { PageProblem } from './views/shell/PageProblem.tsx'
import { Loading } from './ui/Loading.tsx'
import { Root } from './views/shell/Root.tsx'

/** Every path of the console, with what its address may say and the view that it shows. */

const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: PageProblem })

const open = { getParentRoute: () => root }

const signIn = createRoute({
  ...open,
  path: '/sign-in',
  validateSearch: searchOf({ next: text }),
  component: lazyRouteComponent(() => import('./views/sign-in/SignIn.tsx'), 'SignIn'),
})

const register = createRoute({
  ...open,
  path: '/register',
  validateSearch: searchOf({ code: text, pending_token: text, provider_id: text }),
  component: lazyRouteComponent(() => import('./views/sign-in/Register.tsx'), 'Register'),
})

const resetPassword = createRoute({
  ...open,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./views/sign-in/ResetPassword.tsx'), 'ResetPassword'),
})

const confirmEmail = createRoute({
  ...open,
  path: '/confirm-email',
  component: lazyRouteComponent(() => import('./views/sign-in/ConfirmEmail.tsx'), 'ConfirmEmail'),
})

const callback = createRoute({
  ...open,
  path: '/auth/callback',
  component: lazyRouteComponent(() => import('./views/sign-in/Callback.tsx'), 'Callback'),
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
  component: lazyRouteComponent(() => import('./views/shell/Shell.tsx'), 'Shell'),
})

const within = { getParentRoute: () => inside }

const dashboard = createRoute({
  ...within,
  path: '/',
  component: lazyRouteComponent(() => import('./views/dashboard/Dashboard.tsx'), 'Dashboard'),
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
  component: lazyRouteComponent(() => import('./views/domains/Domains.tsx'), 'Domains'),
})

const addDomains = createRoute({
  ...within,
  path: '/domains/add',
  validateSearch: searchOf({ config: text }),
  component: lazyRouteComponent(() => import('./views/domains/AddDomains.tsx'), 'AddDomains'),
})

/** The frame of one domain: its name, and its tabs. */
const domain = createRoute({
  ...within,
  path: '/domains/$id',
  component: lazyRouteComponent(() => import('./views/domain/DomainFrame.tsx'), 'DomainFrame'),
})

const ofDomain = { getParentRoute: () => domain }

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
    record: text,
    view: oneOf('text', 'unmanaged'),
  }),
  component: lazyRouteComponent(() => import('./views/records/Records.tsx'), 'Records'),
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
  component: lazyRouteComponent(() => import('./views/history/History.tsx'), 'History'),
})

const sync = createRoute({
  ...ofDomain,
  path: '/sync',
  component: lazyRouteComponent(() => import('./views/sync/Sync.tsx'), 'Sync'),
})

const domainAccess = createRoute({
  ...ofDomain,
  path: '/access',
  component: lazyRouteComponent(() => import('./views/access/DomainAccess.tsx'), 'DomainAccess'),
})

const domainSettings = createRoute({
  ...ofDomain,
  path: '/settings',
  component: lazyRouteComponent(() => import('./views/domain-settings/DomainSettings.tsx'), 'DomainSettings'),
})

const search = createRoute({
  ...within,
  path: '/search',
  validateSearch: searchOf({ q: text, page: positive }),
  component: lazyRouteComponent(() => import('./views/search/Search.tsx'), 'Search'),
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
  component: lazyRouteComponent(() => import('./views/requests/Requests.tsx'), 'Requests'),
})

const access = createRoute({
  ...within,
  path: '/access',
  validateSearch: searchOf({ user: text }),
  component: lazyRouteComponent(() => import('./views/access/WhoMayWhat.tsx'), 'WhoMayWhat'),
})

const notifications = createRoute({
  ...within,
  path: '/notifications',
  component: lazyRouteComponent(() => import('./views/notifications/Notifications.tsx'), 'Notifications'),
})

const providers = createRoute({
  ...within,
  path: '/providers',
  component: lazyRouteComponent(() => import('./views/providers/Providers.tsx'), 'Providers'),
})

const provider = createRoute({
  ...within,
  path: '/providers/$id',
  validateSearch: searchOf({ kind: text }),
  component: lazyRouteComponent(() => import('./views/providers/ProviderConfig.tsx'), 'ProviderConfig'),
})

const templates = createRoute({
  ...within,
  path: '/templates',
  component: lazyRouteComponent(() => import('./views/templates/Templates.tsx'), 'Templates'),
})

const template = createRoute({
  ...within,
  path: '/templates/$id',
  validateSearch: searchOf({ from: text }),
  component: lazyRouteComponent(() => import('./views/templates/Template.tsx'), 'Template'),
})

const channels = createRoute({
  ...within,
  path: '/channels',
  component: lazyRouteComponent(() => import('./views/channels/Channels.tsx'), 'Channels'),
})

const channel = createRoute({
  ...within,
  path: '/channels/$id',
  validateSearch: searchOf({ kind: text }),
  component: lazyRouteComponent(() => import('./views/channels/Channel.tsx'), 'Channel'),
})

const users = createRoute({
  ...within,
  path: '/users',
  validateSearch: searchOf({
    page: positive,
    search: text,
    role: oneOf('admin', 'member'),
    kind: oneOf('person', 'machine'),
  }),
  component: lazyRouteComponent(() => import('./views/users/Users.tsx'), 'Users'),
})

const invitations = createRoute({
  ...within,
  path: '/users/invitations',
  validateSearch: searchOf({ page: positive }),
  component: lazyRouteComponent(() => import('./views/users/Invitations.tsx'), 'Invitations'),
})

const user = createRoute({
  ...within,
  path: '/users/$id',
  component: lazyRouteComponent(() => import('./views/users/User.tsx'), 'User'),
})

const signInProviders = createRoute({
  ...within,
  path: '/sign-in-providers',
  component: lazyRouteComponent(
    () => import('./views/sign-in-providers/SignInProviders.tsx'),
    'SignInProviders',
  ),
})

const audit = createRoute({
  ...within,
  path: '/audit',
  validateSearch: searchOf({
    page: positive,
    actor: text,
    action: text,
    target: text,
    from: text,
    to: text,
  }),
  component: lazyRouteComponent(() => import('./views/audit/Audit.tsx'), 'Audit'),
})

const account = createRoute({
  ...within,
  path: '/account',
  component: lazyRouteComponent(() => import('./views/account/AccountFrame.tsx'), 'AccountFrame'),
})

const ofAccount = { getParentRoute: () => account }

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
  component: lazyRouteComponent(() => import('./views/account/Profile.tsx'), 'Profile'),
})

const security = createRoute({
  ...ofAccount,
  path: '/security',
  component: lazyRouteComponent(() => import('./views/account/Security.tsx'), 'Security'),
})

const sessions = createRoute({
  ...ofAccount,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./views/account/Sessions.tsx'), 'Sessions'),
})

const identities = createRoute({
  ...ofAccount,
  path: '/identities',
  validateSearch: searchOf({ bound: flag, provider_id: text, error: text }),
  component: lazyRouteComponent(() => import('./views/account/Identities.tsx'), 'Identities'),
})

const tokens = createRoute({
  ...ofAccount,
  path: '/tokens',
  component: lazyRouteComponent(() => import('./views/account/Tokens.tsx'), 'Tokens'),
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
  defaultPendingComponent: Loading,
  defaultErrorComponent: PageProblem,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
