import { Button } from '../../ui/page/Button.tsx'
import { Checkbox } from '../../ui/fields/Choice.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { useMessages } from '../../ui/language.tsx'
import { emptyVariable, type DraftVariable } from './draft.ts'
import styles from './Templates.module.css'

interface RowsProps {
  variables: readonly DraftVariable[]
  onChange: (variables: DraftVariable[]) => void
}

export function VariableRows({ variables, onChange }: RowsProps) {
  const m = useMessages('templates')
  const words = m.templates.form
  const change = (key: number, part: Partial<DraftVariable>) =>
    onChange(variables.map((one) => (one.key === key ? { ...one, ...part } : one)))
  return (
    <>
      {variables.map((one, at) => (
        <div key={one.key} role="group" aria-label={words.variable(at + 1)} className={styles['variable']}>
          <TextField
            label={words.variableName}
            name={`variables.${at}.name`}
            help={words.variableNameHelp}
            value={one.name}
            onChange={(name) => change(one.key, { name })}
            autoComplete="off"
            mono
          />
          <TextField
            optional
            label={words.label}
            name={`variables.${at}.label`}
            value={one.label}
            onChange={(label) => change(one.key, { label })}
            autoComplete="off"
          />
          <TextField
            optional
            label={words.default}
            name={`variables.${at}.default`}
            value={one.default}
            onChange={(usual) => change(one.key, { default: usual })}
            autoComplete="off"
            mono
          />
          <TextField
            optional
            label={words.pattern}
            name={`variables.${at}.pattern`}
            help={words.patternHelp}
            value={one.pattern}
            onChange={(pattern) => change(one.key, { pattern })}
            autoComplete="off"
            mono
          />
          <Checkbox isSelected={one.required} onChange={(required) => change(one.key, { required })}>
            {words.required}
          </Checkbox>
          <Button
            look="plain"
            icon="trash"
            iconOnly
            onPress={() => onChange(variables.filter(({ key }) => key !== one.key))}
          >
            {m.common.removeOf(words.variable(at + 1))}
          </Button>
        </div>
      ))}
      <div>
        <Button icon="plus" onPress={() => onChange([...variables, emptyVariable()])}>
          {words.addVariable}
        </Button>
      </div>
    </>
  )
}
