import type { Messages } from './en.ts'
import { access } from './zh/access.ts'
import { account } from './zh/account.ts'
import { addDomains } from './zh/addDomains.ts'
import { audit } from './zh/audit.ts'
import { channels } from './zh/channels.ts'
import { common } from './zh/common.ts'
import { dashboard } from './zh/dashboard.ts'
import { diff } from './zh/diff.ts'
import { domain } from './zh/domain.ts'
import { domainSettings } from './zh/domainSettings.ts'
import { domains } from './zh/domains.ts'
import { history } from './zh/history.ts'
import { manyDomains } from './zh/manyDomains.ts'
import { notifications } from './zh/notifications.ts'
import { palette } from './zh/palette.ts'
import { plan } from './zh/plan.ts'
import { problems } from './zh/problems.ts'
import { providers } from './zh/providers.ts'
import { records } from './zh/records.ts'
import { register } from './zh/register.ts'
import { requests } from './zh/requests.ts'
import { search } from './zh/search.ts'
import { shell } from './zh/shell.ts'
import { signIn } from './zh/signIn.ts'
import { signInProviders } from './zh/signInProviders.ts'
import { sync } from './zh/sync.ts'
import { templates } from './zh/templates.ts'
import { tokens } from './zh/tokens.ts'
import { users } from './zh/users.ts'

export const zh = {
  access,
  account,
  addDomains,
  audit,
  channels,
  common,
  dashboard,
  diff,
  domain,
  domainSettings,
  domains,
  history,
  manyDomains,
  notifications,
  palette,
  plan,
  problems,
  providers,
  records,
  register,
  requests,
  search,
  shell,
  signIn,
  signInProviders,
  sync,
  templates,
  tokens,
  users,
} satisfies Messages
