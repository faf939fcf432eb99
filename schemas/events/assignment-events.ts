import { Type } from '@sinclair/typebox'
import { domainFields, entry, UnicodeName } from './event-entry.ts'
import { named } from '../named.ts'
import { RecordType } from '../record-type.ts'

const fields = {
  type: Type.Unsafe<'domain' | 'subdomain'>({
    type: 'string',
    enum: ['domain', 'subdomain'],
    examples: ['subdomain'],
    ...named('AssignmentScope'),
  }),
  ...domainFields,
  subdomainPattern: Type.String({ examples: ['*.dev'] }),
  host: Type.String({ description: 'The pattern joined to the name', examples: ['*.dev.example.com'] }),
  unicodeHost: UnicodeName,
  username: Type.String({ description: 'Who has the rights, or asks for them', examples: ['ada'] }),
}

const Assignment = Type.Object(fields, named('AssignmentMetadata'))

export const ASSIGNMENT_EVENTS = {
  'assignment.create': entry({
    level: 'info',
    audience: 'users',
    mail: true,
    metadata: Assignment,
    title: ({ host }) => `Rights on ${host} were given`,
    content: ({ username, domainName, subdomainPattern }) =>
      subdomainPattern === '*'
        ? `Rights on the domain ${domainName} were given to ${username}.`
        : `Rights on the names ${subdomainPattern} of ${domainName} were given to ${username}.`,
  }),
  'assignment.delete': entry({
    level: 'warning',
    audience: 'users',
    mail: true,
    metadata: Assignment,
    title: ({ host }) => `Rights on ${host} were taken back`,
    content: ({ host, username }) => `The rights of ${username} on ${host} no longer count.`,
  }),
  'assignment.leave': entry({
    level: 'info',
    audience: 'users',
    mail: true,
    metadata: Assignment,
    title: ({ host, username }) => `${username} gave up rights on ${host}`,
    content: ({ host, username }) => `${username} removed their own assignment of ${host}.`,
  }),
  'assignment.restricted': entry({
    level: 'warning',
    audience: 'users',
    mail: true,
    metadata: Type.Object({
      ...fields,
      recordTypes: Type.Array(RecordType, {
        description: 'What the assignment named and no longer allows',
        examples: [['NS', 'DNAME']],
      }),
    }),
    title: ({ host }) => `Rights on ${host} were restricted`,
    content: ({ host, username, recordTypes, subdomainPattern }) =>
      subdomainPattern === '*' || subdomainPattern === '@'
        ? `${username} can no longer change ${recordTypes.join(', ')} at the apex of ${host}; only its owner and administrators can.`
        : `${username} can no longer change ${recordTypes.join(', ')} of ${host}: that needs rights on the name and everything below it.`,
  }),
  'assignment.request': entry({
    level: 'info',
    audience: 'administrators',
    mail: true,
    metadata: Assignment,
    title: ({ host, username }) => `${username} asks for rights on ${host}`,
    content: ({ host, username }) =>
      `${username} asks for rights on ${host}; the request waits for the decision of an administrator.`,
  }),
  'assignment.approve': entry({
    level: 'success',
    audience: 'users',
    mail: true,
    metadata: Assignment,
    title: ({ host }) => `The request for ${host} was approved`,
    content: ({ host, username }) => `The rights of ${username} on ${host} count from now on.`,
  }),
  'assignment.reject': entry({
    level: 'warning',
    audience: 'users',
    mail: true,
    metadata: Assignment,
    title: ({ host }) => `The request for ${host} was rejected`,
    content: ({ host, username }) =>
      `An administrator rejected the request of ${username} for rights on ${host}.`,
  }),
}
