import { DateField } from '../../ui/fields/dates/DateField.tsx'
import { Fields } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { MAX_WINDOWS, newKey, type DraftWindow } from './monitor-draft.ts'
import styles from './MonitorDialog.module.css'

interface MaintenanceProps {
  windows: readonly DraftWindow[]
  onChange: (windows: DraftWindow[]) => void
}

/** Times in which nothing is switched automatically. */
export function MaintenanceFields({ windows, onChange }: MaintenanceProps) {
  const m = useMessages('failoverForm')
  const words = m.failoverForm
  const change = (key: number, part: Partial<DraftWindow>) =>
    onChange(windows.map((one) => (one.key === key ? { ...one, ...part } : one)))
  return (
    <section className={styles['part']} aria-labelledby="failover-maintenance">
      <h3 id="failover-maintenance">{words.maintenance}</h3>
      <p className="muted">{words.maintenanceHelp}</p>
      {windows.map(({ key, from, until }, at) => (
        <div key={key} role="group" aria-label={words.window(at + 1)} className={styles['row']}>
          <Fields>
            <DateField
              withTime
              label={words.from}
              name={`maintenance.${at}.from`}
              value={from}
              onChange={(moment) => change(key, { from: moment })}
            />
            <DateField
              withTime
              label={words.until}
              name={`maintenance.${at}.until`}
              value={until}
              onChange={(moment) => change(key, { until: moment })}
            />
          </Fields>
          <div>
            <Button icon="trash" onPress={() => onChange(windows.filter((one) => one.key !== key))}>
              {m.common.removeOf(words.window(at + 1))}
            </Button>
          </div>
        </div>
      ))}
      {windows.length < MAX_WINDOWS && (
        <div>
          <Button
            icon="plus"
            onPress={() => onChange([...windows, { key: newKey(), from: null, until: null }])}
          >
            {words.addWindow}
          </Button>
        </div>
      )}
    </section>
  )
}
