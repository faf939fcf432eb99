import { useEffect, useMemo, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import type { Schemas } from '../../../api/schema.d.ts'
import { faultOfName, faultOfTtl, faultOfValue } from '../../../zone/faults.ts'
import type { Around } from '../../../zone/hints.ts'
import { mayBeRecords } from '../../../zone/table.ts'
import { readTtl, showTtl, type TtlLimits } from '../../../zone/ttl.ts'
import { typesByName } from '../../../zone/hints.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { Select, Switch } from '../../../ui/fields/Choice.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { Fields as SideBySide, Form, FormActions } from '../../../ui/fields/Form.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { Note } from '../../../ui/feedback/Note.tsx'
import { wordsOf } from './useFaultOf.ts'
import { asZoneLine } from '../zone-files/zone-text.ts'
import type { DnsRecord, Fields, EditorRow } from '../model.ts'
import { ServiceName } from './ServiceName.tsx'
import { TtlChoice } from './TtlChoice.tsx'
import { visible } from '../../../ui/visible.ts'
import styles from '../Records.module.css'
import { inWords } from './type-words.ts'
import { useSaid } from './useSaid.ts'
import { ValueLines } from './ValueLines.tsx'
import { ValueRows, type ValueRow } from './ValueRows.tsx'
import { readLines, type ReadLines } from '../zone-files/zone-plan.ts'

type Capabilities = TtlLimits & { proxied: boolean; apexCname: boolean; apexNs: boolean }

interface PanelProps {
  /** Null: a new record. */
  row: EditorRow | null
  types: readonly Schemas['RecordTypeInfo'][]
  capabilities: Capabilities | undefined
  /** Records of the zone. */
  records: readonly DnsRecord[]
  domain: Schemas['Domain']
  /** Why it is locked; null: editable. */
  lock: string | null
  /** Conflicts from the review. */
  fault: string | null
  /** Stages the record; several new ones if several values were given. */
  onStage: (fields: Fields[]) => void
  onClose: () => void
}

/** Type and TTL of the previous new record, as the next often has the same. */
const last = { recordType: 'A', ttl: '' }

/** Types with at most one record per name. */
const ALONE = new Set(['ALIAS', 'ANAME', 'CNAME', 'DNAME'])
/** Types whose values are given as lines. */
const AS_LINES = new Set(['A', 'AAAA'])

const textOf = (ttl: number | null | undefined) => (ttl ? showTtl(ttl) : '')

/** Form of one record by its type; stages the result. */
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
  const m = useMessages('recordPanel', 'recordTypes', 'records')
  const words = m.recordPanel
  const refused = fault ?? row?.edit?.tried?.reason ?? null
  const [recordType, setType] = useState(row?.now.recordType ?? last.recordType)
  const [name, setName] = useState(row?.now.name ?? '')
  const [rows, setRows] = useState<readonly ValueRow[]>([{ id: 0, value: row?.now.value ?? '' }])
  const [ttlText, setTtlText] = useState(row ? textOf(row.now.ttl) : last.ttl)
  const [comment, setComment] = useState(row?.now.comment ?? '')
  const [enabled, setEnabled] = useState(row?.now.enabled ?? true)
  const [proxied, setProxied] = useState(row?.now.proxied ?? false)
  /** Resets the value fields after lines were pasted. */
  const [pasted, setPasted] = useState(0)
  /** Attempts to stage an invalid record. */
  const [tried, setTried] = useState(0)
  const { isSaid, onType } = useSaid(tried)
  const layout = useRef<HTMLDivElement>(null)
  /** Last pasted text, while the service parses it. */
  const reading = useRef<AbortController>(null)
  useEffect(() => () => reading.current?.abort(), [])
  useEffect(() => {
    if (tried > 0) layout.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [tried])
  const known = types.map((one) => inWords(one, m.recordTypes))
  const info = known.find(({ type }) => type === recordType)
  const ttl = readTtl(ttlText)
  const isSeveral = !row && !ALONE.has(recordType)
  const hasLines = isSeveral && AS_LINES.has(recordType)
  const texts = (hasLines ? (rows[0]?.value ?? '').split('\n') : rows.map(({ value }) => value)).map((text) =>
    text.trim(),
  )
  const values = [...new Set(texts.filter((text) => text !== ''))]
  const fields: Omit<Fields, 'value'> = {
    name: name.trim() || '@',
    recordType,
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
  const { record = null } = row ?? {}
  /** A stored value may be invalid; it stays until it is edited. */
  const faultOf = (value: string) =>
    value.trim() === '' || (record?.recordType === recordType && record.value === value.trim())
      ? null
      : faultOfValue({ recordType, value })
  const nameFault = fields.name === record?.name ? null : faultOfName(name, domain.name)
  const isTtlWrong = ttlText !== textOf(record?.ttl) && faultOfTtl(ttlText, capabilities) !== null
  async function submit() {
    if (lock !== null || values.length === 0) return
    if (nameFault || isTtlWrong || values.some((value) => faultOf(value) !== null)) {
      setTried(tried + 1)
      return
    }
    if (!row) Object.assign(last, { recordType, ttl: ttlText })
    onStage(values.map((one) => ({ ...fields, value: one })))
    onClose()
  }
  /** Pasted zone file lines of one name and type fill the whole form, once the service has parsed them. */
  function onPaste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text')
    if (
      row ||
      !mayBeRecords(
        text,
        known.map(({ type }) => type),
      )
    )
      return
    reading.current?.abort()
    reading.current = new AbortController()
    // Other text stays where it was pasted.
    readLines(domain.id, text, reading.current.signal).then(fill, () => undefined)
  }
  function fill({ records: read }: ReadLines) {
    const [first] = read
    const isOneSet = read.every((one) => one.name === first?.name && one.recordType === first?.recordType)
    if (!first || !isOneSet || (read.length > 1 && ALONE.has(first.recordType))) return
    const all = read.map(({ value }) => value)
    setType(first.recordType)
    setName(first.name)
    setRows((AS_LINES.has(first.recordType) ? [all.join('\n')] : all).map((value, id) => ({ id, value })))
    if (first.ttl !== null) setTtlText(textOf(first.ttl))
    setPasted((times) => times + 1)
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
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys that its fields don't handle
          <div ref={layout} className={styles['layout']} onPaste={onPaste} onKeyDownCapture={onKeyDown}>
            {lock !== null && <Note tone="warn">{lock}</Note>}
            {refused !== null && <Note tone="bad">{visible(refused)}</Note>}
            <SideBySide>
              <Select
                label={m.records.type}
                value={recordType}
                onChange={(next) => {
                  setType(next)
                  // Text typed for one type may fit another; an example doesn't.
                  if (next !== recordType) {
                    const [kept = ''] = texts
                    setRows([{ id: 0, value: kept === info?.example ? '' : kept }])
                  }
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
                error={nameFault && isSaid('name') ? wordsOf(m.records, nameFault) : null}
                value={name}
                onChange={(text) => {
                  onType('name')
                  setName(text)
                }}
              />
            </SideBySide>
            {info && (
              <p className="muted">
                {info.help} <small>{words.rfc(info.rfc)}</small>
              </p>
            )}
            {recordType === 'SRV' && !row && <ServiceName name={name} onChange={setName} />}
            {hasLines ? (
              <ValueLines
                info={info}
                name={fields.name}
                value={rows[0]?.value ?? ''}
                onChange={(value) => setRows([{ id: 0, value }])}
                around={around}
                tried={tried}
              />
            ) : (
              <ValueRows
                key={`${recordType} ${pasted}`}
                info={info}
                name={fields.name}
                rows={rows}
                onChange={setRows}
                around={around}
                several={isSeveral}
                tried={tried}
                faultOf={faultOf}
              />
            )}
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
            {values.length > 0 && (
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
                isDisabled={lock !== null || ttl === null || values.length === 0}
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
