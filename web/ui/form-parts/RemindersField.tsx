import { useMessages } from '../language.tsx'
import { TagsField } from '../fields/TagsField.tsx'

const MAX_DAYS = 365
const read = (text: string): string | null =>
  /^\d{1,3}$/.test(text) && Number(text) <= MAX_DAYS ? String(Number(text)) : null

interface RemindersProps {
  days: readonly number[]
  onChange: (days: number[]) => void
}

/** Reminders in days before expiry, as chips, earliest first. */
export function RemindersField({ days, onChange }: RemindersProps) {
  const m = useMessages('domains')
  const words = m.domains.reminders
  return (
    <TagsField
      label={words.label}
      help={words.help}
      name="expiryRemindDays"
      values={days.map(String)}
      known={['60', '30', '14', '7', '3', '1']}
      read={read}
      show={(value) => words.show(Number(value))}
      onChange={(values) => onChange(values.map(Number).sort((a, b) => b - a))}
    />
  )
}
