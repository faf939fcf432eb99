/** The sections of the description, in the order in which they are shown. */
export const TAGS = [
  { name: 'Sign-in', description: 'Sessions and tokens' },
  { name: 'Current user', description: 'The own account' },
  {
    name: 'Second factor',
    description: 'Authenticator app, codes by e-mail, recovery codes; the second step of sign-in',
  },
  { name: 'Passkeys', description: 'Sign-in by WebAuthn: as the second factor, or alone' },
  {
    name: 'External sign-in',
    description: 'OAuth 2.0 and OpenID Connect: signing in, registering, binding identities',
  },
  { name: 'Identity providers', description: 'Which providers people may sign in with, for administrators' },
  { name: 'DNS providers', description: 'The catalogue, and the accounts at DNS hosts' },
  { name: 'Domains', description: 'Registered domains' },
  { name: 'Records', description: 'DNS records: single changes, bulk, plan and apply, history' },
  { name: 'Templates', description: 'Sets of records with variables, for one or many domains' },
  {
    name: 'Assignments',
    description: 'Rights of users on domains and on parts of them, and requests for them',
  },
  {
    name: 'Notifications',
    description: 'What happened, for the people it concerns: a list and a stream of events',
  },
  {
    name: 'ACME',
    description: 'Credentials of clients that answer the challenges of certificate authorities',
  },
  { name: 'Open API', description: 'The stable interface for programs, by personal token' },
  {
    name: 'Dynamic DNS',
    description: 'Addresses of hosts, as routers and their clients keep them up to date',
  },
  { name: 'external-dns', description: 'The webhook for external-dns of a Kubernetes cluster' },
  { name: 'Personal tokens', description: 'Credentials of programs that use the Open API' },
  {
    name: 'Channels',
    description: 'Messages to the world outside: chats, e-mail, webhooks; for administrators',
  },
  { name: 'Users', description: 'Accounts, for administrators' },
  { name: 'Invitations', description: 'Codes with which people make their own account' },
  { name: 'Dashboard', description: 'What a first page shows' },
  { name: 'Audit', description: 'Who did what to what from where' },
  { name: 'Operation', description: 'For those who run the service' },
]
