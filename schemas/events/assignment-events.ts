import { Type } from '@sinclair/typebox'
import { domainFields, entry, UnicodeName } from './event-entry.ts'
import { named } from '../named.ts'
import { RecordType } from '../records/record-type.ts'
import { OneOf } from '../scalars.ts'

const fields = {
  type: OneOf(['domain', 'subdomain'], { examples: ['subdomain'], ...named('AssignmentScope') }),
  ...domainFields,
  subdomainPattern: Type.String({ examples: ['*.dev'] }),
  host: Type.String({ description: 'Pattern and domain name', examples: ['*.dev.example.com'] }),
  unicodeHost: UnicodeName,
  username: Type.String({ description: 'Delegate, or user who requests access', examples: ['ada'] }),
}

const Assignment = Type.Object(fields, named('AssignmentMetadata'))

export const ASSIGNMENT_EVENTS = {
  'assignment.create': entry({
    level: 'info',
    audience: 'users',
    mail: true,
    metadata: Assignment,
    title: ({ host }) => `Access to ${host} granted`,
    content: ({ username, domainName, subdomainPattern }) =>
      subdomainPattern === '*'
        ? `${username} now has access to the domain ${domainName}.`
        : `${username} now has access to the names ${subdomainPattern} of ${domainName}.`,
  }),
  'assignment.delete': entry({
    level: 'warning',
    audience: 'users',
    mail: true,
    metadata: Assignment,
    title: ({ host }) => `Access to ${host} revoked`,
    content: ({ host, username }) => `${username} no longer has access to ${host}.`,
  }),
  'assignment.leave': entry({
    level: 'info',
    audience: 'users',
    mail: true,
    metadata: Assignment,
    title: ({ host, username }) => `${username} gave up access to ${host}`,
    content: ({ host, username }) => `${username} gave up their own access to ${host}.`,
  }),
  'assignment.restricted': entry({
    level: 'warning',
    audience: 'users',
    mail: true,
    metadata: Type.Object({
      ...fields,
      recordTypes: Type.Array(RecordType, {
        description: 'Record types that the assignment no longer allows',
        examples: [['NS', 'DNAME']],
      }),
    }),
    title: ({ host }) => `Access to ${host} restricted`,
    content: ({ host, username, recordTypes, subdomainPattern }) =>
      subdomainPattern === '*' || subdomainPattern === '@'
        ? `${username} can no longer change ${recordTypes.join(', ')} records at the apex of ${host}; only its owner and administrators can.`
        : `${username} can no longer change ${recordTypes.join(', ')} records of ${host}: that requires access to the name and everything below it.`,
  }),
  'assignment.request': entry({
    level: 'info',
    audience: 'administrators',
    mail: true,
    metadata: Assignment,
    title: ({ host, username }) => `${username} requests access to ${host}`,
    content: ({ host, username }) =>
      `${username} requests access to ${host}. An administrator must approve or reject the request.`,
  }),
  'assignment.approve': entry({
    level: 'success',
    audience: 'users',
    mail: true,
    metadata: Assignment,
    title: ({ host }) => `Request for ${host} approved`,
    content: ({ host, username }) => `${username} now has access to ${host}.`,
  }),
  'assignment.reject': entry({
    level: 'warning',
    audience: 'users',
    mail: true,
    metadata: Assignment,
    title: ({ host }) => `Request for ${host} rejected`,
    content: ({ host, username }) =>
      `An administrator rejected the request of ${username} for access to ${host}.`,
  }),
}
