import { LARGE_DOMAIN, type UserName } from './seed.ts'

/** A list request. */
export interface ListCase {
  what: string
  user: UserName
  path: string
  /** Number of its SQL statements, 1 by default; the last returns the rows. */
  statements?: number
}

const domains = <User extends UserName>(what: string, user: User, query = '') => ({
  what,
  user,
  path: `/api/domains${query}`,
})

/** The most used first pages, and each filter. */
export const DOMAIN_LISTS: ListCase[] = [
  domains('domains, administrator', 'admin'),
  domains('domains, member', 'member'),
  domains('… of a group', 'member', '?group=group-3'),
  domains('… with a tag, by expiry', 'member', '?tag=tag-3&sort=expiresAt'),
  domains('… that expire soon', 'member', '?status=expiring'),
  domains('… search, one in ten matches', 'member', '?search=shop'),
  domains('… search, one in thousand matches', 'member', '?search=rare'),
  domains('… search, one domain matches', 'admin', '?search=-777.example'),
  // The first statement reads the owned domains, and whether there are more.
  { ...domains('domains, 500 assigned, none owned', 'delegate'), statements: 2 },
]

/**
 * Distant pages and searches: bounded in time, or refused with a 400 that gives the reason. `byCursor`: the page after
 * that of the path.
 */
export const FAR_LISTS: (ListCase & { user: 'admin' | 'member'; byCursor?: true })[] = [
  domains('page 1,000', 'admin', '?page=1000'),
  domains('page 40,000', 'admin', '?page=40000'),
  { ...domains('page 40,000, by cursor', 'admin', '?page=39999'), byCursor: true },
  domains('page 40,000, by expiry', 'member', '?page=40000&sort=expiresAt'),
  domains('page 200 of those that expire soon', 'member', '?page=200&status=expiring'),
  domains('page 2,000 of those that expire soon', 'member', '?page=2000&status=expiring'),
  domains('search for three letters that nothing has', 'member', '?search=zqx'),
  domains('search for two letters', 'member', '?search=zq'),
  domains('search for one letter', 'admin', '?search=q'),
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
