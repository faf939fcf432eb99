import { useState } from 'react'
import { TextField } from '../../../ui/fields/Field.tsx'
import { useFormats, useMessages } from '../../../ui/language.tsx'

interface TxtProps {
  value: string
  onChange: (value: string) => void
  /** Current error. */
  error: string | null
}

/** Bytes of a TXT string (RFC 1035 section 3.3.14). */
const STRING_BYTES = 255

/** Text without quotes, with its length and number of strings; quotes are removed from pasted text. */
export function TxtField({ value, onChange, error }: TxtProps) {
  const m = useMessages('recordPanel', 'records')
  const { number } = useFormats()
  const words = m.recordPanel
  const [wasQuoted, setQuoted] = useState(false)
  const strings = Math.max(1, Math.ceil(new TextEncoder().encode(value).length / STRING_BYTES))
  function take(text: string) {
    const inQuotes = /^\s*"(?:\\.|[^"\\])*"(\s+"(?:\\.|[^"\\])*")*\s*$/.test(text)
    setQuoted(inQuotes)
    const pieces = inQuotes ? (text.match(/"(?:\\.|[^"\\])*"/g) ?? []) : []
    onChange(inQuotes ? pieces.map((one) => one.slice(1, -1).replaceAll(/\\(["\\])/g, '$1')).join('') : text)
  }
  return (
    <TextField
      label={m.records.value}
      name="value"
      rows={4}
      mono
      error={error}
      help={
        wasQuoted
          ? words.quotesRemoved
          : `${words.length(number(value.length))} ${strings > 1 ? words.strings(strings) : ''}`
      }
      value={value}
      onChange={take}
    />
  )
}
