import { useState } from 'react'
import { asCsv } from '../../dns/csv.ts'
import { readTtl } from '../../dns/ttl.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Bar } from '../../ui/Page.tsx'
import { toast } from '../../ui/Toast.tsx'
import { asZoneLine } from './lines.ts'
import type { Row } from './model.ts'
import type { Staged } from './staged.ts'

interface ChosenProps {
  rows: readonly Row[]
  staged: Staged
  domain: string
  /** Why a row can't be changed: it is left out. */
  lockOf: (row: Row) => string | null
  onClear: () => void
}

/** What can be done with all chosen records at once; all of it is staged. */
export function ChosenBar({ rows, staged, domain, lockOf, onClear }: ChosenProps) {
  const m = useMessages('records')
  const [dialog, setDialog] = useState<'ttl' | 'replace' | 'duplicate' | null>(null)
  const editable = rows.filter((row) => row.edit?.kind !== 'delete' && lockOf(row) === null)
  const hasNone = editable.length === 0
  async function copy(text: string) {
    await navigator.clipboard.writeText(text)
    toast(m.common.copied)
  }
  return (
    <Bar>
      <strong role="status">{m.records.chosenCount(rows.length)}</strong>
      <Button isDisabled={hasNone} onPress={() => setDialog('ttl')}>
        {m.records.setTtl}
      </Button>
      <Button isDisabled={hasNone} onPress={() => setDialog('replace')}>
        {m.records.replaceInValues}
      </Button>
      <Button isDisabled={hasNone} onPress={() => setDialog('duplicate')}>
        {m.records.duplicateAs}
      </Button>
      {'clipboard' in navigator && (
        <>
          <Button
            icon="copy"
            onPress={() => void copy(rows.map(({ now }) => asZoneLine(now, domain)).join('\n'))}
          >
            {m.records.copyLines}
          </Button>
          <Button icon="copy" onPress={() => void copy(asCsv(rows.map(({ now }) => now)))}>
            {m.records.copyCsv}
          </Button>
        </>
      )}
      <Button
        icon="trash"
        isDisabled={hasNone}
        onPress={() => {
          staged.remove(editable)
          onClear()
        }}
      >
        {m.records.remove}
      </Button>
      <Button look="plain" onPress={onClear}>
        {m.common.clear}
      </Button>
      {dialog === 'ttl' && <TtlDialog rows={editable} staged={staged} onClose={() => setDialog(null)} />}
      {dialog === 'duplicate' && (
        <DuplicateDialog rows={editable} staged={staged} onClose={() => setDialog(null)} />
      )}
      {dialog === 'replace' && (
        <ReplaceDialog rows={editable} staged={staged} onClose={() => setDialog(null)} />
      )}
    </Bar>
  )
}

type DialogProps = Pick<ChosenProps, 'rows' | 'staged'> & { onClose: () => void }

function TtlDialog({ rows, staged, onClose }: DialogProps) {
  const m = useMessages('records')
  const [text, setText] = useState('1h')
  const ttl = readTtl(text)
  return (
    <Dialog title={m.records.setTtl} onClose={onClose}>
      <Form
        fields={['ttl']}
        onSubmit={async () => {
          if (ttl === null) return
          staged.change(rows.map(({ id, record }) => ({ id, record, fields: { ttl } })))
          onClose()
        }}
      >
        {() => (
          <>
            <TextField
              label={m.records.ttl}
              help={ttl === null ? m.records.panel.ttlWrong : m.records.panel.ttlHelp}
              isInvalid={ttl === null}
              autoFocus
              value={text}
              onChange={setText}
            />
            <FormActions>
              <Button type="submit" look="primary">
                {m.records.panel.stage}
              </Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}

function ReplaceDialog({ rows, staged, onClose }: DialogProps) {
  const m = useMessages('records')
  const [find, setFind] = useState('')
  const [replacement, setReplacement] = useState('')
  const concerned = find === '' ? [] : rows.filter(({ now }) => now.value.includes(find))
  return (
    <Dialog title={m.records.replaceInValues} onClose={onClose}>
      <Form
        fields={[]}
        onSubmit={async () => {
          staged.change(
            concerned.map(({ id, record, now }) => ({
              id,
              record,
              fields: { value: now.value.replaceAll(find, replacement) },
            })),
          )
          onClose()
        }}
      >
        {() => (
          <>
            <TextField label={m.records.find} mono autoFocus value={find} onChange={setFind} />
            <TextField
              label={m.records.replaceWith}
              optional
              mono
              value={replacement}
              onChange={setReplacement}
            />
            <p role="status">{m.records.preview(concerned.length)}</p>
            <FormActions>
              <Button type="submit" look="primary" isDisabled={concerned.length === 0}>
                {m.records.panel.stage}
              </Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}

function DuplicateDialog({ rows, staged, onClose }: DialogProps) {
  const m = useMessages('records')
  const [name, setName] = useState('')
  return (
    <Dialog title={m.records.duplicateAs} onClose={onClose}>
      <Form
        fields={[]}
        onSubmit={async () => {
          staged.create(rows.map(({ now }) => ({ ...now, name: name.trim() || '@' })))
          onClose()
        }}
      >
        {() => (
          <>
            <TextField
              label={m.records.name}
              help={m.records.panel.nameHelp}
              mono
              autoFocus
              autoComplete="off"
              value={name}
              onChange={setName}
            />
            <p role="status">{m.records.staging.created(rows.length)}</p>
            <FormActions>
              <Button type="submit" look="primary" isDisabled={name.trim() === ''}>
                {m.records.panel.stage}
              </Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
