import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { readTtl, showTtl } from '../../dns/ttl.ts'
import { Button } from '../../ui/Button.tsx'
import { Select, Switch } from '../../ui/Choice.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Fields as SideBySide, Form, FormActions } from '../../ui/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/Note.tsx'
import { Hints } from './Hints.tsx'
import { asZoneLine } from './lines.ts'
import type { Fields, Row } from './model.ts'
import { visible } from '../../ui/visible.ts'
import { ValueFields } from './ValueFields.tsx'

interface PanelProps {
  /** Null: a new record. */
  row: Row | null
  types: readonly Schemas['RecordTypeInfo'][]
  capabilities: { proxied: boolean; comments: boolean; disabledRecords: boolean } | undefined
  domain: Schemas['Domain']
  /** Why it can't be changed; null: it can. */
  lock: string | null
  /** Why the service can't take it as it is. */
  fault: string | null
  onStage: (fields: Fields) => void
  onClose: () => void
}

/** The type and TTL of the record that was made last: the next one often has the same. */
const last = { recordType: 'A', ttl: '' }

const textOf = (ttl: number | null | undefined) => (ttl ? showTtl(ttl) : '')

/** One record by the form of its type; what it says is staged. */
export function RecordPanel({ row, types, capabilities, domain, lock, fault, onStage, onClose }: PanelProps) {
  const m = useMessages('records')
  const words = m.records.panel
  const refused = fault ?? row?.edit?.tried?.reason ?? null
  const [recordType, setType] = useState(row?.now.recordType ?? last.recordType)
  const [name, setName] = useState(row?.now.name ?? '')
  const [value, setValue] = useState(row?.now.value ?? '')
  const [ttlText, setTtlText] = useState(row ? textOf(row.now.ttl) : last.ttl)
  const [comment, setComment] = useState(row?.now.comment ?? '')
  const [enabled, setEnabled] = useState(row?.now.enabled ?? true)
  const [proxied, setProxied] = useState(row?.now.proxied ?? false)
  const info = types.find(({ type }) => type === recordType)
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
  async function submit() {
    if (ttl === null || fields.value === '') return
    if (!row) Object.assign(last, { recordType, ttl: ttlText })
    onStage(fields)
    onClose()
  }
  const choices = types.filter(({ readOnly, type }) => !readOnly || type === recordType)
  return (
    <Dialog title={row ? words.editTitle : words.newTitle} onClose={onClose}>
      <Form fields={['name', 'value', 'ttl']} onSubmit={submit}>
        {() => (
          <>
            {lock !== null && <Note tone="warn">{lock}</Note>}
            {refused !== null && (
              <Note tone="bad">
                <span lang="en">{visible(refused)}</span>
              </Note>
            )}
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
                {info.help}{' '}
                <small>
                  {words.rfc} {info.rfc}
                </small>
              </p>
            )}
            <ValueFields key={recordType} info={info} value={value} onChange={setValue} />
            <Hints fields={fields} />
            <TextField
              label={m.records.ttl}
              optional
              help={ttl === null ? words.ttlWrong : words.ttlHelp}
              isInvalid={ttl === null}
              placeholder={showTtl(domain.defaultTtl)}
              value={ttlText}
              onChange={setTtlText}
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
            {fields.value !== '' && <code>{asZoneLine(fields, domain.name).replaceAll('\t', ' ')}</code>}
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
          </>
        )}
      </Form>
    </Dialog>
  )
}
