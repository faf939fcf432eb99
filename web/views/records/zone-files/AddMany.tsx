import { useMemo, useRef, useState } from 'react'
import { readTable } from '../../../zone/table.ts'
import { showTtl } from '../../../zone/ttl.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { Note } from '../../../ui/feedback/Note.tsx'
import { Table } from '../../../ui/page/Table.tsx'
import { visible } from '../../../ui/visible.ts'
import { LineFaults } from './LineFaults.tsx'
import type { Fields } from '../model.ts'
import { Skipped } from '../review/Skipped.tsx'
import { useReadLines } from './useReadLines.ts'
import { ZoneText, type ZoneTextHandle } from './ZoneText.tsx'

interface AddManyProps {
  domain: { id: string; name: string }
  types: readonly string[]
  /** Initial text. */
  pasted: string
  onStage: (fields: Fields[]) => void
  onClose: () => void
}

/** Maximum number of lines previewed; the grid shows all staged records. */
const SHOWN = 200

/** Pasted lines, parsed while typing and staged together: tables here, zone files by the service. */
export function AddMany({ domain, types, pasted, onStage, onClose }: AddManyProps) {
  const m = useMessages('records', 'zoneFiles')
  const words = m.zoneFiles.paste
  const area = useRef<ZoneTextHandle>(null)
  const [text, setText] = useState(pasted)
  const table = useMemo(() => readTable(text, types, domain.name), [text, types, domain.name])
  const read = useReadLines(domain.id, table === null ? text : null)
  const good = table
    ? table.flatMap(({ line, record }) => (record ? [{ line, ...record }] : []))
    : read.records
  const bad = table?.filter(({ reason }) => reason !== null) ?? []
  function stage() {
    onStage(
      good.map(({ line: _line, ...record }) => ({ proxied: false, ...record, enabled: true, comment: '' })),
    )
    onClose()
  }
  return (
    <Dialog
      title={words.title}
      wide
      onClose={onClose}
      actions={
        <>
          <Button look="primary" isDisabled={good.length === 0} isPending={read.isReading} onPress={stage}>
            {words.stage(good.length)}
          </Button>
          <Button onPress={onClose}>{m.common.cancel}</Button>
        </>
      }
    >
      <ZoneText ref={area} label={words.label} value={text} onChange={setText} />
      {read.error !== null && <LineFaults error={read.error} onLine={(line) => area.current?.go(line)} />}
      <Skipped skipped={read.skipped} />
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
          rows={good.slice(0, SHOWN)}
          // One line can have several records.
          idOf={({ line, name, recordType, value }) => `${line} ${name} ${recordType} ${value}`}
          columns={[
            { id: 'name', title: m.records.name, head: true, cell: ({ name }) => visible(name) },
            { id: 'type', title: m.records.type, cell: ({ recordType }) => recordType },
            {
              id: 'value',
              title: m.records.value,
              cell: ({ value }) => <span className="mono">{visible(value.slice(0, 200))}</span>,
            },
            {
              id: 'ttl',
              title: m.records.ttl,
              cell: ({ ttl }) => (ttl ? showTtl(ttl) : m.records.defaultTtl),
            },
          ]}
        />
      )}
    </Dialog>
  )
}
