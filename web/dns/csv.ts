interface Line {
  name: string
  recordType: string
  value: string
  ttl: number | null
  comment: string
}

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Records as CSV with a head (RFC 4180), in the form that is read back when it is pasted. */
export const asCsv = (records: readonly Line[]): string =>
  [
    ['name', 'type', 'ttl', 'value', 'comment'],
    ...records.map(({ name, recordType, ttl, value, comment }) => [
      name,
      recordType,
      ttl ? String(ttl) : '',
      value,
      comment,
    ]),
  ]
    .map((cells) => `${cells.map(cell).join(',')}\r\n`)
    .join('')
