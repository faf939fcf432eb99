import type { ReactNode } from 'react'
import type { Area } from './messages/en.ts'
import { withTexts } from './ui/language.tsx'

/** A view with the messages of these areas. */
const view = <Name extends string>(
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
  areas: Area[],
) => {
  const loadAll = withTexts(load, areas)
  return async () => ({ default: (await loadAll())[name] })
}

const mirrorViews = () => import('./views/mirrors/views.ts')

/** Views behind sign-in, loaded on first use or preload. */
export const views = {
  AccountFrame: view(() => import('./views/account/AccountFrame.tsx'), 'AccountFrame', ['account']),
  AddDomains: view(() => import('./views/domains/AddDomains.tsx'), 'AddDomains', ['addDomains', 'domains']),
  Audit: view(() => import('./views/audit/Audit.tsx'), 'Audit', ['audit', 'history']),
  ChangeRequest: view(() => import('./views/change-requests/ChangeRequest.tsx'), 'ChangeRequest', [
    'changeRequests',
    'diff',
    'records',
  ]),
  ChangeRequests: view(() => import('./views/change-requests/ChangeRequests.tsx'), 'ChangeRequests', [
    'changeRequests',
    'shell',
  ]),
  Channel: view(() => import('./views/channels/Channel.tsx'), 'Channel', [
    'channels',
    'leaving',
    'serviceFields',
  ]),
  Channels: view(() => import('./views/channels/Channels.tsx'), 'Channels', ['channels']),
  Dashboard: view(() => import('./views/dashboard/Dashboard.tsx'), 'Dashboard', [
    'dashboard',
    'notifications',
  ]),
  DomainAccess: view(() => import('./views/access/DomainAccess.tsx'), 'DomainAccess', [
    'access',
    'domain',
    'shell',
  ]),
  DomainChangeRequests: view(
    () => import('./views/change-requests/DomainChangeRequests.tsx'),
    'DomainChangeRequests',
    ['changeRequests', 'domain'],
  ),
  DomainFrame: view(() => import('./views/domain/DomainFrame.tsx'), 'DomainFrame', ['domain']),
  DomainHealth: view(() => import('./views/health/DomainHealth.tsx'), 'DomainHealth', ['domain', 'health']),
  DomainSettings: view(() => import('./views/domain-settings/DomainSettings.tsx'), 'DomainSettings', [
    'addDomains',
    'domain',
    'domains',
    'domainSettings',
    'leaving',
  ]),
  Domains: view(() => import('./views/domains/Domains.tsx'), 'Domains', ['domain', 'domains']),
  Failover: view(() => import('./views/failover/Failover.tsx'), 'Failover', ['failover', 'shell']),
  Health: view(() => import('./views/health/Health.tsx'), 'Health', ['health']),
  History: view(() => import('./views/history/History.tsx'), 'History', [
    'diff',
    'domain',
    'history',
    'later',
    'manyDomains',
    'plan',
    'records',
  ]),
  Identities: view(() => import('./views/account/Identities.tsx'), 'Identities', ['account', 'register']),
  Invitations: view(() => import('./views/users/Invitations.tsx'), 'Invitations', ['users']),
  Mirrors: view(mirrorViews, 'Mirrors', ['addDomains', 'domain', 'mirrors']),
  Move: view(mirrorViews, 'Move', ['addDomains', 'domain', 'mirrors']),
  Notifications: view(() => import('./views/notifications/Notifications.tsx'), 'Notifications', [
    'notifications',
    'shell',
  ]),
  Profile: view(() => import('./views/account/Profile.tsx'), 'Profile', ['account']),
  ProviderConfig: view(() => import('./views/providers/ProviderConfig.tsx'), 'ProviderConfig', [
    'leaving',
    'providers',
    'serviceFields',
  ]),
  Providers: view(() => import('./views/providers/Providers.tsx'), 'Providers', ['providers']),
  Records: view(() => import('./views/records/Records.tsx'), 'Records', ['records']),
  Requests: view(() => import('./views/requests/Requests.tsx'), 'Requests', ['access', 'requests']),
  Search: view(() => import('./views/search/Search.tsx'), 'Search', [
    'diff',
    'manyDomains',
    'plan',
    'records',
    'search',
  ]),
  Security: view(() => import('./views/account/Security.tsx'), 'Security', ['account']),
  Sessions: view(() => import('./views/account/Sessions.tsx'), 'Sessions', ['account']),
  Shell: view(() => import('./views/shell/Shell.tsx'), 'Shell', ['notifications', 'palette', 'shell']),
  SignInProviders: view(() => import('./views/sign-in-providers/SignInProviders.tsx'), 'SignInProviders', [
    'signInProviders',
  ]),
  Sync: view(() => import('./views/sync/Sync.tsx'), 'Sync', ['diff', 'domain', 'records', 'sync']),
  Template: view(() => import('./views/templates/Template.tsx'), 'Template', [
    'diff',
    'leaving',
    'manyDomains',
    'plan',
    'records',
    'templates',
  ]),
  Templates: view(() => import('./views/templates/Templates.tsx'), 'Templates', ['templates']),
  Tokens: view(() => import('./views/account/Tokens.tsx'), 'Tokens', ['tokens']),
  User: view(() => import('./views/users/User.tsx'), 'User', ['access', 'tokens', 'users']),
  Users: view(() => import('./views/users/Users.tsx'), 'Users', ['users']),
  WhoMayWhat: view(() => import('./views/access/WhoMayWhat.tsx'), 'WhoMayWhat', ['access', 'shell']),
}

export { PageReadProblem, PartReadProblem } from './views/shell/problems/ReadProblem.tsx'
