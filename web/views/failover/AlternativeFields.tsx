import { TextField } from '../../ui/fields/Field.tsx'
import { Fields } from '../../ui/fields/Form.tsx'
import { TagsField } from '../../ui/fields/TagsField.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { Bar } from '../../ui/page/Page.tsx'
import { MAX_ALTERNATIVES, newKey, type DraftAlternative } from './monitor-draft.ts'
import styles from './MonitorDialog.module.css'

const LEAST = 2

interface AlternativeProps {
  alternatives: readonly DraftAlternative[]
  onChange: (alternatives: DraftAlternative[]) => void
}

/** Alternatives in the order of preference. */
export function AlternativeFields({ alternatives, onChange }: AlternativeProps) {
  const m = useMessages('failoverForm')
  const words = m.failoverForm
  const change = (key: number, part: Partial<DraftAlternative>) =>
    onChange(alternatives.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const without = (key: number) => alternatives.filter((one) => one.key !== key)
  return (
    <section className={styles['part']} aria-labelledby="failover-alternatives">
      <h3 id="failover-alternatives">{words.alternatives}</h3>
      <p className="muted">{words.alternativesHelp}</p>
      {alternatives.map((alternative, at) => {
        const { key, name, values, targets } = alternative
        return (
          <div key={key} role="group" aria-label={words.alternative(at + 1)} className={styles['row']}>
            <Fields>
              <TextField
                label={words.name}
                name={`alternatives.${at}.name`}
                maxLength={40}
                value={name}
                onChange={(text) => change(key, { name: text })}
                autoComplete="off"
              />
              <TagsField
                label={words.values}
                optional={false}
                name={`alternatives.${at}.values`}
                values={values}
                onChange={(given) => change(key, { values: given })}
              />
              <TagsField
                label={words.targets}
                help={words.targetsHelp}
                name={`alternatives.${at}.targets`}
                values={targets}
                onChange={(given) => change(key, { targets: given })}
              />
            </Fields>
            {(at > 0 || alternatives.length > LEAST) && (
              <Bar>
                {at > 0 && (
                  <Button
                    icon="up"
                    onPress={() => {
                      const others = without(key)
                      onChange([...others.slice(0, at - 1), alternative, ...others.slice(at - 1)])
                    }}
                  >
                    {words.prefer(name)}
                  </Button>
                )}
                {alternatives.length > LEAST && (
                  <Button icon="trash" onPress={() => onChange(without(key))}>
                    {m.common.removeOf(name)}
                  </Button>
                )}
              </Bar>
            )}
          </div>
        )
      })}
      {alternatives.length < MAX_ALTERNATIVES && (
        <div>
          <Button
            icon="plus"
            onPress={() => onChange([...alternatives, { key: newKey(), name: '', values: [], targets: [] }])}
          >
            {words.addAlternative}
          </Button>
        </div>
      )}
    </section>
  )
}
