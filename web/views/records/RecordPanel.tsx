import { useMemo, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import type { Around } from '../../dns/hints.ts'
import { readPaste } from '../../dns/paste.ts'
import { readTtl, showTtl } from '../../dns/ttl.ts'
import { typesByName } from '../../dns/zone-names.ts'
import { Button } from '../../ui/Button.tsx'
import { Select, Switch } from '../../ui/Choice.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Fields as SideBySide, Form, FormActions } from '../../ui/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/Note.tsx'
import { Hints } from './Hints.tsx'
import { asZoneLine } from './lines.ts'
import type { DnsRecord, Fields, Row } from './model.ts'
import { ServiceName } from './types/ServiceName.tsx'
import { TtlChoice, type TtlLimits } from './TtlChoice.tsx'
import { visible } from '../../ui/visible.ts'
import styles from './Records.module.css'
import { inWords } from './type-words.ts'
import { ValueFields } from './ValueFields.tsx'

type Capabilities = TtlLimits & { proxied: boolean; apexCname: boolean; apexNs: boolean }

interface PanelProps {
  /** Null: a new record. */
  row: Row | null
  types: readonly Schemas['RecordTypeInfo'][]
  capabilities: Capabilities | undefined
  /** Those of the zone. */
  records: readonly DnsRecord[]
  domain: Schemas['Domain']
  /** Why it can't be changed; null: it can. */
  lock: string | null
  /** Why the service can't take it as it is. */
  fault: string | null
  /** What is staged: of a new record several where it has several addresses. */
  onStage: (fields: Fields[]) => void
  onClose: () => void
}

/** The type and TTL of the record that was made last: the next one often has the same. */
const last = { recordType: 'A', ttl: '' }

const textOf = (ttl: number | null | undefined) => (ttl ? showTtl(ttl) : '')

/** One record by the form of its type; what it says is staged. */
export function RecordPanel({
  row,
  types,
  capabilities,
  records,
  domain,
  lock,
  fault,
  onStage,
  onClose,
}: PanelProps) {
  const m = useMessages('records', 'recordTypes')
  const words = m.records.panel
  const refused = fault ?? row?.edit?.tried?.reason ?? null
  const [recordType, setType] = useState(row?.now.recordType ?? last.recordType)
  const [name, setName] = useState(row?.now.name ?? '')
  const [value, setValue] = useState(row?.now.value ?? '')
  const [ttlText, setTtlText] = useState(row ? textOf(row.now.ttl) : last.ttl)
  const [comment, setComment] = useState(row?.now.comment ?? '')
  const [enabled, setEnabled] = useState(row?.now.enabled ?? true)
  const [proxied, setProxied] = useState(row?.now.proxied ?? false)
  /** Lines that were pasted: the fields of the value begin anew. */
  const [pasted, setPasted] = useState(0)
  const known = types.map((one) => inWords(one, m.recordTypes))
  const info = known.find(({ type }) => type === recordType)
  const ttl = readTtl(ttlText)
  const fields: Fields = {
    name: name.trim() || '@',
    recordType,
    value: value.trim(),
    ttl: ttlText.trim() === '' && row?.now.ttl === null ? null : ttl,
    proxied,
    enabled,
    comment,
  }
  const around = useMemo(
    (): Around => ({
      domain: domain.name,
      types: typesByName(records.filter(({ id }) => id !== row?.id)),
      apexCname: capabilities?.apexCname ?? false,
      apexNs: capabilities?.apexNs ?? true,
    }),
    [domain.name, records, row?.id, capabilities],
  )
  const isSeveral = !row && (recordType === 'A' || recordType === 'AAAA')
  const values = isSeveral
    ? [...new Set(fields.value.split('\n').flatMap((line) => line.trim() || []))]
    : [fields.value]
  async function submit() {
    if (ttl === null || fields.value === '') return
    if (!row) Object.assign(last, { recordType, ttl: ttlText })
    onStage(values.map((one) => ({ ...fields, value: one })))
    onClose()
  }
  /** A whole line of a zone file fills the whole form. */
  function onPaste(event: ClipboardEvent) {
    const [read, ...more] = readPaste(
      event.clipboardData.getData('text'),
      types.map(({ type }) => type),
      domain.name,
    )
    if (row || more.length > 0 || !read?.record) return
    event.preventDefault()
    const { record } = read
    setType(record.recordType)
    setName(record.name)
    setValue(record.value)
    if (record.ttl !== null) setTtlText(textOf(record.ttl))
    setPasted(pasted + 1)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    ;(event.target as HTMLElement).closest('form')?.requestSubmit()
  }
  const choices = known.filter(({ readOnly, type }) => !readOnly || type === recordType)
  return (
    <Dialog title={row ? words.editTitle : words.newTitle} onClose={onClose}>
      <Form fields={['name', 'value', 'ttl']} onSubmit={submit}>
        {() => (
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- what its fields do not handle themselves
          <div className={styles['layout']} onPaste={onPaste} onKeyDown={onKeyDown}>
            {lock !== null && <Note tone="warn">{lock}</Note>}
            {refused !== null && <Note tone="bad">{visible(refused)}</Note>}
            <SideBySide>
              <Select
                label={m.records.type}
                value={recordType}
                onChange={(next) => {
                  setType(next)
                  if (next !== recordType && value === (info?.example ?? '')) setValue('')
                }}
                options={choices.map(({ type, title }) => ({ id: type, text: type, note: title }))}
              />
              <TextField
                label={m.records.name}
                help={words.nameHelp}
                optional
                mono
                autoFocus={!row}
                placeholder="@"
                autoComplete="off"
                value={name}
                onChange={setName}
              />
            </SideBySide>
            {info && (
              <p className="muted">
                {info.help} <small>{words.rfc(info.rfc)}</small>
              </p>
            )}
            {recordType === 'SRV' && !row && <ServiceName name={name} onChange={setName} />}
            <ValueFields
              key={`${recordType} ${pasted}`}
              info={info}
              value={value}
              onChange={setValue}
              around={around}
              several={isSeveral}
            />
            <Hints fields={fields} around={around} />
            <TtlChoice
              value={ttlText}
              onChange={setTtlText}
              usual={domain.defaultTtl}
              limits={capabilities}
            />
            <TextField
              label={words.comment}
              help={words.commentHelp}
              optional
              maxLength={500}
              value={comment}
              onChange={setComment}
            />
            <Switch isSelected={enabled} onChange={setEnabled}>
              {words.published}
            </Switch>
            {capabilities?.proxied && (
              <Switch isSelected={proxied} onChange={setProxied}>
                {words.proxied}
              </Switch>
            )}
            {fields.value !== '' && (
              <code className={styles['lines']}>
                {values
                  .map((one) => asZoneLine({ ...fields, value: one }, domain.name).replaceAll('\t', ' '))
                  .join('\n')}
              </code>
            )}
            <FormActions>
              <Button
                type="submit"
                look="primary"
                isDisabled={lock !== null || ttl === null || fields.value === ''}
              >
                {words.stage}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </div>
        )}
      </Form>
    </Dialog>
  )
}
