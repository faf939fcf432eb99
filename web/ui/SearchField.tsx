import { Input } from 'react-aria-components/Input'
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField'
import { Button } from './Button.tsx'
import { cx } from './classes.ts'
import { useMessages } from './language.tsx'
import styles from './Field.module.css'

interface SearchProps {
  label: string
  value: string
  onChange: (value: string) => void
  onSubmit?: (value: string) => void
  placeholder?: string
  autoFocus?: boolean
  id?: string
}

/** A box to search or filter with: its label is for screen readers, Escape empties it. */
export function SearchField({ label, placeholder, ...rest }: SearchProps) {
  const m = useMessages()
  return (
    <AriaSearchField {...rest} aria-label={label} className={cx(styles['field'])}>
      {({ isEmpty }) => (
        <span className={styles['inline']}>
          <Input placeholder={placeholder ?? label} className={cx(styles['input'])} />
          {!isEmpty && (
            <Button look="plain" icon="close" iconOnly>
              {m.common.clear}
            </Button>
          )}
        </span>
      )}
    </AriaSearchField>
  )
}
