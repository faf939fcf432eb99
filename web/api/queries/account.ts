import { queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'

export const meQuery = queryOptions({
  queryKey: ['account', 'me'],
  queryFn: ({ signal }) => api.GET('/api/auth/me', { signal }),
  select: ({ user }) => user,
})

export const signInProvidersQuery = queryOptions({
  queryKey: ['sign-in-providers', 'public'],
  queryFn: ({ signal }) => api.GET('/api/auth/oauth/providers', { signal }),
  select: ({ providers }) => providers,
})

export const twoFactorQuery = queryOptions({
  queryKey: ['account', 'two-factor'],
  queryFn: ({ signal }) => api.GET('/api/2fa', { signal }),
})

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => api.GET('/api/2fa/passkeys', { signal }),
  select: ({ passkeys }) => passkeys,
})

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => api.GET('/api/auth/me/sessions', { signal }),
  select: ({ sessions }) => sessions,
})

export const bindingsQuery = queryOptions({
  queryKey: ['account', 'bindings'],
  queryFn: ({ signal }) => api.GET('/api/auth/oauth/bindings', { signal }),
  select: ({ bindings }) => bindings,
})

export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => api.GET('/api/notifications', { signal }),
})
