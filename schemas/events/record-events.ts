import { Type, type Static } from '@sinclair/typebox'
import { domainFields, entry } from './event-entry.ts'
import { named } from '../named.ts'
import { RecordType } from '../records/record-type.ts'
import { Uuid } from '../scalars.ts'

/** A record in an event. */
export const ToldRecord = Type.Object(
  {
    id: Uuid,
    name: Type.String({ examples: ['www'] }),
    unicodeName: Type.Optional(
      Type.String({ description: 'Name in Unicode, where it differs', examples: ['büro'] }),
    ),
    recordType: RecordType,
  },
  named('ToldRecord'),
)

const Records = Type.Object(
  {
    ...domainFields,
    changeId: Uuid,
    records: Type.Array(ToldRecord),
  },
  named('RecordsMetadata'),
)

/** Names one record, or counts several. */
const these = ({ records, domainName }: Static<typeof Records>) => {
  const [first] = records
  if (records.length !== 1 || !first) return `${records.length} records of ${domainName}`
  return `${first.recordType} record of ${first.name === '@' ? '' : `${first.name}.`}${domainName}`
}

const listed = ({ records }: Static<typeof Records>) => {
  const shown = records.slice(0, 5).map(({ name, recordType }) => `${name} ${recordType}`)
  return (
    shown.join(', ') + (records.length > shown.length ? `, and ${records.length - shown.length} more` : '')
  )
}

export const RECORD_EVENTS = {
  'record.created': entry({
    level: 'info',
    audience: 'records',
    mail: false,
    metadata: Records,
    title: (metadata) => `Created: ${these(metadata)}`,
    content: (metadata) => `In ${metadata.domainName}: ${listed(metadata)}`,
  }),
  'record.updated': entry({
    level: 'info',
    audience: 'records',
    mail: false,
    metadata: Records,
    title: (metadata) => `Changed: ${these(metadata)}`,
    content: (metadata) => `In ${metadata.domainName}: ${listed(metadata)}`,
  }),
  'record.deleted': entry({
    level: 'info',
    audience: 'records',
    mail: false,
    metadata: Records,
    title: (metadata) => `Deleted: ${these(metadata)}`,
    content: (metadata) => `In ${metadata.domainName}: ${listed(metadata)}`,
  }),
}
