/** How a view is empty: what it says, and the button or link that leads on. */
export interface Empty {
  says: string
  leads: string
}

/** What holds for one view where it is not as in all. */
export interface StateCase {
  /** A search under which nothing is found, and what is said then; *clear filter* leads back. */
  filtered?: { search: string; says: string; leads?: string }
  /** Without it, the view can't be empty: then `full` says why. */
  empty?: Empty
  full?: string
  /** What is said of 403, and what leads on, where that means something else. */
  forbidden?: Empty
  /** Added to the address, so that the view asks for something. */
  search?: string
}

const OBJECT = 'one thing, which is there or not'

/** Every view behind sign-in. A new one without an entry here fails the run. */
export const INSIDE: Record<string, StateCase> = {
  '/': { empty: { says: 'No domains yet', leads: 'Connect DNS provider' } },
  '/domains': {
    filtered: { search: '?search=nothing-is-called-so', says: 'No domains match the filter.' },
    empty: { says: 'No domains yet', leads: 'Add domains' },
  },
  '/domains/add': {
    empty: { says: 'First connect the DNS provider of your zones.', leads: 'Connect DNS provider' },
  },
  '/domains/$id/records': {
    filtered: { search: '?filter=nothing-is-called-so', says: 'No records match the filter.' },
    empty: { says: 'This zone has no records yet.', leads: 'Add record' },
  },
  '/domains/$id/history': {
    filtered: { search: '?name=nothing-is-called-so', says: 'No changes match the filter.' },
    empty: { says: 'No changes yet.', leads: 'Records' },
  },
  '/domains/$id/change-requests': {
    filtered: { search: '?status=withdrawn', says: 'No change requests with this status.' },
    empty: { says: 'No change requests yet.', leads: 'Records' },
  },
  '/domains/$id/health': { empty: { says: 'No problems found.', leads: 'Check now' } },
  '/domains/$id/sync': { full: OBJECT },
  '/domains/$id/mirrors': { empty: { says: 'No mirrors yet.', leads: 'Add mirror' } },
  '/domains/$id/mirrors/move': { full: OBJECT },
  '/domains/$id/access': {
    empty: { says: 'Nobody else has access to this domain.', leads: 'Grant access' },
  },
  '/domains/$id/settings': { full: OBJECT },
  '/search': {
    search: '?q=192.0.2.1',
    filtered: { search: '?q=nothing-is-called-so', says: 'No records match.', leads: 'Clear' },
    empty: { says: 'No records match.', leads: 'Clear' },
  },
  '/change-requests': {
    filtered: { search: '?status=withdrawn', says: 'No change requests with this status.' },
    empty: { says: 'No change requests yet.', leads: 'Domains' },
  },
  '/change-requests/$id': { full: OBJECT },
  '/health-findings': {
    filtered: { search: '?code=dnssec.bogus', says: 'No problems match the filter.' },
    empty: { says: 'No problems found.', leads: 'Check all domains' },
  },
  '/failover': { empty: { says: 'No failover monitors yet.', leads: 'New monitor' } },
  '/requests': {
    filtered: { search: '?status=cancelled', says: 'No requests with this status.' },
    full: 'others ask: an administrator has nothing to do here',
  },
  '/access': { empty: { says: 'No permissions granted.', leads: 'Full name' } },
  '/notifications': {
    full: 'what is new comes by itself',
    forbidden: { says: 'In-app notifications are turned off in your profile.', leads: 'Account' },
  },
  '/providers': { empty: { says: 'No connections yet.', leads: 'Find a DNS provider' } },
  '/providers/$id': { full: OBJECT },
  '/templates': { empty: { says: 'No templates yet.', leads: 'Create template' } },
  '/templates/$id': { full: OBJECT },
  '/channels': { empty: { says: 'No channels yet', leads: 'Add channel' } },
  '/channels/$id': { full: OBJECT },
  '/users': {
    filtered: { search: '?search=nothing-is-called-so', says: 'No accounts match the filters.' },
    full: 'who looks is there',
  },
  '/users/invitations': { empty: { says: 'No invitations yet.', leads: 'Invite' } },
  '/users/$id': { full: OBJECT },
  '/sign-in-providers': { empty: { says: 'None set up.', leads: 'OpenID Connect' } },
  '/audit': {
    filtered: { search: '?actor=nothing-is-called-so', says: 'No entries match the filters.' },
    full: 'who looks has signed in, which is told here',
  },
  '/account/profile': { full: OBJECT },
  '/account/security': { full: OBJECT },
  '/account/sessions': { full: 'this session is there' },
  '/account/identities': { full: OBJECT },
  '/account/tokens': { empty: { says: 'No tokens yet.', leads: 'Create token' } },
}

/** A view for those who are not signed in: what is filled in, and the button that sends it. */
export interface OutsideCase {
  button: string
  fills: Record<string, string>
}

export const OUTSIDE: Record<string, OutsideCase> = {
  '/sign-in': {
    button: 'Sign in',
    fills: { 'Username or email address': 'ada', Password: 'correct horse' },
  },
  '/register': {
    button: 'Register',
    fills: { Username: 'mary', Password: 'correct horse' },
  },
  '/reset-password': {
    button: 'Set password',
    fills: { 'New password': 'correct horse' },
  },
  '/confirm-email': {
    button: 'Confirm address',
    fills: {},
  },
}

/** A ticket is exchanged as the page is opened: there is no form. */
export const CALLBACK = '/auth/callback'
