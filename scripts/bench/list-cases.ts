import { LARGE_DOMAIN, type UserName } from './seed.ts'

/** A list as somebody asks for it. */
export interface ListCase {
  what: string
  user: UserName
  path: string
  /** SQL statements that it takes, by default one; what it answers is in the last. */
  statements?: number
}

const domains = (what: string, user: UserName, query = ''): ListCase => ({
  what,
  user,
  path: `/api/domains${query}`,
})

/** The first pages that people see most, and each filter. */
export const DOMAIN_LISTS: ListCase[] = [
  domains('domains, administrator', 'admin'),
  domains('domains, member', 'member'),
  domains('… of a group', 'member', '?group=group-3'),
  domains('… with a tag, by expiry', 'member', '?tag=tag-3&sort=expiresAt'),
  domains('… that expire soon', 'member', '?status=expiring'),
  domains('… search, one in ten matches', 'member', '?search=shop'),
  domains('… search, one in thousand matches', 'member', '?search=rare'),
  // The first of them finds what is owned, and that there is more.
  { ...domains('domains, 500 assigned, none owned', 'delegate'), statements: 2 },
]

export const RECORD_LISTS: ListCase[] = [
  { what: 'records of a domain of 10,000', user: 'member', path: `/api/domains/${LARGE_DOMAIN}/records` },
  { what: '… of a type', user: 'member', path: `/api/domains/${LARGE_DOMAIN}/records?type=TXT` },
  { what: '… search', user: 'member', path: `/api/domains/${LARGE_DOMAIN}/records?search=host-77` },
  {
    what: '… a tenth of them assigned',
    user: 'delegate',
    path: `/api/domains/${LARGE_DOMAIN}/records`,
  },
]
