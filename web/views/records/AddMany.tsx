import { useMemo, useState } from 'react'
import { readPaste } from '../../dns/paste.ts'
import { showTtl } from '../../dns/ttl.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/Note.tsx'
import { Table } from '../../ui/Table.tsx'
import { visible } from '../../ui/visible.ts'
import type { Fields } from './model.ts'

interface AddManyProps {
  domain: string
  types: readonly string[]
  /** What was pasted already. */
  pasted: string
  onStage: (fields: Fields[]) => void
  onClose: () => void
}

/** The most lines that are shown: what is staged is seen in the grid anyway. */
const SHOWN = 200

/** Pasted lines, read as they are typed, and staged together. */
export function AddMany({ domain, types, pasted, onStage, onClose }: AddManyProps) {
  const m = useMessages('records')
  const words = m.records.paste
  const [text, setText] = useState(pasted)
  const lines = useMemo(() => readPaste(text, types, domain), [text, types, domain])
  const good = lines.flatMap(({ record }) => (record ? [record] : []))
  const bad = lines.filter(({ reason }) => reason !== null)
  function stage() {
    onStage(good.map((record) => ({ ...record, proxied: false, enabled: true, comment: '' })))
    onClose()
  }
  return (
    <Dialog
      title={words.title}
      wide
      onClose={onClose}
      actions={
        <>
          <Button look="primary" isDisabled={good.length === 0} onPress={stage}>
            {words.stage(good.length)}
          </Button>
          <Button onPress={onClose}>{m.common.cancel}</Button>
        </>
      }
    >
      <TextField label={words.label} rows={10} mono autoFocus value={text} onChange={setText} />
      {bad.length > 0 && (
        <Note tone="warn">
          <strong>{words.wrong(bad.length)}</strong>
          <ul>
            {bad.slice(0, SHOWN).map(({ line, text: own, reason }) => (
              <li key={line}>
                {words.line(line)} <code>{visible(own.slice(0, 120))}</code> {reason && words.reasons[reason]}
              </li>
            ))}
          </ul>
        </Note>
      )}
      {good.length > 0 && (
        <Table
          label={words.title}
          rows={lines.filter(({ record }) => record !== null).slice(0, SHOWN)}
          idOf={({ line }) => String(line)}
          columns={[
            { id: 'name', title: m.records.name, head: true, cell: ({ record }) => record?.name },
            { id: 'type', title: m.records.type, cell: ({ record }) => record?.recordType },
            {
              id: 'value',
              title: m.records.value,
              cell: ({ record }) => (
                <span className="mono">{visible(record?.value.slice(0, 200) ?? '')}</span>
              ),
            },
            {
              id: 'ttl',
              title: m.records.ttl,
              cell: ({ record }) => (record?.ttl ? showTtl(record.ttl) : m.records.defaultTtl),
            },
          ]}
        />
      )}
    </Dialog>
  )
}
