import { createRoute } from '@tanstack/react-router'
import { oneOf, positive, searchOf, text } from '../search.ts'
import { ORIGINS } from '../ui/origins.ts'
import { administrationPage, view } from './root.ts'

const channels = createRoute({
  ...administrationPage,
  path: '/channels',
  component: view('Channels'),
})

const channel = createRoute({
  ...administrationPage,
  path: '/channels/$id',
  validateSearch: searchOf({ kind: text }),
  component: view('Channel'),
})

const users = createRoute({
  ...administrationPage,
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
  ...administrationPage,
  path: '/users/invitations',
  validateSearch: searchOf({ page: positive }),
  component: view('Invitations'),
})

const user = createRoute({
  ...administrationPage,
  path: '/users/$id',
  component: view('User'),
})

const signInProviders = createRoute({
  ...administrationPage,
  path: '/sign-in-providers',
  component: view('SignInProviders'),
})

const audit = createRoute({
  ...administrationPage,
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

export const administrationRoutes = [
  channels,
  channel,
  users,
  invitations,
  user,
  signInProviders,
  audit,
] as const
