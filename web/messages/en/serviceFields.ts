import type { FieldTable } from '../fields.ts'

/** The service names its fields in English. */
const table: FieldTable = { common: {}, of: {}, rights: {} }

/** Fields of credentials and channels. */
export const serviceFields = {
  keeps: 'Already set. Leave empty to keep it.',
  example: (text: string) => `For example, \`${text}\`.`,
  forget: (title: string) => `Remove stored value: ${title}`,
  headersHelp: 'One per line: name: value',
  headersWrong: 'Each line must be a name, a colon and a value.',
  choices: { admins: 'Administrators', all: 'All users' } as Record<string, string>,
  table,
}
