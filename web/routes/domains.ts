import { createRoute, redirect } from '@tanstack/react-router'
import { flag, oneOf, positive, searchOf, text } from '../search.ts'
import { ORIGINS } from '../ui/origins.ts'
import { page, requestSearch, tab, view } from './root.ts'

const domains = createRoute({
  ...page,
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
  ...page,
  path: '/domains/add',
  validateSearch: searchOf({ config: text }),
  component: view('AddDomains'),
})

/** Frame of one domain: name and tabs. */
const domain = createRoute({
  ...page,
  path: '/domains/$id',
  component: view('DomainFrame'),
})

const domainStart = createRoute({
  ...tab,
  getParentRoute: () => domain,
  path: '/',
  beforeLoad({ params }) {
    // oxlint-disable-next-line typescript/only-throw-error -- the router expects it
    throw redirect({ to: '/domains/$id/records', params, replace: true })
  },
})

const records = createRoute({
  ...tab,
  getParentRoute: () => domain,
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
  ...tab,
  getParentRoute: () => domain,
  path: '/history',
  validateSearch: searchOf({
    page: positive,
    status: oneOf('scheduled', 'unconfirmed', 'pending', 'applied', 'partial', 'failed', 'cancelled'),
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

const domainRequests = createRoute({
  ...tab,
  getParentRoute: () => domain,
  path: '/change-requests',
  validateSearch: requestSearch,
  component: view('DomainChangeRequests'),
})

const domainHealth = createRoute({
  ...tab,
  getParentRoute: () => domain,
  path: '/health',
  component: view('DomainHealth'),
})

const sync = createRoute({
  ...tab,
  getParentRoute: () => domain,
  path: '/sync',
  component: view('Sync'),
})

const mirrors = createRoute({
  ...tab,
  getParentRoute: () => domain,
  path: '/mirrors',
  component: view('Mirrors'),
})

/** `to`: the connection that the domain moves to; `unchecked`: its delegation can't be asked for. */
const move = createRoute({
  ...tab,
  getParentRoute: () => domain,
  path: '/mirrors/move',
  validateSearch: searchOf({ to: text, unchecked: flag }),
  component: view('Move'),
})

const domainAccess = createRoute({
  ...tab,
  getParentRoute: () => domain,
  path: '/access',
  component: view('DomainAccess'),
})

const domainSettings = createRoute({
  ...tab,
  getParentRoute: () => domain,
  path: '/settings',
  component: view('DomainSettings'),
})

export const domainRoutes = [
  domains,
  addDomains,
  domain.addChildren([
    domainStart,
    records,
    history,
    domainRequests,
    domainHealth,
    sync,
    mirrors,
    move,
    domainAccess,
    domainSettings,
  ]),
] as const
