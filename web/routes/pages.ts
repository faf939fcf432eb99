import { createRoute } from '@tanstack/react-router'
import { oneOf, positive, searchOf, text } from '../search.ts'
import { page, requestSearch, view } from './root.ts'

const dashboard = createRoute({
  ...page,
  path: '/',
  component: view('Dashboard'),
})

const search = createRoute({
  ...page,
  path: '/search',
  validateSearch: searchOf({ q: text, page: positive }),
  component: view('Search'),
})

const changeRequests = createRoute({
  ...page,
  path: '/change-requests',
  validateSearch: requestSearch,
  component: view('ChangeRequests'),
})

const changeRequest = createRoute({
  ...page,
  path: '/change-requests/$id',
  component: view('ChangeRequest'),
})

const health = createRoute({
  ...page,
  path: '/health-findings',
  validateSearch: searchOf({
    severity: oneOf('error', 'warning', 'info'),
    code: text,
    domainId: text,
    page: positive,
  }),
  component: view('Health'),
})

const failover = createRoute({
  ...page,
  path: '/failover',
  validateSearch: searchOf({ page: positive }),
  component: view('Failover'),
})

const requests = createRoute({
  ...page,
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
  ...page,
  path: '/access',
  validateSearch: searchOf({ user: text }),
  component: view('WhoMayWhat'),
})

const notifications = createRoute({
  ...page,
  path: '/notifications',
  component: view('Notifications'),
})

const providers = createRoute({
  ...page,
  path: '/providers',
  component: view('Providers'),
})

const provider = createRoute({
  ...page,
  path: '/providers/$id',
  validateSearch: searchOf({ kind: text }),
  component: view('ProviderConfig'),
})

const templates = createRoute({
  ...page,
  path: '/templates',
  component: view('Templates'),
})

const template = createRoute({
  ...page,
  path: '/templates/$id',
  validateSearch: searchOf({ from: text }),
  component: view('Template'),
})

export const pageRoutes = [
  dashboard,
  search,
  changeRequests,
  changeRequest,
  health,
  failover,
  requests,
  access,
  notifications,
  providers,
  provider,
  templates,
  template,
] as const
