import { useQuery } from '@tanstack/react-query'
import { recordTypesQuery } from '../../api/queries/zones/domains.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Select } from '../../ui/fields/Choice.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { useMessages } from '../../ui/language.tsx'
import { emptyRecord, type DraftRecord } from './draft.ts'
import styles from './Templates.module.css'

interface RowsProps {
  records: readonly DraftRecord[]
  onChange: (records: DraftRecord[]) => void
}

/** Records of a template, one row each. */
export function RecordRows({ records, onChange }: RowsProps) {
  const m = useMessages('templates')
  const words = m.templates.form
  const { data: types = [] } = useQuery(recordTypesQuery)
  const change = (key: number, part: Partial<DraftRecord>) =>
    onChange(records.map((one) => (one.key === key ? { ...one, ...part } : one)))
  return (
    <>
      {records.map(({ key, recordType, name, value, ttl }, at) => (
        <div key={key} role="group" aria-label={words.record(at + 1)} className={styles['record']}>
          <TextField
            label={words.recordName}
            name={`records.${at}.name`}
            value={name}
            onChange={(text) => change(key, { name: text })}
            autoComplete="off"
            mono
          />
          <Select
            label={words.recordType}
            name={`records.${at}.recordType`}
            value={recordType}
            onChange={(type) => change(key, { recordType: type })}
            options={types.filter(({ readOnly }) => !readOnly).map(({ type }) => ({ id: type, text: type }))}
          />
          <TextField
            label={words.value}
            name={`records.${at}.value`}
            value={value}
            onChange={(text) => change(key, { value: text })}
            autoComplete="off"
            mono
          />
          <TextField
            optional
            label={words.ttl}
            name={`records.${at}.ttl`}
            value={ttl}
            onChange={(text) => change(key, { ttl: text })}
            inputMode="numeric"
            autoComplete="off"
          />
          <Button
            look="plain"
            icon="trash"
            iconOnly
            isDisabled={records.length === 1}
            onPress={() => onChange(records.filter((one) => one.key !== key))}
          >
            {m.common.removeOf(words.record(at + 1))}
          </Button>
        </div>
      ))}
      <div>
        <Button icon="plus" onPress={() => onChange([...records, emptyRecord()])}>
          {words.addRecord}
        </Button>
      </div>
    </>
  )
}
