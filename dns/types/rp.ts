import { toMailboxName } from '../names/mailbox.ts'
import { readName } from '../wire/wire-name.ts'
import { defineType } from './define.ts'
import { nameField } from './fields/names.ts'
import { Unreadable } from './words.ts'

function anyName(given: string): string {
  const name = readName(given.trim())
  if (name === null) throw new Unreadable('must be a full name, or "."')
  return name
}

function mailboxName(given: string): string {
  if (!given.includes('@')) return anyName(given)
  const name = toMailboxName(given)
  if (!name.ok) throw new Unreadable(`is not valid: ${name.reason}`)
  return name.name
}

export const RP = defineType({
  type: 'RP',
  title: 'Responsible person',
  help: 'The person responsible for this name.',
  rfc: 'RFC 1183 section 2.2',
  fields: {
    mailbox: nameField(
      {
        title: 'Mailbox',
        help: 'An email address, or as a name with a dot for the "@"',
        example: 'admin.example.com',
      },
      mailboxName,
    ),
    text: nameField(
      {
        title: 'Name of a TXT record',
        help: 'Where to find details; "." for none',
        example: 'contact.example.com',
      },
      anyName,
    ),
  },
})
