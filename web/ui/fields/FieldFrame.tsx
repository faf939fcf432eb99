import { FieldError } from 'react-aria-components/FieldError'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { cx } from '../classes.ts'
import { LabelText, type FieldFrame } from './Field.tsx'
import styles from './Field.module.css'

/** Label of a library field. */
export const FieldLabel = (props: Pick<FieldFrame, 'label' | 'optional'>) => (
  <Label className={cx(styles['label'])}>
    <LabelText {...props} />
  </Label>
)

/** Help and error of a library field. */
export function FieldHelp({ help, error }: Pick<FieldFrame, 'help'> & { error?: string | null }) {
  return (
    <>
      {help !== undefined && (
        <Text slot="description" className={cx(styles['help'])}>
          {help}
        </Text>
      )}
      <FieldError className={cx(styles['error'])}>{error ?? undefined}</FieldError>
    </>
  )
}
