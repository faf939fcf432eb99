/** Sections of the description, in display order. */
export const TAGS = [
  { name: 'Sign-in', description: 'Sessions and tokens' },
  { name: 'Current user', description: 'Your own account' },
  {
    name: 'Second factor',
    description: 'Authenticator app, email codes and recovery codes; the second step of sign-in',
  },
  { name: 'Passkeys', description: 'Sign-in with WebAuthn, as the second factor or on its own' },
  {
    name: 'External sign-in',
    description: 'Sign-in with OAuth 2.0 and OpenID Connect: sign in, register, link identities',
  },
  { name: 'Identity providers', description: 'Administration of identity providers' },
  { name: 'DNS providers', description: 'Catalogue of DNS providers, and provider connections' },
  { name: 'Domains', description: 'Registered domains' },
  { name: 'Records', description: 'DNS records: single changes, bulk, plan and apply, history' },
  { name: 'Health', description: 'What is wrong with domains: records, delegation, registration' },
  { name: 'Change requests', description: 'Changes of records that a second person approves' },
  { name: 'Failover', description: 'RRsets that switch to an alternative when checks fail' },
  { name: 'Templates', description: 'Record sets with variables, for one or many domains' },
  {
    name: 'Assignments',
    description: 'Access of delegates to domains and subdomains, and access requests',
  },
  {
    name: 'Notifications',
    description: 'Inbox of the signed-in user, as a list and a stream',
  },
  {
    name: 'ACME',
    description: 'Credentials for ACME clients that complete DNS-01 challenges',
  },
  { name: 'Open API', description: 'Stable API for programs with personal tokens' },
  {
    name: 'Dynamic DNS',
    description: 'Address updates by routers and dynamic DNS clients',
  },
  { name: 'external-dns', description: 'Webhook provider for external-dns in Kubernetes' },
  { name: 'Personal tokens', description: 'Credentials for programs' },
  {
    name: 'Channels',
    description: 'Event delivery to chats, email and webhooks; for administrators',
  },
  { name: 'Users', description: 'Accounts, for administrators' },
  { name: 'Invitations', description: 'Codes for creating an account' },
  { name: 'Dashboard', description: 'Overview for the start page' },
  { name: 'Audit', description: 'Log of all actions, with user and origin' },
  { name: 'Operation', description: 'For operators of the service' },
]
