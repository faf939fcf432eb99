import { access } from './en/access.ts'
import { account } from './en/account.ts'
import { addDomains } from './en/addDomains.ts'
import { audit } from './en/audit.ts'
import { channels } from './en/channels.ts'
import { common } from './en/common.ts'
import { dashboard } from './en/dashboard.ts'
import { diff } from './en/diff.ts'
import { domain } from './en/domain.ts'
import { domainSettings } from './en/domainSettings.ts'
import { domains } from './en/domains.ts'
import { history } from './en/history.ts'
import { manyDomains } from './en/manyDomains.ts'
import { notifications } from './en/notifications.ts'
import { palette } from './en/palette.ts'
import { plan } from './en/plan.ts'
import { problems } from './en/problems.ts'
import { providers } from './en/providers.ts'
import { records } from './en/records.ts'
import { register } from './en/register.ts'
import { requests } from './en/requests.ts'
import { search } from './en/search.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/signIn.ts'
import { signInProviders } from './en/signInProviders.ts'
import { sync } from './en/sync.ts'
import { templates } from './en/templates.ts'
import { tokens } from './en/tokens.ts'
import { users } from './en/users.ts'

/** All that the console says in English: one file an area. */
export const en = {
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
}

export type Messages = typeof en
