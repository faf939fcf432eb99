import { useImperativeHandle, useMemo, useRef, type Ref } from 'react'
import styles from '../Records.module.css'

export interface ZoneTextHandle {
  /** Selects a line, counted from 1, and scrolls to it. */
  go: (line: number) => void
}

interface TextProps {
  label: string
  describedBy?: string
  value: string
  readOnly?: boolean
  onChange: (text: string) => void
  ref?: Ref<ZoneTextHandle>
}

/** A zone file as plain text with line numbers. */
export function ZoneText({ label, describedBy, value, readOnly = false, onChange, ref }: TextProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const gutter = useRef<HTMLDivElement>(null)
  const numbers = useMemo(() => {
    const count = value.split('\n').length
    return Array.from({ length: count }, (_, at) => at + 1).join('\n')
  }, [value])
  useImperativeHandle(ref, () => ({
    go(line) {
      const field = area.current
      if (!field) return
      const before = field.value.split('\n').slice(0, line - 1)
      const start = before.reduce((length, one) => length + one.length + 1, 0)
      const end = field.value.indexOf('\n', start)
      field.focus()
      field.setSelectionRange(start, end < 0 ? field.value.length : end)
      const height = Number.parseFloat(getComputedStyle(field).lineHeight)
      field.scrollTop = Math.max(0, (line - 5) * height)
    },
  }))
  return (
    <div className={styles['text']}>
      <div ref={gutter} className={styles['gutter']} aria-hidden="true">
        {numbers}
      </div>
      <textarea
        ref={area}
        aria-label={label}
        {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
        spellCheck={false}
        wrap="off"
        readOnly={readOnly}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onScroll={({ currentTarget }) => {
          if (gutter.current) gutter.current.scrollTop = currentTarget.scrollTop
        }}
      />
    </div>
  )
}
