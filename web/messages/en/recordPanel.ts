import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

/** The form of one record, and those of several. */
export const recordPanel = {
  newTitle: 'New record',
  editTitle: 'Edit record',
  nameHelp: '@ is the domain itself; * matches any name.',
  ttlHelp: 'For example, 300, 5m or 1h. Leave empty for the domain’s default.',
  comment: 'Comment',
  commentHelp: 'For people; not published.',
  published: 'Published',
  proxied: 'Proxied by the provider',
  stage: 'Add to changes',
  asValue: 'Edit as text',
  asFields: 'Edit as fields',
  rfc: (rfc: string) => `Defined in ${rfc}`,
  example: 'Example',
  takeExample: 'Use this example',
  length: (text: string) => `${text} of 2,048 characters`,
  severalHelp: 'Enter several values, one per line. Press Ctrl+Enter to add them.',
  strings: (count: number) =>
    plural(count, {
      one: 'In # string.',
      other: 'In # strings of at most 255 bytes, read as one.',
    }),
  service: 'Service',
  protocol: 'Protocol',
  quotesRemoved: 'Quotes aren’t needed here and were removed.',
  valueOf: (nth: string) => `Value ${nth}`,
  addValue: 'Add another value',
  addValueHelp: 'Press Shift+Enter for another value; Backspace removes an empty one.',
  removeValue: (nth: string) => `Remove value ${nth}`,
}
