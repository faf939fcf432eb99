import type { FieldTable } from '../fields.ts'

/** The service itself says its fields in English. */
const table: FieldTable = { common: {}, of: {}, rights: {} }

/** Fields of credentials and of channels. */
export const serviceFields = {
  keeps: 'Is set. Leave it empty to keep it.',
  example: (text: string) => `Such as \`${text}\`.`,
  forget: (title: string) => `Remove what is stored: ${title}`,
  headersHelp: 'A line each: name: value',
  headersWrong: 'Each line is a name, a colon and a value.',
  choices: { admins: 'Administrators', all: 'All users' } as Record<string, string>,
  table,
}
