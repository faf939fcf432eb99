import { useState } from 'react'
import { TextField } from '../../../ui/fields/Field.tsx'
import { useFormats, useMessages } from '../../../ui/language.tsx'

interface TxtProps {
  value: string
  onChange: (value: string) => void
  /** What is wrong with it. */
  error: string | null
}

/** A string of a TXT record (RFC 1035 section 3.3.14). */
const STRING_BYTES = 255

/** Text without its quotes, with its length and the strings that it becomes; a text that is pasted with quotes loses them. */
export function TxtField({ value, onChange, error }: TxtProps) {
  const m = useMessages('records')
  const { number } = useFormats()
  const words = m.records.panel
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
